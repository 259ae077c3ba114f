"""Finds the updates of given keys: binary search of hashes in each block, then comparison of the keys themselves.

Cost: d·log n for d probes in a batch of n, and the rows found; what is found comes in chunks, however skewed the keys.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from compute.arrangement.batch import ArrangementBatch, Block
from compute.arrangement.equality import Indices, equal_rows, flat, ints
from compute.arrangement.layout import HASH_COLUMN, Layout

CHUNK_BYTES = 64 * 1024 * 1024
"""About the most that a chunk has, where its rows are large."""
_TOGETHER_BYTES = 4 * 1024 * 1024
"""Of so many bytes, parts of blocks are copied sooner than looked into one by one."""
_NOTHING: Indices = np.zeros(0, np.int64)
_FEW_PROBES = 8
"""So many are looked for in Python, before numpy's calls have begun."""


@dataclass(frozen=True, slots=True)
class Found:
    """Found rows. `probe[i]` is the position of the probe whose key equals the key of `rows[i]` (of
    `layout.schema`)."""

    probe: Indices
    rows: pa.Table


@dataclass(frozen=True, slots=True)
class Probes:
    """The hashes of probes, sorted; `place` is where each stood."""

    hashes: Indices
    place: Indices

    @classmethod
    def of(cls, hashes: Indices) -> Probes:
        place = np.argsort(hashes)
        return cls(hashes[place], place)

    def listed(self) -> list[tuple[int, int]]:
        """Returns each place with its hash."""
        return list(zip(self.place.tolist(), self.hashes.tolist(), strict=True))


def find(batches: Sequence[ArrangementBatch], layout: Layout, probes: pa.Table, chunk_rows: int) -> Iterator[Found]:
    """Yields all updates whose key is a probe's, in any order; a chunk has from 1 to `chunk_rows` rows."""
    keys = tuple(flat(probes.column(name)) for name in layout.key_names)
    sorted_probes = Probes.of(ints(probes.column(HASH_COLUMN)))
    few = sorted_probes.listed() if len(sorted_probes.hashes) <= _FEW_PROBES else None
    for batch in batches:
        for block in _narrowed(blocks_with(batch, sorted_probes.hashes), sorted_probes.hashes):
            place, low, count = ranges(block, sorted_probes) if few is None else few_ranges(block, few)
            if not len(place):
                continue
            for probe, row in expanded(place, low, count, min(chunk_rows, block.rows_in(CHUNK_BYTES))):
                found = verified(probe, row, block.rows, layout, keys)
                if len(found.probe):
                    yield found


def count_matches(batches: Sequence[ArrangementBatch], hashes: Indices) -> Indices:
    """Counts the updates with each of the sorted hashes; updates of other keys with an equal hash count too."""
    totals = np.zeros(len(hashes), np.int64)
    for batch in batches:
        for block in batch.blocks:
            part = block.narrowed(hashes, hashes)
            if part is not None:
                place, _, count = ranges(part, Probes(hashes, np.arange(len(hashes))))
                totals[place] += count
    return totals


def _narrowed(blocks: Sequence[Block], hashes: Indices) -> Iterator[Block]:
    """Yields what of a batch's blocks a lookup of the sorted hashes needs: parts of several blocks as one."""
    parts: list[Block] = []
    for block in blocks:
        narrow = block.narrowed(hashes, hashes)
        if narrow is block or sum(part.bytes for part in parts) > _TOGETHER_BYTES:
            yield from _joined(parts)
            parts = []
        if narrow is block:
            yield block
        elif narrow is not None:
            parts.append(narrow)
    yield from _joined(parts)


def _joined(parts: Sequence[Block]) -> Iterator[Block]:
    if len(parts) > 1:
        yield Block.of(pa.concat_batches([part.rows for part in parts]), sum(part.bytes for part in parts))
    else:
        yield from parts


def blocks_with(batch: ArrangementBatch, hashes: Indices) -> Sequence[Block]:
    """Returns the blocks between whose first and last hash any of the hashes lies; all blocks, where they are few or
    the hashes many."""
    blocks = batch.blocks
    if len(blocks) <= len(hashes):
        return blocks
    met: dict[int, Block] = {}
    for hash_ in hashes.tolist():
        number = bisect_left(blocks, hash_, key=_last)
        while number < len(blocks) and blocks[number].first <= hash_:
            met[number] = blocks[number]
            number += 1
    return tuple(met.values())


def _last(block: Block) -> int:
    return block.last


def ranges(block: Block, probes: Probes) -> tuple[Indices, Indices, Indices]:
    """Returns, for each probe whose hash the block has: the probe's place, the first row with the hash, the number
    of rows."""
    begin = int(np.searchsorted(probes.hashes, block.first))
    end = int(np.searchsorted(probes.hashes, block.last, "right"))
    if begin == end:
        return _NOTHING, _NOTHING, _NOTHING
    wanted = probes.hashes[begin:end]
    low = block.first_from(wanted)
    hit = np.flatnonzero(block.hashes[low] == wanted)
    low, wanted = low[hit], wanted[hit]
    return probes.place[begin:end][hit], low, block.first_after(wanted, low) - low


def few_ranges(block: Block, probes: Sequence[tuple[int, int]]) -> tuple[Indices, Indices, Indices]:
    """Returns the same as `ranges`, for a few probes given as places and hashes; a comparison rules out most blocks."""
    found: list[tuple[int, int, int]] = []
    for place, hash_ in probes:
        if block.first <= hash_ <= block.last:
            low = bisect_left(block.view, hash_)
            if block.view[low] == hash_:
                found.append((place, low, bisect_right(block.view, hash_, low) - low))
    if not found:
        return _NOTHING, _NOTHING, _NOTHING
    places, lows, counts = np.array(found, np.int64).T
    return places, lows, counts


def expanded(place: Indices, low: Indices, count: Indices, chunk_rows: int) -> Iterator[tuple[Indices, Indices]]:
    """Yields the pairs (place[i], row) for each row of low[i]…low[i] + count[i] - 1, in chunks of at most `chunk_rows`
    pairs."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    for start in range(0, total, chunk_rows):
        stop = min(start + chunk_rows, total)
        first, last = np.searchsorted(ends, [start, stop - 1], "right")
        mine = slice(int(first), int(last) + 1)
        begins = ends[mine] - count[mine]
        skipped = np.maximum(start - begins, 0)
        lengths = np.minimum(ends[mine], stop) - begins - skipped
        within = np.arange(stop - start) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        yield np.repeat(place[mine], lengths), np.repeat(low[mine] + skipped, lengths) + within


def verified(probe: Indices, row: Indices, block: pa.RecordBatch, layout: Layout, keys: tuple[pa.Array, ...]) -> Found:
    """Returns the pairs of a probe and a row of the block whose keys are equal, not only the hashes."""
    rows = block.select(layout.schema.names).take(pa.array(row))
    wanted = pa.array(probe)
    equal = equal_rows([rows.column(n) for n in layout.key_names], [key.take(wanted) for key in keys], len(probe))
    if not equal.all():
        rows, probe = rows.filter(pa.array(equal)), probe[equal]
    return Found(probe, pa.Table.from_batches([rows], layout.schema))
