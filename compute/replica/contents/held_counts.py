"""How often each row of a shard is there, by its hash, so that retractions are checked before they are written.

A retraction of a row that the shard does not hold can never be undone: afterwards nobody can say what it holds. The
counts are read from the shard at the first retraction, and follow what is written from then on.

    shard    (1, 'a') twice            counted when the first retraction comes
    written  -1 (1, 'a') at time 5     held
    written  -1 (1, 'b') at time 6     not held, even if the same write adds (1, 'b') at time 7
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.replica.running.places import Places
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN
from model.types.relation_desc import RelationDesc
from storage.persist.hash_counts import HashCounts, Hashes, net_of
from storage.persist.held import hashed
from storage.persist.snapshot import read_piece, read_staged
from storage.persist.state import Part, ShardState

EXACT_ROWS_MAX = 1 << 20
"""Of a write: retractions of more updates are checked against the sum of all its times instead of each time."""


@dataclass(frozen=True, slots=True)
class _Few:
    """A few counts by hash."""

    hashes: Hashes
    counts: Hashes

    @property
    def size(self) -> int:
        return len(self.hashes)

    def ranges(self) -> Iterator[tuple[Hashes, Hashes]]:
        yield self.hashes, self.counts


@dataclass(frozen=True, slots=True)
class _Written:
    """The updates of a write: their net by hash, and how often each hash must be held before it."""

    net: _Few | HashCounts
    needed: _Few | HashCounts


class HeldCounts:
    """The counts of one shard, with rows as `desc` says. `places.directory` takes what memory does not."""

    def __init__(self, shard: str, desc: RelationDesc, places: Places) -> None:
        self._shard = shard
        self._desc = desc
        self._places = places
        self._counts: HashCounts | None = None
        self._written: _Written | None = None

    def must_count(self, updates: Sequence[pa.Table | Part]) -> bool:
        """Returns whether the shard is read before the updates are looked for."""
        return self._counts is None and any(map(takes, updates))

    async def lacking(self, state: ShardState, updates: Sequence[pa.Table | Part]) -> int:
        """Returns how many rows, told apart by hash, the updates of the next write retract at some time without the
        shard holding them, or the shard has itself lost so. `state` is that before the write. SqlError, OSError."""
        self._written = None
        counts, work = self._counts, self._places.work
        if counts is None and not self.must_count(updates):
            return 0
        written = await self._sums(updates)
        if counts is None:
            counts = found = await self._counted(state)
            lost = await self._places.runner.run(lambda: _lost(found, written.net, self._places.directory))
            if lost:
                return lost
        self._counts, self._written = counts, written
        return await work(written.needed.size, lambda: _lacking(written.needed, counts))

    async def wrote(self) -> None:
        """Notes that the updates that were last looked for have been written."""
        written, counts = self._written, self._counts
        self._written = None
        if written is None or counts is None:
            return

        def add() -> None:
            for hashes, net in written.net.ranges():
                counts.add(hashes, net)

        if counts.adds_soon(written.net.size):
            add()
        else:
            await self._places.runner.run(add)

    def forget(self) -> None:
        """Forgets the counts: somebody else has written the shard, or nobody will any more."""
        self._counts = self._written = None

    async def _counted(self, state: ShardState) -> HashCounts:
        places, counts = self._places, HashCounts(self._places.directory)
        for piece in [piece for batch in state.batches for piece in batch.pieces]:
            table = await read_piece(piece, self._desc, self._shard, places.blob, places.runner)
            await places.runner.run(lambda: counts.add(*hashed(table, self._desc.arity)))  # noqa: B023
        return counts

    async def _sums(self, updates: Sequence[pa.Table | Part]) -> _Written:
        rows = sum(map(_rows, updates))
        if rows <= EXACT_ROWS_MAX:
            found = [each async for each in self._hashed(updates)]
            return await self._places.work(rows, lambda: _few(*map(np.concatenate, zip(*found, strict=True))))
        net, needed = HashCounts(self._places.directory), HashCounts(self._places.directory)
        async for hashes, _, diffs in self._hashed(updates):
            await self._places.runner.run(partial(net.add, hashes, diffs))

        def need() -> None:
            for hashes, sums in net.ranges():
                needed.add(hashes[sums < 0], -sums[sums < 0])

        await self._places.runner.run(need)
        return _Written(net, needed)

    async def _hashed(self, updates: Sequence[pa.Table | Part]) -> AsyncIterator[tuple[Hashes, Hashes, Hashes]]:
        """The hashes, times and diffs of the updates."""
        for each in updates:
            table = each
            if isinstance(table, Part):
                table = await read_staged(table, self._desc, self._shard, self._places.blob, self._places.runner)
            hashes, diffs = await self._places.work(table.num_rows, partial(hashed, table, self._desc.arity))
            yield hashes, table.column(TIME_COLUMN).to_numpy(), diffs


def takes(updates: pa.Table | Part) -> bool:
    """Returns whether any of the updates retracts a row."""
    if isinstance(updates, Part):
        return updates.retracts
    return DIFF_COLUMN in updates.column_names and bool(pc.any(pc.less(updates.column(DIFF_COLUMN), 0)).as_py())


def _rows(updates: pa.Table | Part) -> int:
    return updates.rows if isinstance(updates, Part) else int(updates.num_rows)


def _lost(counts: HashCounts, net: _Few | HashCounts, directory: Path) -> int:
    """Returns how many hashes are there less often than never, also after the updates."""
    after = HashCounts(directory)
    for hashes, own in counts.ranges():
        after.add(hashes[own < 0], own[own < 0])
    if not after.size:
        return 0
    for hashes, given in net.ranges():
        after.add(hashes[given > 0], given[given > 0])
    return sum(int((left < 0).sum()) for _, left in after.ranges())


def _lacking(needed: _Few | HashCounts, counts: HashCounts) -> int:
    return sum(int((counts.of(hashes) < least).sum()) for hashes, least in needed.ranges())


def _few(hashes: Hashes, times: Hashes, diffs: Hashes) -> _Written:
    """Sums a few updates: the sum of no time may be less than none."""
    distinct, sums = net_of([(hashes, diffs)])
    least = sums
    if len(times) and times.min() != times.max():
        order = np.lexsort((times, hashes))
        hashes, times, running = hashes[order], times[order], np.cumsum(diffs[order])
        first = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1]))
        before = np.repeat(np.append(0, running)[first], np.diff(np.append(first, len(hashes))))
        ends = np.append((hashes[1:] != hashes[:-1]) | (times[1:] != times[:-1]), True)
        least = np.minimum.reduceat(np.where(ends, running - before, 0), first)
    return _Written(_Few(distinct, sums), _Few(distinct[least < 0], -least[least < 0]))
