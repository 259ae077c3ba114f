"""The change of one collection in one tick, as Spark reads it: literal rows when they are few, else a file.

A query over literal rows is no job; a file is read by tasks, and need not fit in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from compute.spark.frames import frame_of
from compute.spark.schema import spark_fields

LITERAL_ROWS_MAX = 200_000
_FILE_NUMBERS = count()


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one collection. `frame` makes a DataFrame of the updates or versions in a session; `table` holds
    the rows when they are in this process."""

    rows: int
    frame: Callable[[SparkSession], DataFrame]
    table: pa.Table | None = None


def literal_change(table: pa.Table) -> Change:
    """Returns a change whose rows become part of the query."""
    return Change(table.num_rows, lambda session: frame_of(session, table, spark_fields(table.schema)), table)


def filed_change(rows: int, path: Path, schema: pa.Schema) -> Change:
    """Returns a change whose rows lie in a Parquet file that Spark's executors can read."""
    return Change(rows, lambda session: session.read.schema(spark_fields(schema)).parquet(str(path)))


def gathered_change(chunks: Iterable[pa.Table], schema: pa.Schema, directory: Path) -> Change:
    """Gathers chunks into one change; too many rows go to a file in the directory."""
    held: list[pa.Table] = []
    rows = 0
    writer: pq.ParquetWriter | None = None
    path = directory / f"change-{next(_FILE_NUMBERS)}.parquet"
    try:
        for chunk in chunks:
            rows += chunk.num_rows
            held.append(chunk.select(schema.names).cast(schema))
            if rows > LITERAL_ROWS_MAX:
                writer = writer or pq.ParquetWriter(path, schema, compression="lz4")
                for each in held:
                    writer.write_table(each)
                held.clear()
    finally:
        if writer is not None:
            writer.close()
    if writer is not None:
        return filed_change(rows, path, schema)
    return literal_change(pa.concat_tables([schema.empty_table(), *held]))
