"""Arrow tables as DataFrames."""

from __future__ import annotations

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType


def frame_of(session: SparkSession, table: pa.Table, schema: StructType) -> DataFrame:
    """The table's rows. PySpark takes no nested column that has no chunks, which is what a filter leaves of no rows."""
    return session.createDataFrame(table if table.num_rows else table.schema.empty_table(), schema)
