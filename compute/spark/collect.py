"""The rows of a DataFrame as Arrow record batches, as they come.

Two ways. A plan that the optimizer has already turned into literal rows needs no Spark job: its rows are encoded in
the driver. Any other plan runs as a job whose partitions the driver writes to a socket as they finish.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
from pyspark.errors.exceptions.captured import unwrap_spark_exception
from pyspark.serializers import read_int
from pyspark.sql import DataFrame
from pyspark.util import _create_local_socket

_LITERAL_PLAN = "LocalTableScan"
_BATCH_ROWS = 16_384
_BATCH_BYTES = 4 << 20


def collect_batches(frame: DataFrame, take: Callable[[pa.RecordBatch], None]) -> Sequence[int] | None:
    """Runs the plan, gives `take` each batch, and returns their right order, by number; None: as they came.

    PySpark's exceptions when the job fails or is cancelled. What `take` raises ends the job's result early; the
    caller cancels the job.
    """
    plan = _executed_plan(frame)
    if plan.nodeName() == _LITERAL_PLAN:
        _encode_literals(frame, plan, take)
        return None
    return _run_job(frame, take)


def _executed_plan(frame: DataFrame) -> Any:
    with unwrap_spark_exception():
        return frame._jdf.queryExecution().executedPlan()


def _encode_literals(frame: DataFrame, plan: Any, take: Callable[[pa.RecordBatch], None]) -> None:
    jvm: Any = frame.sparkSession._jvm
    converters = getattr(getattr(jvm.org.apache.spark.sql.execution.arrow, "ArrowConverters$"), "MODULE$")
    with unwrap_spark_exception():
        streams = converters.toBatchWithSchemaIterator(
            plan.rows().iterator(), plan.schema(), _BATCH_ROWS, _BATCH_BYTES, "UTC", True, False
        )
        while streams.hasNext():
            with pa.ipc.open_stream(streams.next()) as reader:
                for batch in reader:
                    take(batch)


def _run_job(frame: DataFrame, take: Callable[[pa.RecordBatch], None]) -> list[int]:
    with unwrap_spark_exception():
        port, secret, server = frame._jdf.collectAsArrowToPython()
    file, socket = _create_local_socket((port, secret))
    try:
        with pa.ipc.open_stream(file) as reader:
            for batch in reader:
                take(batch)
        count = read_int(file)  # type: ignore[no-untyped-call]
        order = [read_int(file) for _ in range(count)] if count >= 0 else []  # type: ignore[no-untyped-call]
    except (EOFError, pa.ArrowInvalid):
        count, order = -1, []
    finally:
        file.close()
        socket.close()
    with unwrap_spark_exception():
        server.getResult()  # raises what the job failed with
    if count < 0:
        raise RuntimeError("Spark ended its answer early")
    return order
