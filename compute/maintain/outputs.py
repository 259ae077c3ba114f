"""Adds up equal updates among a tick's exports: few in a table, many in an arrangement's files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import local_store
from compute.arrangement.layout import HASH_COLUMN, Layout
from model.updates.consolidate import consolidate

TABLE_ROWS_MAX = 1 << 18


def consolidated(chunks: Iterator[pa.Table], directory: Path) -> Iterable[pa.Table]:
    """Returns the updates of chunks (c0…, time, diff), consolidated into chunks that are never empty. `directory`
    must exist until all are read."""
    held: list[pa.Table] = []
    rows = 0
    for chunk in chunks:
        held.append(chunk)
        rows += chunk.num_rows
        if rows > TABLE_ROWS_MAX:
            return _arranged(held, chunks, directory)
    if not rows:
        return ()
    table = consolidate(pa.concat_tables(held))
    return (table,) if table.num_rows else ()


@dataclass(frozen=True, slots=True)
class _Arranged:
    arrangement: Arrangement
    columns: list[str]

    def __iter__(self) -> Iterator[pa.Table]:
        return (chunk.select(self.columns) for chunk in self.arrangement.changes())


def _arranged(held: list[pa.Table], chunks: Iterator[pa.Table], directory: Path) -> _Arranged:
    schema = held[0].schema
    arrangement = local_store(directory).arrangement(Layout((), tuple(schema.types[:-2])))
    while held:
        arrangement.insert(_keyed(held.pop(0)))
    for chunk in chunks:
        arrangement.insert(_keyed(chunk))
    return _Arranged(arrangement, schema.names)


def _keyed(chunk: pa.Table) -> pa.Table:
    """Adds an equal hash to all rows: without a key, rows are ordered and compared by their values alone."""
    return chunk.add_column(0, HASH_COLUMN, pa.array(np.zeros(chunk.num_rows, np.int64)))
