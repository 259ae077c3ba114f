"""Cuts kernels' output into chunks of one size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa


def coalesced(tables: Iterable[pa.Table], chunk_rows: int) -> Iterator[pa.Table]:
    """Yields the same rows in tables of `chunk_rows` rows, the last one of fewer, none empty."""
    waiting: list[pa.Table] = []
    rows = 0
    for table in tables:
        while rows + table.num_rows >= chunk_rows:
            head = table.slice(0, chunk_rows - rows)
            table = table.slice(chunk_rows - rows)
            yield pa.concat_tables([*waiting, head])
            waiting, rows = [], 0
        if table.num_rows:
            waiting.append(table)
            rows += table.num_rows
    if waiting:
        yield pa.concat_tables(waiting)
