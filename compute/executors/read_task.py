"""The work of one task on a whole read: the rows that an arrangement has at a time, with the hashes of one partition.

files of batches ─▶ rows with hashes of the partition, as of a time, added up ─▶ one file that Spark's queries read
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from compute.arrangement.arrangement import CHUNK_ROWS
from compute.arrangement.batch import BatchFile
from compute.arrangement.layout import Layout
from compute.arrangement.partition import hashes_of
from compute.arrangement.stores import BatchPlace, open_batch
from compute.arrangement.stream import merged
from compute.executors.own_code import check_code, own_code
from compute.executors.task_done import StepDone
from compute.executors.task_rows import while_wanted
from compute.spark.row_files import write_rows
from model.time.clock import SystemRandomness


class TaskRead(Protocol):
    """A read of an arrangement, as plain data for a task."""

    @property
    def layout(self) -> Layout:
        """Returns the arrangement's layout."""
        ...

    @property
    def schema(self) -> pa.Schema:
        """Returns the columns of the result."""
        ...

    def rows(self, added_up: pa.RecordBatch) -> pa.Table:
        """Returns the result for a chunk of the arrangement's rows with diffs added up. Raises SqlError."""
        ...


@dataclass(frozen=True, slots=True)
class ReadTask:
    """The reads of one job's tasks, each of one of `partitions`, while the directory `exchange` exists; results go to
    the directory.

    `batches`: for each partition the files in `place` of each batch, as far as hashes of the partition may be in them.
    `code`: of the process that made the task.
    """

    token: str
    partitions: int
    place: BatchPlace
    exchange: str
    read: TaskRead
    as_of: int
    batches: tuple[tuple[tuple[BatchFile, ...], ...], ...]
    few_bytes: int = 0
    code: str = field(default_factory=own_code)


def run_read(task: ReadTask, partition: int) -> StepDone:
    """Makes one attempt at one partition. Raises TickOver, OtherCode, OSError, SqlError, and leaves nothing."""
    check_code(task.code)
    begun, rows = time.process_time(), 0
    attempt = f"{task.token}-{partition}-{SystemRandomness().token()}"
    path = Path(task.exchange) / f"{attempt}.parquet"
    layout, (least, greatest) = task.read.layout, hashes_of(partition, task.partitions)

    def read() -> Iterator[pa.Table]:
        nonlocal rows
        chunks = merged(batches, layout, task.as_of, CHUNK_ROWS, until=task.as_of + 1, between=(least, greatest + 1))
        for chunk in while_wanted(task.exchange, chunks):
            table = task.read.rows(chunk)
            rows += table.num_rows
            yield table

    try:
        with task.place.store(attempt) as store:
            batches = tuple(open_batch(store, layout, files) for files in task.batches[partition])
            write_rows(path, read(), task.read.schema)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    output = str(path) if rows else None
    return StepDone(partition, {}, 0, rows, rows, output, None, time.process_time() - begun)
