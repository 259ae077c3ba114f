"""An answer of any size passes through a heap of any size; one that can't be computed fails alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.pandas.functions import arrow_udf

from compute.replica.running.failures import failure_of
from compute.spark.collect import collect_batches
from compute.spark.session import Profile, profile_sessions
from model.errors.sqlstate import Sqlstate

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_HEAP_BYTES = 1 << 30


@pytest.mark.parametrize("profile", [Profile.SMALL, Profile.HUGE])
def test_an_answer_larger_than_the_heap_comes_in_order(spark: SparkSession, profile: Profile) -> None:
    width, rows = 1_000, 1_200_000
    session = profile_sessions(spark)[profile]
    next_, largest, total = 0, 0, 0

    def take(batch: pa.RecordBatch) -> None:
        nonlocal next_, largest, total
        numbers = batch.column(0).to_numpy()
        assert numbers[0] == next_ and (numbers[1:] == numbers[:-1] + 1).all()
        next_ += batch.num_rows
        largest, total = max(largest, batch.nbytes), total + batch.nbytes

    collect_batches(session.sql(f"SELECT id AS c0, repeat('x', {width}) AS c1 FROM range(0, {rows})"), take)
    assert next_ == rows and total > _HEAP_BYTES and largest < 32 << 20


def test_what_python_is_asked_of_takes_the_memory_of_some_batches(spark: SparkSession, tmp_path: Path) -> None:
    """As many rows as Spark sends to Python at once are larger than the heap, when a file's columns come by batches."""
    width, rows = 100_000, 16_384
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), ["x" * width])
    pq.write_table(pa.table({"c0": texts}), tmp_path / "texts.parquet")
    session = profile_sessions(spark)[Profile.LARGE]
    make: Any = arrow_udf
    session.udf.register("length_here", make(_length_here, "long"))
    session.read.schema("c0 string").parquet(str(tmp_path / "texts.parquet")).createOrReplaceTempView("texts")
    answer: list[pa.RecordBatch] = []
    collect_batches(session.sql("SELECT sum(length_here(c0 || 'y')) AS c0 FROM texts"), answer.append)
    assert [batch.column(0).to_pylist() for batch in answer] == [[(width + 1) * rows]]
    assert width * rows > _HEAP_BYTES


def _length_here(texts: pa.Array) -> pa.Array:
    return pc.utf8_length(texts).cast(pa.int64())


def test_what_exceeds_memory_fails_alone(spark: SparkSession) -> None:
    session = profile_sessions(spark)[Profile.LARGE]
    many = session.sql("SELECT collect_list(repeat(CAST(id AS STRING), 200000)) AS c0 FROM range(0, 1000)")
    batches: list[pa.RecordBatch] = []
    for _ in range(2):
        with pytest.raises(Exception, match="OutOfMemoryError") as raised:
            collect_batches(many, batches.append)
        assert failure_of(raised.value, {}).sqlstate == Sqlstate.OUT_OF_MEMORY.value
        collect_batches(session.sql("SELECT sum(id) AS c0 FROM range(0, 1000)"), batches.append)
    assert [batch.column(0).to_pylist() for batch in batches] == [[499500], [499500]]
