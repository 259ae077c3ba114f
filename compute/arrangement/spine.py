"""Which batches are merged: each kept one outweighs all younger ones together.

So there are at most log2(n) of them, and an update is merged again only when its batch's size doubles: inserting d
updates costs d·log n, spread over time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from compute.arrangement.batch import Batch, Block
from compute.arrangement.layout import Layout
from compute.arrangement.merge import merged

BLOCK_ROWS = 1 << 20
BLOCK_BYTES = 256 * 1024 * 1024
MERGE_ROWS = 1 << 18
"""What one step of a merge holds."""


def settled(batches: Sequence[Batch], layout: Layout, since: int | None) -> tuple[Batch, ...]:
    """The batches (oldest first), with those merged that are due."""
    keep = len(batches)
    total = 0
    while keep and (keep == len(batches) or batches[keep - 1].rows <= total):
        keep -= 1
        total += batches[keep].rows
    if len(batches) - keep < 2:
        return tuple(batches)
    result = Batch.of(tuple(blocks(merged(batches[keep:], layout, since, MERGE_ROWS))))
    return (*batches[:keep], result) if result.rows else tuple(batches[:keep])


def blocks(chunks: Iterator[pa.RecordBatch]) -> Iterator[Block]:
    """Chunks gathered to blocks of about BLOCK_ROWS rows and at most about BLOCK_BYTES bytes."""
    gathered: list[pa.RecordBatch] = []
    rows = size = 0
    for chunk in chunks:
        if gathered and (rows + chunk.num_rows > BLOCK_ROWS or size + chunk.nbytes > BLOCK_BYTES):
            yield Block.of(pa.concat_batches(gathered))
            gathered, rows, size = [], 0, 0
        gathered.append(chunk)
        rows += chunk.num_rows
        size += chunk.nbytes
    if gathered:
        yield Block.of(pa.concat_batches(gathered))
