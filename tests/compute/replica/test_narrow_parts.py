"""Spark reads what was written before a column became wide as the rest of Headwater does, byte for byte."""

from __future__ import annotations

import decimal
import random

import pytest
from pyspark.sql import SparkSession

from compute.replica.contents.narrow_parts import conformed_frame
from compute.spark.frames import frame_of
from compute.spark.schema import spark_schema
from model.physical.columns import rows_to_arrow
from model.physical.conforming import conformed
from tests.model.test_conforming import AFTER, BEFORE, shown

pytestmark = pytest.mark.spark

_EDGES = (
    "0",
    "1",
    "-1",
    "10",
    "100",
    "0.1",
    "-0.000000000000000001",
    "99999999999999999999",
    "-12345678901234567890.5",
)


def test_spark_conforms_rows_as_arrow_does(spark: SparkSession) -> None:
    rng = random.Random(7)
    numbers = [decimal.Decimal(each) for each in _EDGES]
    numbers += [decimal.Decimal(rng.randint(-(10**38), 10**38)).scaleb(-18) for _ in range(200)]
    numbers += [decimal.Decimal(rng.randint(-(10**5), 10**5)).scaleb(-rng.randint(0, 6)) for _ in range(200)]
    rows = [shown(None, None), *(shown(each, rng.choice((None, 0, 2, 18, 25))) for each in numbers)]
    stored = rows_to_arrow(rows, BEFORE)
    lacking = frame_of(spark, conformed(stored, BEFORE), spark_schema(BEFORE)).selectExpr(
        "*", "CAST(NULL AS BINARY) c3"
    )
    expected = conformed(stored, AFTER).to_pylist()
    assert [row.asDict() for row in conformed_frame(lacking, AFTER).collect()] == expected
    assert [
        row.asDict()
        for row in conformed_frame(frame_of(spark, conformed(stored, AFTER), spark_schema(AFTER)), AFTER).collect()
    ] == expected
