"""What fails on Spark reaches the client with PostgreSQL's code, and names what it concerns."""

from __future__ import annotations

import pytest

from compute.replica.running.failures import failure_of
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_PARTS = {"/data/part/u1/1-a.parquet": "part part/u1/1-a.parquet of shard u1"}


@pytest.mark.parametrize(
    ("error", "sqlstate", "message"),
    [
        (SqlError(Sqlstate.DIVISION_BY_ZERO, "division by zero"), "22012", "division by zero"),
        (RecursionError(), "54001", "stack depth limit exceeded"),
        (
            Exception("Traceback\nRecursionError: maximum recursion depth exceeded"),
            "54001",
            "stack depth limit exceeded",
        ),
        (
            Exception("Traceback\nmodel.errors.sql_error.SqlError: stack depth limit exceeded"),
            "54001",
            "stack depth limit exceeded",
        ),
        (Exception("java.lang.OutOfMemoryError: Java heap space"), "53200", "out of memory"),
        (
            Exception("file:/data/part/u1/1-a.parquet: CRC checksum verification failed"),
            "XX001",
            "part part/u1/1-a.parquet of shard u1 is corrupt",
        ),
        (
            Exception("[FAILED_READ_FILE.FILE_NOT_EXIST] file:///data/part/u1/1-a.parquet"),
            "58030",
            "part part/u1/1-a.parquet of shard u1 is missing",
        ),
        (
            Exception("[FAILED_READ_FILE] file:///data/part/u1/1-a.parquet\nCaused by: java.lang.OutOfMemoryError"),
            "53200",
            "out of memory",
        ),
        (Exception("No space left on device"), "53100", None),
        (KeyError("x"), "XX000", "the query failed on Spark"),
    ],
)
def test_a_failure_has_its_code(error: Exception, sqlstate: str, message: str | None) -> None:
    failure = failure_of(error, _PARTS)
    assert failure.sqlstate == sqlstate
    assert message is None or failure.message == message


def test_what_is_known_comes_without_the_trace_of_java_s_calls() -> None:
    trace = (
        "An error occurred while calling o42.collect.\n"
        ": org.apache.spark.SparkException: Job aborted\n"
        "\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:1)\n"
        "Caused by: java.io.IOException: No space left on device\n"
        "\tat java.base/java.io.FileOutputStream.writeBytes(Native Method)\n"
    )
    assert failure_of(Exception(trace), {}).detail == "Caused by: java.io.IOException: No space left on device"
