"""The change of one collection in one tick, as Spark reads it: literal rows when they are few, else a file.

A query over literal rows is no job; a file is read by tasks, and need not fit in memory.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from compute.spark.frames import LITERAL_BYTES_MAX, frame_of, is_literal
from compute.spark.row_files import write_rows
from compute.spark.schema import spark_fields

LITERAL_ROWS_MAX = 200_000
_FILE_NUMBERS = count()


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Change:
    """The change of one collection. `frame` makes a DataFrame of the updates or versions in a session; `table` holds
    the rows when they are in this process, and few enough to become part of a query."""

    rows: int
    frame: Callable[[SparkSession], DataFrame]
    table: pa.Table | None = None


def literal_change(table: pa.Table) -> Change:
    """Returns a change whose rows become part of the query."""
    return Change(table.num_rows, lambda session: frame_of(session, table, spark_fields(table.schema)), table)


def filed_change(rows: int, paths: Sequence[Path], schema: pa.Schema) -> Change:
    """Returns a change whose rows lie in Parquet files that Spark's executors can read."""
    return Change(rows, lambda session: session.read.schema(spark_fields(schema)).parquet(*map(str, paths)))


def local_change(table: pa.Table, directory: Path) -> Change:
    """Makes a change of a table of rows. A large table is written to a file in the directory, which is removed together
    with the change. Raises OSError when the file can't be written."""
    if is_literal(table):
        return literal_change(table)
    path = _new_file(directory)
    try:
        write_rows(path, [table], table.schema)
    except BaseException:
        _remove(path)
        raise
    change = filed_change(table.num_rows, [path], table.schema)
    weakref.finalize(change, _remove, path)
    return change


def gathered_change(chunks: Iterable[pa.Table], schema: pa.Schema, directory: Path) -> Change:
    """Gathers chunks into one change; a large change is written to a file in the directory. Raises OSError when the
    file can't be written."""
    held: list[pa.Table] = []
    rows = bytes_ = 0
    given = (chunk.select(schema.names).cast(schema) for chunk in chunks)
    for chunk in given:
        held.append(chunk)
        rows += chunk.num_rows
        bytes_ += chunk.nbytes
        if rows > LITERAL_ROWS_MAX or bytes_ > LITERAL_BYTES_MAX:
            return _written(chain(_handed(held), given), schema, _new_file(directory))
    return literal_change(pa.concat_tables([schema.empty_table(), *held]))


def few_rows(rows: int, paths: Sequence[Path], schema: pa.Schema) -> pa.Table | None:
    """Returns the rows of Parquet files, so many together, if they are few enough to become part of a query. Raises
    OSError."""
    if rows > LITERAL_ROWS_MAX:
        return None
    held: list[pa.Table] = []
    bytes_ = 0
    for path in paths:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches():
                held.append(pa.Table.from_batches([batch]).select(schema.names).cast(schema))
                bytes_ += batch.nbytes
                if bytes_ > LITERAL_BYTES_MAX:
                    return None
    return pa.concat_tables([schema.empty_table(), *held])


def _written(chunks: Iterable[pa.Table], schema: pa.Schema, path: Path) -> Change:
    rows = 0

    def counted() -> Iterable[pa.Table]:
        nonlocal rows
        for chunk in chunks:
            rows += chunk.num_rows
            yield chunk

    write_rows(path, counted(), schema)
    return filed_change(rows, [path], schema)


def _handed(held: list[pa.Table]) -> Iterable[pa.Table]:
    """Yields each table, and holds it no longer then."""
    while held:
        yield held.pop(0)


def _new_file(directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    return directory / f"change-{next(_FILE_NUMBERS)}.parquet"


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
