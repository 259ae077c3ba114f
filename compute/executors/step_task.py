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
from typing import TypeVar

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.arrangement import CHUNK_ROWS, Arrangement
from compute.arrangement.batch import ArrangementBatch, BatchFile
from compute.arrangement.checkpoint import local_store
from compute.arrangement.equality import ints
from compute.arrangement.layout import HASH_COLUMN, Layout
from compute.arrangement.merge import Merge
from compute.arrangement.partition import hashes_of, partition_of
from compute.arrangement.stores import BatchPlace, BatchStore, open_batch
from compute.executors.own_code import check_code, own_code
from compute.kernels.by_partition import PartitionWork
from compute.kernels.rares import RareColumn, rare_layout, rare_rows
from compute.spark.row_files import write_rows
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN
from model.time.clock import SystemRandomness
from model.updates.consolidate import consolidate

_INSERT_ROWS = 1 << 16
"""Spark gives its rows in small batches, each of which would cost some calls."""
_INSERT_BYTES = 8 << 20
"""Rows of so many bytes are not held for more to come."""


class TickOver(Exception):
    """The tick of an attempt has ended without it: nobody waits for an answer."""


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


class StepDone(msgspec.Struct, frozen=True):
    """The result of one attempt. All of it is small but `errors`: a stream of Arrow's with err, time, diff.

    `files`: by name the file of each arrangement that has got rows.
    `seconds`: its processor time. `in_task`: a task has made the attempt, and not the process that wants it made.
    `rows_in`, `rows_read`, `rows_out`: rows sorted, read by the kernel, and put out, to the file `output`.
    """

    partition: int
    files: dict[str, BatchFile]
    rows_in: int
    rows_read: int
    rows_out: int
    output: str | None
    errors: bytes | None
    seconds: float
    in_task: bool = True


def encode_done(done: StepDone) -> bytes:
    return msgspec.msgpack.encode(done)


def decode_done(data: bytes) -> StepDone:
    return msgspec.msgpack.decode(data, type=StepDone)


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
        _check_wanted(task.exchange)
    except BaseException:
        task.place.remove(attempt)
        _output_path(task.exchange, attempt).unlink(missing_ok=True)
        raise
    return done


T = TypeVar("T")


def _while_wanted(exchange: str, parts: Iterable[T]) -> Iterator[T]:
    """Yields the parts as long as the tick goes on. Raises TickOver."""
    for part in parts:
        _check_wanted(exchange)
        yield part


def _check_wanted(exchange: str) -> None:
    if not Path(exchange).is_dir():
        raise TickOver(f"{exchange} is gone")


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
        wanted = _while_wanted(task.exchange, batches)
        own = (_of_partition(batch, task.partitions, partition) for batch in wanted)
        rows_in, written = _sorted(task.rows, _sound(task.rows, own, errors), store, task.exchange)
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
    return StepDone(partition, files, rows_in, rows_read, rows_out, output, _encoded(errors), seconds)


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
        _check_wanted(exchange)
        batch = work.advance(CHUNK_ROWS)
        if batch is not None:
            return batch


def _layouts(rows: TaskRows) -> dict[str, Layout]:
    own = {rows.name: rows.layout}
    return {**own, rows.rares_name: rare_layout(rows.layout)} if rows.rares else own


def _sound(rows: TaskRows, batches: Iterable[pa.RecordBatch], errors: list[pa.Table]) -> Iterator[pa.Table]:
    """Yields the rows that are no errors, many at a time."""
    held: list[pa.RecordBatch] = []
    count = size = 0
    for batch in batches:
        if rows.error_column is not None:
            error = batch.column(rows.error_column)
            if error.null_count < batch.num_rows:
                failed = batch.filter(pc.is_valid(error)).select([rows.error_column, TIME_COLUMN, DIFF_COLUMN])
                errors.append(consolidate(pa.Table.from_batches([failed])))
                batch = batch.filter(pc.is_null(error))
        held.append(batch.select(rows.schema.names))
        count += batch.num_rows
        size += batch.nbytes
        if count >= _INSERT_ROWS or size >= _INSERT_BYTES:
            yield pa.Table.from_batches(held).combine_chunks().cast(rows.schema)
            held, count, size = [], 0, 0
    if count:
        yield pa.Table.from_batches(held).combine_chunks().cast(rows.schema)


def _of_partition(batch: pa.RecordBatch, partitions: int, partition: int) -> pa.RecordBatch:
    hashes = batch.column(HASH_COLUMN)
    if hashes.null_count:
        # An error may have no hash; any one partition will do.
        hashes = hashes.fill_null(0)
    own = partition_of(ints(hashes), partitions) == partition
    return batch if own.all() else batch.filter(pa.array(own))


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
    made = _while_wanted(exchange, kernel.work.changes(changes, kernel.lower))
    chunks = (chunk.select(names).cast(kernel.schema) for chunk in made)
    first = next(chunks, None)
    if first is None:
        return 0, None
    path = _output_path(exchange, attempt)
    write_rows(path, counted(chain((first,), chunks)), kernel.schema)
    return rows, str(path)


def _output_path(exchange: str, attempt: str) -> Path:
    return Path(exchange) / f"{attempt}.parquet"


def _encoded(errors: list[pa.Table]) -> bytes | None:
    if not errors:
        return None
    table = consolidate(pa.concat_tables(errors))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
