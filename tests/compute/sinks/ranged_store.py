"""A destination in memory that several sessions write, each its range of keys, with the ranges' checkpoints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import assert_never

import pyarrow as pa

from connectors.sinks.driver import Driver
from connectors.sinks.fences import SplitCheckpoint, fenced_off, is_part, opened_at, overlap
from connectors.sinks.messages import (
    ALL_KEYS,
    KEYS_END,
    Acknowledge,
    Acknowledged,
    DriverResponse,
    Flushed,
    FlushLoads,
    KeyRange,
    Load,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import Timestamp
from model.types.datum import Row
from storage.persist.row_hash import row_hash
from tests.compute.dataflows.world import World
from tests.compute.sinks.stores import Session, apply


@cache
def key_hash(key: object) -> int:
    """By which a key belongs to a range."""
    return int(row_hash([pa.array([key], pa.int32())], 1)[0]) >> 32 & KEYS_END


@dataclass
class RangedStore:
    """Rows, and how far each range of keys is; a range's rows, its frontier and its fence are committed together. Or,
    in `portions`, rows are there as they come, and the range says until it commits that it has parts. `most`: so many
    ranges were there at once."""

    rows: dict[Row, Row] = field(default_factory=dict)
    splits: dict[KeyRange, SplitCheckpoint] = field(default_factory=dict)
    portions: bool = False
    most: int = 0
    apart: int = 0
    """How often a session has found ranges at different times."""
    replaced: int = 0
    """How often all rows were written anew."""

    def driver(self) -> Driver:
        return _Ranged(self)

    @property
    def frontier(self) -> int:
        """How far all of it is."""
        return min(frontier for _, frontier in self.stands())

    def stands(self) -> list[tuple[KeyRange, int]]:
        """How far keys are, by ranges that are alike: where the narrowest split is that has them."""
        begins = {0, *(keys.begin for keys in self.splits), *(keys.end + 1 for keys in self.splits)}
        ordered = sorted(begin for begin in begins if begin <= KEYS_END)
        ends = [*(begin - 1 for begin in ordered[1:]), KEYS_END]
        found = []
        for begin, end in zip(ordered, ends, strict=True):
            narrowest = self._narrowest(begin)
            found.append((KeyRange(begin, end), 0 if narrowest is None else int(narrowest.frontier)))
        self.most = max(self.most, len(found))
        return found

    def _narrowest(self, key: int) -> SplitCheckpoint | None:
        having = [row for row in self.splits.values() if row.keys.begin <= key <= row.keys.end]
        return min(having, key=lambda row: row.keys.end - row.keys.begin, default=None)

    def shown(self, world: World) -> Iterator[tuple[World, int, dict[Row, Row]]]:
        """Of each range that has no parts: the world as it concerns its keys, how far it is, and its rows."""
        for keys, frontier in self.stands():
            split = self._narrowest(keys.begin)
            if split is not None and split.partial:
                continue
            rows = {key: row for key, row in self.rows.items() if keys.begin <= key_hash(key[0]) <= keys.end}
            yield _OfRange(world, keys), frontier, rows  # type: ignore[misc]


@dataclass
class _OfRange:
    world: World
    keys: KeyRange

    def rows_at(self, number: int, time: int) -> Counter[Row]:
        held = self.world.rows_at(number, time)
        return Counter({row: n for row, n in held.items() if self.keys.begin <= key_hash(row[0]) <= self.keys.end})


class _Ranged(Session):
    def __init__(self, store: RangedStore) -> None:
        super().__init__()
        self._store = store
        self._own = SplitCheckpoint(ALL_KEYS, 0, Timestamp(0))
        self._replaces = False

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        store = self._store
        match request:
            case Open():
                yield self._open(request)
            case Acknowledge():
                yield Acknowledged()
            case FlushLoads():
                yield Flushed()
            case Store(documents):
                self.take(documents)
                if store.portions:
                    self._apply(replace(self._own, partial=True))
            case StartCommit(frontier):
                self._apply(replace(self._own, frontier=frontier, partial=False))
                self._own = store.splits[self._own.keys]
                yield StartedCommit()
            case Load(keys):
                yield self.loaded(keys, store.rows)
            case _:
                assert_never(request)

    def _apply(self, after: SplitCheckpoint) -> None:
        """What has come is there, and the range's checkpoint is this."""
        store = self._store
        known = store.splits.get(self._own.keys)
        if known is None or known.fence != self._own.fence:
            raise fenced_off()
        rows = {} if self._replaces else dict(store.rows)
        checks = self._own.frontier > 0 and not self._own.partial
        if store.portions and checks:
            doubled = [key for key, _, exists in self.changes if key in rows and not exists]
            if doubled:
                raise SqlError(Sqlstate.UNIQUE_VIOLATION, f"key {doubled[0]} is there")
        apply(rows, self.changes, strict=checks and not store.portions)
        store.rows, store.replaced = rows, store.replaced + self._replaces
        store.splits[self._own.keys] = after
        self.changes, self._replaces = [], False

    def _open(self, request: Open) -> Opened:
        store, keys = self._store, request.keys
        store.apart += len({frontier for _, frontier in store.stands()}) > 1
        self.sink = request.sink
        self._own = opened_at(keys, store.splits.values())
        if request.anew:
            self._own = replace(self._own, frontier=Timestamp(0))
        kept = [row for row in store.splits.values() if not is_part(row.keys, keys)]
        store.splits = {
            row.keys: replace(row, fence=self._own.fence) if overlap(row.keys, keys) else row for row in kept
        } | {keys: self._own}
        self._replaces = self._own.frontier == 0
        return Opened(self._own.frontier, self._own.partial)
