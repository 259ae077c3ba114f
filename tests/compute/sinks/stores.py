"""Destinations in memory, one of each pattern that a driver may follow, and the drivers that write them.

Each shows what it holds as rows by key; `frontier` is what it says of itself, or what was applied last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, assert_never

import pyarrow as pa

from connectors.sinks.description import SinkDescription
from connectors.sinks.driver import Driver
from connectors.sinks.fences import fenced_off
from connectors.sinks.messages import (
    DELETED,
    EXISTS,
    Acknowledge,
    Acknowledged,
    DriverResponse,
    Flushed,
    FlushLoads,
    Load,
    Loaded,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, rows_from_arrow, rows_to_arrow
from model.types.datum import Row
from model.types.relation_desc import RelationDesc

Change = tuple[Row, Row | None, bool]
"""A key, its document (None: it is to go), and whether the destination is said to have one."""


@dataclass
class TransactionalStore:
    """Rows, how far they are, and a fence, committed together."""

    rows: dict[Row, Row] = field(default_factory=dict)
    frontier: int = 0
    fence: int = 0
    checks_fence: bool = True

    def driver(self) -> Driver:
        return _Transactional(self)


@dataclass
class StagedStore:
    """Transactions are staged under names, and applied when the recovery log has them: each once, however often that
    is asked for."""

    rows: dict[Row, Row] = field(default_factory=dict)
    frontier: int = 0
    staged: dict[str, tuple[bool, list[Change]]] = field(default_factory=dict)
    applied: set[str] = field(default_factory=set)
    named: int = 0
    applies_at_once: bool = False
    """A defect: what is staged shows before the log has it."""
    applies_late: bool = False
    """A defect: it is acknowledged before it is applied, so documents are loaded as they were before."""

    def driver(self) -> Driver:
        return _Staged(self)


@dataclass
class PlainStore:
    """Every document is there at once."""

    rows: dict[Row, Row] = field(default_factory=dict)
    frontier: int = 0
    says_partial: bool = True
    ends: bool = True
    """Whether transactions come to their end; what they have stored before is there."""

    def driver(self) -> Driver:
        return _Plain(self)


@dataclass
class LogStore:
    """Changes behind each other, each once; they, how far they are, and a fence are committed
    together. `rows` are they, each as its own key."""

    rows: dict[Row, Row] = field(default_factory=dict)
    frontier: int = 0
    fence: int = 0
    checks_fence: bool = True

    def driver(self) -> Driver:
        return _Log(self)


Destination = TransactionalStore | StagedStore | PlainStore | LogStore


FencedStore = TypeVar("FencedStore", TransactionalStore, LogStore)


class Session:
    """What all drivers do with documents."""

    def __init__(self) -> None:
        self.sink: SinkDescription | None = None
        self.changes: list[Change] = []

    def abort(self) -> None:
        """Nothing hangs."""

    def close(self) -> None:
        """Nothing is held."""

    def loaded(self, keys: pa.Table, rows: dict[Row, Row]) -> Loaded:
        """The documents of keys that there are."""
        assert self.sink is not None and self.sink.key is not None
        desc = RelationDesc(tuple(self.sink.documents.columns[place] for place in self.sink.key))
        found = [rows[key] for key in rows_from_arrow(keys, desc) if key in rows]
        return Loaded(rows_to_arrow(found, self.sink.documents))

    def take(self, documents: pa.Table) -> None:
        assert self.sink is not None and self.sink.key is not None
        exists, gone = documents.column(EXISTS).to_pylist(), documents.column(DELETED).to_pylist()
        for row, there, deleted in zip(rows_from_arrow(documents, self.sink.documents), exists, gone, strict=True):
            key = tuple(row[place] for place in self.sink.key)
            self.changes.append((key, None if deleted else row, there))


def apply(rows: dict[Row, Row], changes: list[Change], *, strict: bool) -> None:
    """`strict`: what is said of the destination must be so."""
    for key, row, exists in changes:
        if strict and exists != (key in rows):
            raise SqlError(Sqlstate.UNIQUE_VIOLATION, f"key {key} is said to be there: {exists}")
        if row is None:
            rows.pop(key, None)
        else:
            rows[key] = row


class _Fenced(Session, Generic[FencedStore]):
    """Of a store that commits a fence with what it holds."""

    def __init__(self, store: FencedStore) -> None:
        super().__init__()
        self._store: FencedStore = store
        self._fence = 0
        self._replaces = False

    def fence_others_off(self, request: Open) -> Opened:
        self.sink = request.sink
        self._store.fence += 1
        self._fence = self._store.fence
        frontier = 0 if request.anew else self._store.frontier
        self._replaces = frontier == 0
        return Opened(frontier)  # type: ignore[arg-type]

    def check_fence(self) -> None:
        if self._fence != self._store.fence and self._store.checks_fence:
            raise fenced_off()


class _Transactional(_Fenced[TransactionalStore]):
    def answer(self, request: Request) -> Iterator[DriverResponse]:
        store = self._store
        match request:
            case Open():
                yield self.fence_others_off(request)
            case Acknowledge():
                yield Acknowledged()
            case FlushLoads():
                yield Flushed()
            case Store(documents):
                self.take(documents)
            case StartCommit(frontier):
                self.check_fence()
                rows = {} if self._replaces else dict(store.rows)
                apply(rows, self.changes, strict=not self._replaces)
                store.rows, store.frontier = rows, frontier
                self.changes, self._replaces = [], False
                yield StartedCommit()
            case Load(keys):
                yield self.loaded(keys, store.rows)
            case _:
                assert_never(request)


class _Log(_Fenced[LogStore]):
    def __init__(self, store: LogStore) -> None:
        super().__init__(store)
        self._told: list[Row] = []

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        store = self._store
        match request:
            case Open():
                yield self.fence_others_off(request)
            case Acknowledge():
                yield Acknowledged()
            case FlushLoads():
                yield Flushed()
            case Store(documents):
                assert self.sink is not None
                times, diffs = documents.column(TIME_COLUMN).to_pylist(), documents.column(DIFF_COLUMN).to_pylist()
                rows = rows_from_arrow(documents, self.sink.documents)
                self._told += [(*row, time, diff) for row, time, diff in zip(rows, times, diffs, strict=True)]
            case StartCommit(frontier):
                self.check_fence()
                rows_before = {} if self._replaces else store.rows
                assert not rows_before.keys() & set(self._told), "a change is there twice"
                store.rows = {**rows_before, **{change: change for change in self._told}}
                store.frontier, self._told, self._replaces = frontier, [], False
                yield StartedCommit()
            case Load():
                raise AssertionError("nothing is loaded from a log")
            case _:
                assert_never(request)


class _Staged(Session):
    def __init__(self, store: StagedStore) -> None:
        super().__init__()
        self._store = store
        self._state: dict[str, Any] = {}
        self._replaces = False

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        store = self._store
        match request:
            case Open(sink=sink, state=state, frontier=frontier):
                self.sink, self._state = sink, dict(state)
                self._replaces = frontier == 0
                yield Opened(None)
            case Acknowledge():
                if not store.applies_late:
                    self._apply()
                yield Acknowledged()
            case FlushLoads():
                self._apply()
                yield Flushed()
            case Store(documents):
                self.take(documents)
            case StartCommit(frontier):
                apply(dict(store.rows), self.changes, strict=not self._replaces)
                store.named += 1
                name = f"f{store.named}"
                store.staged[name] = self._replaces, self.changes
                self.changes, self._replaces = [], False
                self._state = {"staged": [name, frontier]}
                if store.applies_at_once:
                    self._apply()
                yield StartedCommit(self._state)
            case Load(keys):
                yield self.loaded(keys, store.rows)
            case _:
                assert_never(request)

    def _apply(self) -> None:
        store = self._store
        if not self._state:
            return
        name, frontier = self._state["staged"]
        if name not in store.applied:
            replaces, changes = store.staged[name]
            rows = {} if replaces else store.rows
            apply(rows, changes, strict=not replaces)
            store.rows, store.frontier = rows, frontier
            store.applied.add(name)


class _Plain(Session):
    def __init__(self, store: PlainStore) -> None:
        super().__init__()
        self._store = store

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        match request:
            case Open(sink=sink, frontier=frontier):
                self.sink = sink
                if frontier == 0:
                    self._store.rows = {}
                yield Opened(None, partial=self._store.says_partial)
            case Acknowledge():
                yield Acknowledged()
            case FlushLoads():
                yield Flushed()
            case Store(documents):
                self.take(documents)
                apply(self._store.rows, self.changes, strict=False)
                self.changes = []
            case StartCommit(frontier):
                if not self._store.ends:
                    raise SqlError(Sqlstate.CONNECTION_FAILURE, "the connection is gone")
                self._store.frontier = frontier
                yield StartedCommit()
            case Load(keys):
                yield self.loaded(keys, self._store.rows)
            case _:
                assert_never(request)
