"""How often each row of a shard is there, by its hash, so that retractions are checked before they are written.

A retraction of a row that the shard does not hold can never be undone: afterwards nobody can say what it holds. The
counts are read from the shard at the first retraction, and follow what is written from then on; what somebody else has
written meanwhile is read alone.

    shard    (1, 'a') twice            counted when the first retraction comes
    written  -1 (1, 'a') at time 5     held
    written  -1 (1, 'b') at time 6     not held, even if the same write adds (1, 'b') at time 7
    another  +1 (1, 'c') at time 8     added to the counts before the next write is looked at
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
from model.time.antichain import MINIMUM, Antichain
from model.types.relation_desc import RelationDesc
from storage.persist.hash_counts import HashCounts, Hashes, net_of
from storage.persist.held import hashed
from storage.persist.snapshot import read_piece, read_staged
from storage.persist.state import Batch, Part, Piece, ShardState

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
    """The counts of one shard, with rows as `desc` says, up to a time. `places.directory` takes what memory does
    not."""

    def __init__(self, shard: str, desc: RelationDesc, places: Places) -> None:
        self._shard = shard
        self._desc = desc
        self._places = places
        self._counts: HashCounts | None = None
        self._upper = MINIMUM
        self._written: _Written | None = None

    def unread(self, state: ShardState, updates: Sequence[pa.Table | Part]) -> int:
        """Returns how many rows of the shard are read before the updates are looked for."""
        if self._counts is None and not any(map(takes, updates)):
            return 0
        return sum(piece.rows for piece in self._uncounted(state)[1])

    async def lacking(self, state: ShardState, updates: Sequence[pa.Table | Part]) -> int:
        """Returns how many rows, told apart by hash, the updates of the next write retract at some time without the
        shard holding them, or the shard has itself lost so. `state` is that before the write. Raises SqlError,
        OSError."""
        self._written = None
        if self._counts is None and not any(map(takes, updates)):
            return 0
        written = await self._sums(updates)
        counts, lost = await self._followed(state, written.net)
        if lost:
            return lost
        self._written = written
        return await self._places.work(written.needed.size, lambda: _lacking(written.needed, counts))

    async def wrote(self, upper: Antichain) -> None:
        """Notes that the updates that were last looked for have been written, and complete the shard up to `upper`."""
        written, counts = self._written, self._counts
        self._written = None
        if written is not None and counts is not None:
            await self._add(counts, written.net, upper)

    def _uncounted(self, state: ShardState) -> tuple[Antichain, list[Piece]]:
        """Returns the pieces with what is not counted, and from which times on: from the first on where compaction has
        made it one with what is."""
        if self._counts is not None:
            pieces = _pieces_from(state.batches, self._upper)
            if pieces is not None:
                return self._upper, pieces
        return MINIMUM, [piece for batch in state.batches for piece in batch.pieces]

    async def _followed(self, state: ShardState, net: _Few | HashCounts) -> tuple[HashCounts, int]:
        """Brings the counts up to `state`; returns them, and how many rows what came took that were not there, even
        after updates of `net`."""
        lower, pieces = self._uncounted(state)
        came, run = HashCounts(self._places.directory), self._places.runner.run
        for piece in pieces:
            table = await read_piece(piece, self._desc, self._shard, self._places.blob, self._places.runner)
            await run(partial(self._count, table, lower, came))
        if self._counts is None or lower == MINIMUM:
            counts = came
            self._counts, self._upper = counts, state.write_frontier
        else:
            counts = self._counts
            await self._add(counts, came, state.write_frontier)
        lost = await self._places.work(came.size, lambda: _lost(counts, came, net, self._places.directory))
        if lost:
            self._counts = None
        return counts, lost

    def _count(self, table: pa.Table, lower: Antichain, came: HashCounts) -> None:
        if lower != MINIMUM:
            table = table.filter(pc.greater_equal(table.column(TIME_COLUMN), lower.time))
        came.add(*hashed(table, self._desc.arity))

    async def _add(self, counts: HashCounts, net: _Few | HashCounts, upper: Antichain) -> None:
        """Adds what completes the shard up to `upper`."""

        def add() -> None:
            for hashes, sums in net.ranges():
                counts.add(hashes, sums)

        # Whoever is cancelled amid this must not add it again.
        self._counts = None
        if counts.adds_soon(net.size):
            add()
        else:
            await self._places.runner.run(add)
        self._counts, self._upper = counts, upper

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
        """Yields the hashes, times and diffs of the updates."""
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


def _pieces_from(batches: Sequence[Batch], lower: Antichain) -> list[Piece] | None:
    """Returns the pieces with updates at times from `lower` on; None where times before it are not told from it."""
    assert lower.time is not None
    found: list[Piece] = []
    for batch in batches:
        if batch.upper.precedes(lower):
            continue
        if not lower.precedes(batch.lower) and lower.precedes(batch.since):
            return None
        found += [piece for piece in batch.pieces if piece.time_max is None or piece.time_max >= lower.time]
    return found


def _lost(counts: HashCounts, came: HashCounts, net: _Few | HashCounts, directory: Path) -> int:
    """Returns how many hashes of those that came are there less often than never, also after the updates."""
    after = HashCounts(directory)
    for hashes, own in came.ranges():
        held = own if came is counts else counts.of(hashes)
        after.add(hashes[held < 0], held[held < 0])
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
