"""An answer of any size passes through a heap of any size; one that can't be computed fails alone."""

from __future__ import annotations

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from compute.replica.failures import failure_of
from compute.spark.collect import collect_batches
from compute.spark.session import Profile, profile_sessions
from model.sqlstate import Sqlstate

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
