"""The Spark schema of a collection: the columns of model/physical, by position, all nullable."""

from __future__ import annotations

import functools

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import LongType, StructField, StructType

from model.physical.columns import TIME_COLUMN, arrow_schema
from model.types.relation_desc import RelationDesc


@functools.lru_cache(maxsize=1024)
def spark_schema(desc: RelationDesc) -> StructType:
    """Returns columns c0, c1, … with Spark's types; timestamp is TIMESTAMP_NTZ."""
    return spark_fields(arrow_schema(desc))


@functools.lru_cache(maxsize=1024)
def spark_fields(schema: pa.Schema) -> StructType:
    """Returns the Spark fields of any Arrow schema."""
    return StructType(
        [StructField(field.name, from_arrow_type(field.type, prefer_timestamp_ntz=True)) for field in schema]
    )


def timed_schema(desc: RelationDesc) -> StructType:
    """Returns `spark_schema` with the column `time` added."""
    return StructType([*spark_schema(desc).fields, StructField(TIME_COLUMN, LongType(), nullable=True)])
