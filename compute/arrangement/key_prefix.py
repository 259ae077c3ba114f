"""Finds the updates whose keys begin as given: their hashes begin alike, so the updates lie side by side.

The hash of a whole key takes its first bits from the key's first column, the next bits from the first two columns, and
so on (see row_hash.layered_hash). All keys with a common beginning are therefore in one range of hashes, found by
binary search; comparison removes other keys from the range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from compute.arrangement.batch import ArrangementBatch
from compute.arrangement.equality import Indices, equal_rows, flat, ints
from compute.arrangement.layout import HASH_COLUMN, Layout
from compute.arrangement.search import CHUNK_BYTES, Found, expanded
from storage.persist.row_hash import layer_bits


def find_prefixes(
    batches: Sequence[ArrangementBatch], layout: Layout, probes: pa.Table, columns: int, chunk_rows: int
) -> Iterator[Found]:
    """Yields all updates whose first `columns` key columns are a probe's (h, k0…), in chunks of 1 to `chunk_rows` rows.

    A probe's `h` is the layered hash of those columns alone."""
    names = layout.key_names[:columns]
    keys = [flat(probes.column(name)) for name in names]
    low = ints(probes.column(HASH_COLUMN))
    high = low | np.int64((1 << (64 - layer_bits(len(layout.key))[columns - 1])) - 1)
    if not len(low):
        return
    least, greatest = int(low.min()), int(high.max())
    for batch in batches:
        for whole in batch.blocks:
            if whole.last < least or whole.first > greatest:
                continue
            block = whole.narrowed(low, high)
            if block is None:
                continue
            first = np.searchsorted(block.hashes, low)
            count: Indices = np.searchsorted(block.hashes, high, "right") - first
            place = np.flatnonzero(count)
            chunk = min(chunk_rows, block.rows_in(CHUNK_BYTES))
            for probe, row in expanded(place, first[place], count[place], chunk):
                rows = block.rows.select(layout.schema.names).take(pa.array(row))
                wanted = [key.take(pa.array(probe)) for key in keys]
                equal = equal_rows([rows.column(name) for name in names], wanted, len(probe))
                if equal.any():
                    yield Found(probe[equal], pa.Table.from_batches([rows.filter(pa.array(equal))], layout.schema))
