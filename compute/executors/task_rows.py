"""The rows of a task as they come, as long as its tick goes on: sound ones by partition, and errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.equality import ints
from compute.arrangement.layout import HASH_COLUMN
from compute.arrangement.partition import partition_of
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN
from model.updates.consolidate import consolidate

T = TypeVar("T")
_INSERT_ROWS = 1 << 16
"""Spark gives its rows in small batches, each of which would cost some calls."""
_INSERT_BYTES = 8 << 20
"""Rows of so many bytes are not held for more to come."""


class TickOver(Exception):
    """The tick of an attempt has ended without it: nobody waits for an answer."""


def while_wanted(exchange: str, parts: Iterable[T]) -> Iterator[T]:
    """Yields the parts as long as the tick goes on. Raises TickOver."""
    for part in parts:
        check_wanted(exchange)
        yield part


def check_wanted(exchange: str) -> None:
    """Raises TickOver when the tick of the directory has ended."""
    if not Path(exchange).is_dir():
        raise TickOver(f"{exchange} is gone")


def sound(
    schema: pa.Schema, error_column: str | None, batches: Iterable[pa.RecordBatch], errors: list[pa.Table]
) -> Iterator[pa.Table]:
    """Yields the rows that are no errors, many at a time; adds the others to `errors`."""
    held: list[pa.RecordBatch] = []
    count = size = 0
    for batch in batches:
        if error_column is not None:
            error = batch.column(error_column)
            if error.null_count < batch.num_rows:
                failed = batch.filter(pc.is_valid(error)).select([error_column, TIME_COLUMN, DIFF_COLUMN])
                errors.append(consolidate(pa.Table.from_batches([failed])))
                batch = batch.filter(pc.is_null(error))
        held.append(batch.select(schema.names))
        count += batch.num_rows
        size += batch.nbytes
        if count >= _INSERT_ROWS or size >= _INSERT_BYTES:
            yield pa.Table.from_batches(held).combine_chunks().cast(schema)
            held, count, size = [], 0, 0
    if count:
        yield pa.Table.from_batches(held).combine_chunks().cast(schema)


def of_partition(batch: pa.RecordBatch, partitions: int, partition: int) -> pa.RecordBatch:
    """Returns the rows whose hash is of the partition."""
    hashes = batch.column(HASH_COLUMN)
    if hashes.null_count:
        # An error may have no hash; any one partition will do.
        hashes = hashes.fill_null(0)
    own = partition_of(ints(hashes), partitions) == partition
    return batch if own.all() else batch.filter(pa.array(own))


def encoded_errors(errors: list[pa.Table]) -> bytes | None:
    """Returns errors as a stream of Arrow's; None without any."""
    if not errors:
        return None
    table = consolidate(pa.concat_tables(errors))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
