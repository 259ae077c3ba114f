"""Keeps the contents of recently read shards: the next read adds the changes since.

    contents(T') = contents(T) + updates at times in (T, T']

A shard keeps updates for as long as its past is to be readable, so its pieces may hold the same rows many times over;
with kept contents, a read costs the size of the contents and the changes, not of the history. A sum of updates does not
depend on pieces: after any compaction, the sum at T stays right, and while the shard's since is not later than T, all
later updates can be found. Parts left to Spark are not in the sum, which is valid while those parts stay.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Hashable
from dataclasses import dataclass

import pyarrow as pa

from compute.replica.contents.shard_contents import (
    MIXED_BYTES_MAX,
    MIXED_ROWS_MAX,
    Contents,
    contents_of,
    few,
    later_pieces,
    left_to_spark,
    read_summed,
)
from compute.replica.running.cache import RecentlyUsed
from model.time.timestamp import Timestamp
from storage.persist.location import Blob
from storage.persist.snapshot import Snapshot
from storage.persist.state import Part, ShardState

_KEPT_MAX = 256
_KEPT_BYTES_MAX = 128 << 20


@dataclass(frozen=True, slots=True)
class _Sum:
    """The sum of a shard's updates up to `time`, without the parts `left` to Spark."""

    time: Timestamp
    plain: tuple[Part, ...]
    mixed: tuple[Part, ...]
    table: pa.Table

    @property
    def left(self) -> frozenset[str]:
        return _keys(self.plain, self.mixed)

    def leads_to(self, snapshot: Snapshot, state: ShardState) -> bool:
        """Returns whether the snapshot's contents can be computed from the sum."""
        if self.time > snapshot.as_of or not state.since.less_equal(self.time):
            return False
        if not self.left <= {part.key for part in snapshot.parts}:
            return False
        return few(later_pieces(snapshot, self.left, self.time), MIXED_ROWS_MAX, MIXED_BYTES_MAX)

    @property
    def small(self) -> bool:
        """Returns whether the sum is small enough to be read here."""
        return self.table.num_rows <= MIXED_ROWS_MAX and int(self.table.nbytes) <= MIXED_BYTES_MAX


class KeptContents:
    """The sums of recently read shards, up to a number of bytes."""

    def __init__(self, blob: Blob) -> None:
        self._blob = blob
        self._sums: RecentlyUsed[_Sum] = RecentlyUsed(_KEPT_MAX, _KEPT_BYTES_MAX)
        self._turns: weakref.WeakValueDictionary[Hashable, asyncio.Lock] = weakref.WeakValueDictionary()

    async def contents(self, snapshot: Snapshot, state: ShardState) -> Contents:
        """Returns the contents of a snapshot of this state. Raises SqlError naming the shard: missing, unreadable or
        corrupt."""
        key = snapshot.shard, snapshot.desc.types
        # Several reads after one change have one sum to make.
        async with self._turns.setdefault(key, asyncio.Lock()):
            known, (plain, mixed) = self._sums.get(key), left_to_spark(snapshot)
            made = None if known is None else await self._later(known, snapshot, state, left=bool(plain or mixed))
            if made is None:
                made = _Sum(snapshot.as_of, plain, mixed, await read_summed(snapshot, self._blob, _keys(plain, mixed)))
            if made.small and (known is None or known.time <= made.time):
                self._sums.put(key, made, made.table.nbytes)
        return contents_of(snapshot, made.plain, made.mixed, made.table)

    async def _later(self, known: _Sum, snapshot: Snapshot, state: ShardState, *, left: bool) -> _Sum | None:
        """Returns the sum at a later snapshot. None if it can't be computed, if it leaves parts to Spark that need
        not be `left` any more, or if it has grown too large."""
        if (known.left and not left) or not known.leads_to(snapshot, state):
            return None
        table = await read_summed(snapshot, self._blob, known.left, known.table, known.time)
        made = _Sum(snapshot.as_of, known.plain, known.mixed, table)
        return made if made.small else None


def _keys(plain: tuple[Part, ...], mixed: tuple[Part, ...]) -> frozenset[str]:
    return frozenset(part.key for part in (*plain, *mixed))
