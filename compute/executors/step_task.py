"""The work of one task on one partition of hashes: sorts rows into files of batches, and runs a kernel over them.

    rows ─▶ sorted runs of bounded size ─▶ one file an arrangement ─▶ kernel ─▶ one file of the step's output

Or merges batches of arrangements, beside the ticks: their files ─▶ one file an arrangement.

What a task writes has names of its own, and counts for nothing until a manifest names it (batches), or the driver reads
it (outputs). So any number of attempts may be made at a task, one after the other or at once: one of them counts.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import pyarrow as pa

from compute.arrangement.arrangement import CHUNK_ROWS, Arrangement
from compute.arrangement.batch import ArrangementBatch, BatchFile
from compute.arrangement.checkpoint import local_store
from compute.arrangement.layout import Layout
from compute.arrangement.merge import Merge
from compute.arrangement.partition import hashes_of
from compute.arrangement.stores import BatchPlace, BatchStore, open_batch
from compute.executors.own_code import check_code, own_code
from compute.executors.task_done import StepDone
from compute.executors.task_rows import check_wanted, encoded_errors, of_partition, sound, while_wanted
from compute.kernels.by_partition import PartitionWork
from compute.kernels.rares import RareColumn, rare_layout, rare_rows
from compute.spark.row_files import write_rows
from model.time.clock import SystemRandomness


@dataclass(frozen=True, slots=True)
class TaskRows:
    """The rows that come to a task, and the arrangement that they are for. Rows with an `error_column` that is not
    NULL are errors."""

    name: str
    layout: Layout
    schema: pa.Schema
    error_column: str | None = None
    rares_name: str = ""
    rares: tuple[RareColumn, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskFiles:
    """An arrangement's change that tasks of an earlier job have sorted: a file for each partition, or None."""

    name: str
    layout: Layout
    files: tuple[BatchFile | None, ...]


@dataclass(frozen=True, slots=True)
class TaskState:
    """An arrangement's contents before the tick: for each partition the files of each batch that may have hashes of it.
    A file may be in several partitions, and hold hashes of others."""

    name: str
    batches: tuple[tuple[tuple[BatchFile, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class TaskMerge:
    """Batches of an arrangement to be merged into one: for each partition the files of each batch. Times below `since`
    are advanced to it, hashes below `dropped_below` left out."""

    name: str
    layout: Layout
    since: int | None
    dropped_below: int | None
    batches: tuple[tuple[tuple[BatchFile, ...], ...], ...]

    @property
    def bytes(self) -> int:
        """Returns the size of all files."""
        files = {file.name: file.bytes for partition in self.batches for batch in partition for file in batch}
        return sum(files.values())


@dataclass(frozen=True, slots=True)
class TaskKernel:
    """The kernel of a step, and the columns of its output."""

    work: PartitionWork
    schema: pa.Schema
    lower: int


@dataclass(frozen=True, slots=True)
class StepTask:
    """The work of one job's tasks, each on one of `partitions`. `token` begins the names of all that they write:
    batches go to `place`, the kernel's output to the directory `exchange`, which is there while the tick is.

    `files` are changes that are sorted already, `state` what the kernel finds of earlier ticks. `few_bytes`: fewer to
    be sorted or merged are not worth a process of their own. `code`: of the process that made it.
    """

    token: str
    partitions: int
    place: BatchPlace
    exchange: str
    rows: TaskRows | None
    files: tuple[TaskFiles, ...] = ()
    kernel: TaskKernel | None = None
    state: tuple[TaskState, ...] = ()
    few_bytes: int = 0
    merges: tuple[TaskMerge, ...] = ()
    code: str = field(default_factory=own_code)


def run_step(task: StepTask, partition: int, batches: Iterable[pa.RecordBatch]) -> StepDone:
    """Makes one attempt at one partition, whose rows are among those of `batches`.

    Raises TickOver, OtherCode, OSError, CorruptFile; then nothing of the attempt is left, as far as files can be
    removed.
    """
    check_code(task.code)
    attempt = f"{task.token}-{partition}-{SystemRandomness().token()}"
    try:
        with task.place.store(attempt) as store:
            done = _attempted(task, partition, batches, attempt, store)
        # Whoever ends a tick removes the directory first, and then the files that are there: these are too, or go here.
        check_wanted(task.exchange)
    except BaseException:
        task.place.remove(attempt)
        _output_path(task.exchange, attempt).unlink(missing_ok=True)
        raise
    return done


def _attempted(
    task: StepTask, partition: int, batches: Iterable[pa.RecordBatch], attempt: str, store: BatchStore
) -> StepDone:
    begun = time.process_time()
    sorted_batches: dict[str, tuple[Layout, ArrangementBatch]] = {}
    for known in task.files:
        file = known.files[partition]
        if file is not None:
            sorted_batches[known.name] = known.layout, open_batch(store, known.layout, [file])
        else:
            sorted_batches[known.name] = known.layout, ArrangementBatch.of(())
    files: dict[str, BatchFile] = {}
    errors: list[pa.Table] = []
    rows_in = 0
    if task.rows is not None:
        wanted = while_wanted(task.exchange, batches)
        own = (of_partition(batch, task.partitions, partition) for batch in wanted)
        tables = sound(task.rows.schema, task.rows.error_column, own, errors)
        rows_in, written = _sorted(task.rows, tables, store, task.exchange)
        sorted_batches |= written
        files = {name: file for name, (_, batch) in written.items() for file in batch.files}
    for merge in task.merges:
        merged = _merged(merge, task.partitions, partition, store, task.exchange)
        if merged.files:
            (files[merge.name],) = merged.files
    before = {each.name: each.batches[partition] for each in task.state}
    changes: dict[str, Arrangement] = {}
    for name, (layout, batch) in sorted_batches.items():
        sealed = tuple(open_batch(store, layout, each) for each in before.get(name, ()))
        changes[name] = Arrangement(layout, None, sealed)
        changes[name].adopt(batch)
    rows_out, output = (0, None) if task.kernel is None else _put_out(task.kernel, changes, task.exchange, attempt)
    rows_read = sum(each.rows_read for each in changes.values())
    seconds = time.process_time() - begun
    return StepDone(partition, files, rows_in, rows_read, rows_out, output, encoded_errors(errors), seconds)


def _sorted(
    rows: TaskRows, tables: Iterable[pa.Table], store: BatchStore, exchange: str
) -> tuple[int, dict[str, tuple[Layout, ArrangementBatch]]]:
    """Writes the rows of each arrangement to one file; returns the number of all rows, and the files as batches."""
    rows_in = 0
    with tempfile.TemporaryDirectory(prefix="runs-", dir=exchange) as directory:
        runs = local_store(Path(directory))
        sorting = {name: runs.arrangement(layout, bounded=True) for name, layout in _layouts(rows).items()}
        for table in tables:
            rows_in += table.num_rows
            if rows.rares:
                sorting[rows.rares_name].insert(rare_rows(table, rows.layout, rows.rares))
            sorting[rows.name].insert(table.select(rows.layout.schema.names))
        return rows_in, {name: (each.layout, each.write_changes(store)) for name, each in sorting.items()}


def _merged(merge: TaskMerge, partitions: int, partition: int, store: BatchStore, exchange: str) -> ArrangementBatch:
    """Writes what the batches have in the partition to one file; without any updates left, to none."""
    inputs = tuple(open_batch(store, merge.layout, files) for files in merge.batches[partition])
    hashes = hashes_of(partition, partitions)
    work = Merge(inputs, merge.layout, merge.since, merge.dropped_below, store, CHUNK_ROWS, hashes=hashes)
    while True:
        check_wanted(exchange)
        batch = work.advance(CHUNK_ROWS)
        if batch is not None:
            return batch


def _layouts(rows: TaskRows) -> dict[str, Layout]:
    own = {rows.name: rows.layout}
    return {**own, rows.rares_name: rare_layout(rows.layout)} if rows.rares else own


def _put_out(
    kernel: TaskKernel, changes: Mapping[str, Arrangement], exchange: str, attempt: str
) -> tuple[int, str | None]:
    """Writes the kernel's output to a file, if there is any; returns its rows and its path."""
    rows = 0

    def counted(chunks: Iterable[pa.Table]) -> Iterator[pa.Table]:
        nonlocal rows
        for chunk in chunks:
            rows += chunk.num_rows
            yield chunk

    names = kernel.schema.names
    made = while_wanted(exchange, kernel.work.changes(changes, kernel.lower))
    chunks = (chunk.select(names).cast(kernel.schema) for chunk in made)
    first = next(chunks, None)
    if first is None:
        return 0, None
    path = _output_path(exchange, attempt)
    write_rows(path, counted(chain((first,), chunks)), kernel.schema)
    return rows, str(path)


def _output_path(exchange: str, attempt: str) -> Path:
    return Path(exchange) / f"{attempt}.parquet"
