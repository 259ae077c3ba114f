"""The updates that a tick exports: few in one table, many in a file, from which exports take them chunk by chunk.

Equal updates of one table are added up. Those of several tables are added up by the exports: each sorts what it takes
by an order of its own, and what is sorted here would be sorted twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from model.updates.consolidate import consolidate

TABLE_ROWS_MAX = 1 << 18


def exported(chunks: Iterator[pa.Table], path: Path) -> Iterable[pa.Table]:
    """Returns the updates of chunks (c0…, time, diff), all of which are read, in tables that are never empty, each
    consolidated. The file at `path`, which is made for many, must be there until they are read."""
    held: list[pa.Table] = []
    rows = 0
    for chunk in chunks:
        held.append(chunk)
        rows += chunk.num_rows
        if rows > TABLE_ROWS_MAX:
            return _filed(held, chunks, path)
    if not rows:
        return ()
    table = consolidate(pa.concat_tables(held))
    return (table,) if table.num_rows else ()


@dataclass(frozen=True, slots=True)
class _Filed:
    path: Path

    def __iter__(self) -> Iterator[pa.Table]:
        with pa.OSFile(str(self.path)) as file, pa.ipc.open_stream(file) as batches:
            for batch in batches:
                table = consolidate(pa.Table.from_batches([batch]))
                if table.num_rows:
                    yield table


def _filed(held: list[pa.Table], chunks: Iterator[pa.Table], path: Path) -> _Filed:
    schema = held[0].schema
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, schema) as stream:
        while held:
            stream.write_table(held.pop(0))
        for chunk in chunks:
            stream.write_table(chunk)
    return _Filed(path)
