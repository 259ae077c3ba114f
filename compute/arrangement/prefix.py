"""Finds the first rows of given keys, in the arrangement's order, without reading the others.

From each batch a window of a key's updates is read, and a larger window if the first is too short: a retraction may lie
in another batch than the retracted row. Rows before the end of every window are certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from compute.arrangement.batch import ArrangementBatch, Block
from compute.arrangement.equality import Indices, Mask, flat, ints
from compute.arrangement.layout import HASH_COLUMN, ORDER_COLUMN, Layout
from compute.arrangement.search import Found, Probes, expanded, ranges, verified
from model.physical.columns import DIFF_COLUMN

ORDER_MAX = 2**63 - 1
_GROWTH = 4


@dataclass(frozen=True, slots=True)
class FoundPrefix:
    """All updates of probe i with o up to `last[i]`; ORDER_MAX means all updates. `rows_read` counts the rows read."""

    found: Found
    last: Indices
    rows_read: int


@dataclass(frozen=True, slots=True)
class _Run:
    """The places of probes' updates in a block: `count[i]` updates from row `low[i]` on belong, but for hash
    collisions, to `probe[i]`; earlier blocks of the batch have `before[i]` more."""

    block: Block
    probe: Indices
    low: Indices
    count: Indices
    before: Indices


def _runs(batch: ArrangementBatch, probes: Probes) -> Iterator[_Run]:
    before = np.zeros(len(probes.hashes), np.int64)
    for whole in batch.blocks:
        block = whole.narrowed(probes.hashes, probes.hashes)
        if block is None:
            continue
        probe, low, count = ranges(block, probes)
        yield _Run(block, probe, low, count, before[probe])
        before[probe] += count


def find_first(batches: Sequence[ArrangementBatch], layout: Layout, probes: pa.Table, needed: Indices) -> FoundPrefix:
    """Returns, for each probe (keys are distinct), at least the first `needed[i]` rows, counted by their diffs; or all
    rows.

    No row may be retracted more often than asserted.
    """
    keys = tuple(flat(probes.column(name)) for name in layout.key_names)
    sorted_probes = Probes.of(ints(probes.column(HASH_COLUMN)))
    runs = [run for batch in batches for run in _runs(batch, sorted_probes)]
    pending = np.ones(len(needed), np.bool_)
    window = np.maximum(needed, 1)
    rows_read = 0
    parts = []
    while pending.any():
        cut, bound = np.zeros(len(needed), np.bool_), np.full(len(needed), ORDER_MAX)
        pieces = [Found(np.zeros(0, np.int64), layout.schema.empty_table())]
        for run in runs:
            pieces += _window(run, layout, keys, pending, window, cut, bound)
        found = _joined(pieces)
        rows_read += len(found.probe)
        known = ~cut[found.probe] | (ints(found.rows.column(ORDER_COLUMN)) < bound[found.probe])
        totals = np.zeros(len(needed), np.int64)
        np.add.at(totals, found.probe[known], ints(found.rows.column(DIFF_COLUMN))[known])
        done = pending & (~cut | (totals >= needed))
        parts.append(_filtered(found, known & done[found.probe]))
        pending &= ~done
        window = window * _GROWTH
    found = _joined(parts)
    last = _last(found, needed)
    near = ints(found.rows.column(ORDER_COLUMN)) <= last[found.probe]
    return FoundPrefix(_filtered(found, near), last, rows_read)


def _window(
    run: _Run,
    layout: Layout,
    keys: tuple[pa.Array, ...],
    pending: Mask,
    window: Indices,
    cut: Mask,
    bound: Indices,
) -> Iterator[Found]:
    """Yields a block's updates within the windows; lowers `bound` to the first place with updates left out."""
    mine = pending[run.probe]
    probe, low, count = run.probe[mine], run.low[mine], run.count[mine]
    read = np.clip(window[probe] - run.before[mine], 0, count)
    short = read < count
    cut[probe[short]] = True
    beyond = run.block.numbers(ORDER_COLUMN)[(low + read)[short]]
    bound[probe[short]] = np.minimum(bound[probe[short]], beyond)
    for places, rows in expanded(probe, low, read, max(1, int(read.sum()))):
        yield verified(places, rows, run.block.rows, layout, keys)


def _joined(pieces: Sequence[Found]) -> Found:
    return Found(
        np.concatenate([piece.probe for piece in pieces]),
        pa.concat_tables([piece.rows for piece in pieces]).combine_chunks(),
    )


def _filtered(found: Found, mask: Mask) -> Found:
    return found if mask.all() else Found(found.probe[mask], found.rows.filter(pa.array(mask)))


def _last(found: Found, needed: Indices) -> Indices:
    """Returns the first place at which each probe has enough rows; ORDER_MAX without such a place."""
    last = np.full(len(needed), ORDER_MAX)
    orders = ints(found.rows.column(ORDER_COLUMN))
    by_order = np.lexsort((orders, found.probe))
    probe, order = found.probe[by_order], orders[by_order]
    totals = np.cumsum(ints(found.rows.column(DIFF_COLUMN))[by_order])
    first = np.searchsorted(probe, probe)
    totals -= np.where(first > 0, totals[first - 1], 0)
    ends = np.ones(len(probe), np.bool_)
    ends[:-1] = (probe[1:] != probe[:-1]) | (order[1:] != order[:-1])
    enough = np.flatnonzero(ends & (totals >= needed[probe]))
    satisfied, where = np.unique(probe[enough], return_index=True)
    last[satisfied] = order[enough[where]]
    return last
