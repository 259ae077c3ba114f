"""Arrow tables as DataFrames."""

from __future__ import annotations

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType


def frame_of(session: SparkSession, table: pa.Table, schema: StructType) -> DataFrame:
    """Returns the table's rows as a DataFrame. A table without rows is replaced, since PySpark can't take nested
    columns without chunks."""
    return session.createDataFrame(table if table.num_rows else table.schema.empty_table(), schema)
