"""Runs the tasks of wide steps as jobs of Spark.

    segment ─ job of Java alone ─▶ files of rows ─ job of P tasks of Python ─▶ names and counts

Each task reads all files, and keeps the rows of its partition: to look at a hash costs some nanoseconds, while a
shuffle, and Java's way of handing rows to Python, cost more than a microsecond a row.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import assert_never

import msgspec
import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.types import BinaryType, StructField, StructType

from compute.arrangement.partition import PARTITIONS_MAX
from compute.executors.export_task import ExportTask
from compute.executors.read_task import ReadTask
from compute.executors.step_task import StepTask
from compute.executors.task_done import StepDone, decode_done, encode_done
from compute.executors.task_pool import Task, run_task
from compute.maintain.queries import Queries
from compute.maintain.wide import SegmentRows
from compute.spark.collect import collect_batches, collect_files, filed_batches
from compute.spark.in_arrow import map_in_arrow
from compute.spark.session import Profile

_ANSWER = StructType([StructField("done", BinaryType())])


class SparkPool:
    """Runs tasks over the queries of one dataflow, at most `at_once` of them at a time, so that others' short jobs find
    slots of Spark's free. Raises PySpark's exceptions, OSError, CorruptFile.

    Steps are chosen to be wide by the rows that they read. Where few bytes are left of those, this process does all the
    work.
    """

    def __init__(
        self,
        sessions: Mapping[Profile, SparkSession],
        queries: Queries,
        at_once: Callable[[], int] = lambda: PARTITIONS_MAX,
    ) -> None:
        self._sessions = sessions
        self._queries = queries
        self._at_once = at_once

    def run(self, task: Task, rows: SegmentRows | None) -> list[StepDone]:
        directory = Path(tempfile.mkdtemp(prefix="rows-", dir=task.exchange))
        try:
            paths: list[Path] = []
            if rows is not None:
                paths = collect_files(self._queries.frame(rows.query, rows.profile, rows.changes), directory)
            if _bytes(task, paths) <= task.few_bytes:
                batches = list(filed_batches(paths))
                here = (run_task(task, partition, batches) for partition in range(task.partitions))
                return [msgspec.structs.replace(done, in_task=False) for done in here]
            return self._by_tasks(task, paths)
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def _by_tasks(self, task: Task, paths: Sequence[Path]) -> list[StepDone]:
        def work(numbers: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            # Spark ends the process of a task that leaves some of its input, and the next task begins with another.
            partitions = [each for batch in numbers for each in batch.column(0).to_pylist()]
            for partition in partitions:
                done = run_task(task, partition, filed_batches(paths))
                yield pa.record_batch([pa.array([encode_done(done)], pa.binary())], names=["done"])

        at_once = self._at_once()
        if isinstance(task, StepTask) and task.merges:
            # Nobody waits for them, and ticks go on meanwhile.
            at_once = max(1, at_once // 2)
        at_once = min(task.partitions, at_once)
        tasks = self._sessions[Profile.LARGE].range(0, task.partitions, 1, at_once)
        answers: list[pa.RecordBatch] = []
        collect_batches(map_in_arrow(tasks, work, _ANSWER), answers.append)
        return [decode_done(data) for batch in answers for data in batch.column(0).to_pylist()]


def _bytes(task: Task, paths: Sequence[Path]) -> int:
    """Returns how many bytes of changes, and of what is to be merged, the attempts at all partitions read together."""
    coming = sum(path.stat().st_size for path in paths)
    match task:
        case StepTask():
            known = sum(file.bytes for each in task.files for file in each.files if file is not None)
            return known + coming + sum(each.bytes for each in task.merges)
        case ReadTask():
            read = {file.name: file.bytes for partition in task.batches for batch in partition for file in batch}
            return sum(read.values())
        case ExportTask():
            return coming
        case _:
            assert_never(task)
