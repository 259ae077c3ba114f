"""Runs one peek from end to end: the shards' state, their contents, the plan, its rows, in chunks as the client takes
them.

Repeated work is kept: a shard's state and contents, the DataFrame of an input, and the whole plan of a statement over
unchanged inputs. A plan in use is taken out of the cache, because a stopped statement may leave it unusable.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession

from compute.protocol.command import Peek
from compute.protocol.dataflow import Import
from compute.protocol.measures import OperatorMeasure
from compute.protocol.vocabulary import CODEC
from compute.replica.contents.fallible import ERROR_COLUMN, stored_error_column
from compute.replica.contents.inputs import input_frame
from compute.replica.contents.kept_contents import KeptContents
from compute.replica.contents.narrowing import bounds_of, narrowed, worth_narrowing
from compute.replica.contents.own_contents import with_own
from compute.replica.contents.part_ranges import PartRanges
from compute.replica.contents.parts import PartFiles
from compute.replica.contents.shard_contents import Contents, contents_key, expand, expanded_size, read_contents
from compute.replica.peeks.arranged import ArrangedInputs, ArrangedRows
from compute.replica.peeks.pieces import in_pieces, is_seen
from compute.replica.peeks.prepared_peeks import HELD_MAX, HeldRows, PreparedPeeks, Preparer
from compute.replica.running.cache import RecentlyUsed
from compute.replica.running.supervision import PlanningTooLong, SparkWork
from compute.replica.running.worker import SparkWorker, Stopped
from compute.spark.collect import collect_batches
from compute.spark.operators import frame_operators
from compute.spark.session import Profile
from compute.spark.spool import Spool
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.clock import Clock
from model.time.timestamp import Timestamp
from planner.ir.relation import (
    Constant,
    Filter,
    Finishing,
    FlatMap,
    Get,
    Let,
    LocalGet,
    Map,
    Negate,
    Project,
    Relation,
    Union,
)
from planner.ir.visit import walk_relation
from storage.persist.location import Blob, Consensus
from storage.persist.retry import retried
from storage.persist.snapshot import INLINE, Snapshot, empty_snapshot, read_state, snapshot
from storage.persist.state import Part, ShardState
from storage.source_progress import counted_snapshot

SMALL_ROWS_MAX = 50_000
SMALL_BYTES_MAX = 16 << 20
LARGE_BYTES_MAX = 128 << 20
_STATES_MAX = 1_024
_CONTENTS_MAX = 32
_CONTENTS_BYTES_MAX = 256 << 20
_FRAMES_MAX = 64
_PLANS_MAX = 32
# Literal rows weigh some 200 bytes each in Java's heap.
_LITERAL_ROWS_MAX = 500_000


class Failing(Protocol):
    """A plan for the finishing's columns c0 … (one column `z` without any), and its errors.

    A `fallible` plan has a last column `err`: rows where it is not NULL are failures, not rows.
    """

    @property
    def fallible(self) -> bool: ...

    def raise_for(self, batch: pa.RecordBatch) -> None:
        """Raises the least SqlError of a batch's rows; nothing when all of them are rows of the answer."""
        ...


class RenderedQuery(Failing, Protocol):
    """A plan as a DataFrame."""

    @property
    def dataframe(self) -> DataFrame: ...


class Renderer(Protocol):
    """Makes a DataFrame of a plan; `inputs` have columns c0, c1, …, each row as often as the collection holds it."""

    def __call__(
        self,
        spark: SparkSession,
        relation: Relation,
        finishing: Finishing,
        inputs: Mapping[GlobalId, DataFrame],
    ) -> RenderedQuery: ...


@dataclass(frozen=True, slots=True)
class Rendering:
    """The two ways to run a plan: as a job, and prepared."""

    render: Renderer
    prepare: Preparer


@dataclass(frozen=True, slots=True)
class PeekInput:
    """A collection as one peek reads it; `paths` are its parts' files, by key. Its errors are in `error_column`."""

    id: GlobalId
    snapshot: Snapshot
    contents: Contents
    paths: Mapping[str, str]
    key: Hashable
    error_column: str | None


@dataclass(slots=True)
class PeekAnswer:
    """The answer to a peek.

    spool       the rows
    spark_ms    milliseconds spent in Spark
    operators   what Spark's operators did; empty unless the peek was traced
    parts       what each file read is ("part … of shard …"), by its path
    """

    spool: Spool
    spark_ms: float = 0.0
    operators: tuple[OperatorMeasure, ...] = ()
    parts: dict[str, str] = field(default_factory=dict)


class Peeks:
    """Answers peeks over the shards of one instance. `directory` takes copies of remote parts."""

    def __init__(
        self,
        worker: SparkWorker,
        rendering: Rendering,
        consensus: Consensus,
        blob: Blob,
        arranged: ArrangedInputs,
        directory: Path,
        clock: Clock,
    ) -> None:
        self._worker = worker
        self._render = rendering.render
        self._prepared = PreparedPeeks(rendering.prepare, directory)
        self._consensus = consensus
        self._blob = blob
        self._arranged = arranged
        self._clock = clock
        self._files = PartFiles(blob, directory / "parts")
        self._ranges = PartRanges()
        self._states: RecentlyUsed[ShardState] = RecentlyUsed(_STATES_MAX)
        self._kept = KeptContents(blob)
        self._contents: RecentlyUsed[Contents] = RecentlyUsed(_CONTENTS_MAX, _CONTENTS_BYTES_MAX)
        self._frames: RecentlyUsed[DataFrame] = RecentlyUsed(_FRAMES_MAX, _LITERAL_ROWS_MAX)
        self._plans: RecentlyUsed[RenderedQuery] = RecentlyUsed(_PLANS_MAX, _LITERAL_ROWS_MAX)

    async def fill(self, tag: str, peek: Peek, answer: PeekAnswer, given_up: asyncio.Future[PlanningTooLong]) -> None:
        """Fills the empty `answer` with the peek's rows. Raises SqlError, or PySpark's exceptions.

        After a cancellation, the work ends first, and so it does after too long planning, which `given_up` reports
        before.
        """
        snapshots = [(item, *await self._snapshot(item, peek.as_of)) for item in peek.imports]
        arranged = [await self._arranged.rows(item, peek.as_of) for item in peek.indexes]
        stored = [await self._narrowed(await self._input(*each), peek.relation) for each in snapshots]
        profile = _profile(stored, arranged)
        for each in stored:
            for key, path in each.paths.items():
                answer.parts[path] = f"part {key} of shard {each.snapshot.shard}"

        def work(session: SparkSession, stop: threading.Event) -> None:
            self._run(session, stop, peek, profile, (*stored, *arranged), answer)

        subject = f"statement {peek.uuid}"
        alike = CODEC.encode((peek.relation, peek.finishing))
        await self._worker.run(SparkWork(tag, subject, alike, gave_up=given_up.set_result), profile, work)

    async def _snapshot(self, item: Import, as_of: Timestamp) -> tuple[Snapshot, ShardState | None]:
        """Returns what an import reads, and the state of its shard, if there is a shard."""
        if item.created:
            return with_own(item, empty_snapshot(item.shard, as_of, item.desc)), None
        known = self._states.get(item.shard)
        state = await retried(partial(read_state, self._consensus, item.shard, known), self._clock)
        self._states.put(item.shard, state)
        if item.counted:
            return await counted_snapshot(state, as_of, item.desc, self._blob, INLINE), state
        found = snapshot(state, as_of, item.stored)
        return with_own(item, found), state

    async def _input(self, item: Import, snapshot: Snapshot, state: ShardState | None) -> PeekInput:
        key = contents_key(snapshot)
        contents = self._contents.get(key)
        if contents is None:
            if state is None or item.counted or item.own:
                # Rows that the shard does not hold, or not so, are no part of what is kept of it.
                contents = await read_contents(snapshot, self._blob)
            else:
                contents = await self._kept.contents(snapshot, state)
            self._contents.put(key, contents, contents.added.nbytes + contents.cancelled.nbytes)
        paths = await asyncio.gather(*(self._files.path(part, snapshot.shard) for part in contents.files))
        by_key = {part.key: path for part, path in zip(contents.files, paths, strict=True)}
        error_column = stored_error_column(item) if item.fallible else None
        return PeekInput(item.id, snapshot, contents, by_key, key, error_column)

    async def _narrowed(self, each: PeekInput, relation: Relation) -> PeekInput:
        """Returns the input without rows and files that the plan excludes, if Spark is spared many."""
        if each.error_column is not None or not worth_narrowing(each.contents):
            return each
        bounds = bounds_of(relation, each.id)
        if not bounds:
            return each

        def outside(part: Part) -> bool:
            return self._ranges.outside(part, each.paths[part.key], bounds)

        contents = await asyncio.to_thread(narrowed, each.contents, bounds, outside)
        return replace(each, contents=contents, key=(each.key, tuple(sorted(bounds.items()))))

    def _run(
        self,
        session: SparkSession,
        stop: threading.Event,
        peek: Peek,
        profile: Profile,
        inputs: tuple[PeekInput | ArrangedRows, ...],
        answer: PeekAnswer,
    ) -> None:
        started = time.monotonic()
        held = _held(inputs) if profile is Profile.SMALL else None
        prepared = held and self._prepared.answer(session, peek.relation, peek.finishing, held, traced=peek.traced)
        if prepared:
            plan, batches, answer.operators = prepared
            errors = LeastError(plan, answer.spool)
            for batch in batches:
                errors.take(batch)
        else:
            errors = self._run_job(session, stop, peek, profile, inputs, answer)
        answer.spool.finish()
        errors.check()
        answer.spark_ms = (time.monotonic() - started) * 1e3

    def _run_job(
        self,
        session: SparkSession,
        stop: threading.Event,
        peek: Peek,
        profile: Profile,
        inputs: tuple[PeekInput | ArrangedRows, ...],
        answer: PeekAnswer,
    ) -> LeastError:
        keys = tuple((each.id, each.key) for each in inputs)
        plan_key = (profile, CODEC.encode((peek.relation, peek.finishing)), keys)
        # A plan that has run before finds some of its work done, which its operators would not tell.
        rendered = None if peek.traced else self._plans.take(plan_key)
        if rendered is None:
            single = profile is Profile.SMALL and not _linear(peek)
            frames = {each.id: self._frame(session, profile, each, single) for each in inputs}
            rendered = self._render(session, peek.relation, peek.finishing, frames)
        if stop.is_set():
            raise Stopped
        errors = LeastError(rendered, answer.spool)
        frame = rendered.dataframe
        if peek.pieces is not None and profile is not Profile.SMALL and is_seen(peek.pieces):
            frame = in_pieces(frame, peek.pieces, fallible=rendered.fallible)
        collect_batches(frame, errors.take)
        if peek.traced:
            answer.operators = frame_operators(frame)
        self._plans.put(plan_key, rendered, sum(map(_literal_rows, inputs)))
        return errors

    def _frame(
        self, session: SparkSession, profile: Profile, each: PeekInput | ArrangedRows, single: bool
    ) -> DataFrame:
        key = (profile, single, each.key)
        frame = self._frames.get(key)
        if frame is None:
            if isinstance(each, ArrangedRows):
                frame = each.rows.frame(session)
            else:
                small = profile is Profile.SMALL
                frame = input_frame(session, each.snapshot, each.contents, each.paths, small=small)
                if each.error_column is not None and each.error_column == frame.columns[-1]:
                    frame = frame.withColumnRenamed(each.error_column, ERROR_COLUMN)
                elif each.error_column is not None:
                    frame = frame.withColumn(ERROR_COLUMN, frame[each.error_column])
            if single:
                frame = frame.coalesce(1)
            self._frames.put(key, frame, _literal_rows(each))
        return frame


def _held(inputs: Sequence[PeekInput | ArrangedRows]) -> dict[GlobalId, HeldRows] | None:
    """Returns the rows of the inputs, if all are in memory."""
    held = {}
    for each in inputs:
        if isinstance(each, ArrangedRows):
            if each.rows.table is None or not each.rows.table.num_columns:
                return None
            held[each.id] = HeldRows(each.rows.table, each.rows.table.num_columns)
            continue
        if each.contents.files or not each.snapshot.desc.arity or expanded_size(each.contents.added)[0] > HELD_MAX:
            return None
        table, arity = expand(each.contents.added), each.snapshot.desc.arity
        if each.error_column == table.column_names[-1]:
            arity -= 1
            table = table.rename_columns([*table.column_names[:arity], ERROR_COLUMN])
        elif each.error_column is not None:
            table = table.append_column(ERROR_COLUMN, table.column(each.error_column))
        held[each.id] = HeldRows(table, arity)
    return held


def _literal_rows(each: PeekInput | ArrangedRows) -> int:
    """Returns the number of literal rows in a plan over the input."""
    return each.rows.rows if isinstance(each, ArrangedRows) else each.contents.rows_here


def _linear(peek: Peek) -> bool:
    """Returns whether rows come out one by one. Spark then folds small inputs into literal rows, and runs no job at
    all.

    Other plans want their inputs in one partition, where no shuffle is needed.
    """
    linear = Constant | Get | LocalGet | Let | Project | Map | FlatMap | Filter | Union | Negate
    return not peek.finishing.order and all(isinstance(node, linear) for node in walk_relation(peek.relation))


def _profile(stored: list[PeekInput], arranged: list[ArrangedRows]) -> Profile:
    """Returns the profile for a statement over the inputs."""
    sizes = [*(each.contents.size for each in stored), *((each.rows.rows, each.bytes) for each in arranged)]
    rows, bytes_ = sum(size[0] for size in sizes), sum(size[1] for size in sizes)
    if rows <= SMALL_ROWS_MAX and bytes_ <= SMALL_BYTES_MAX:
        return Profile.SMALL
    return Profile.LARGE if bytes_ <= LARGE_BYTES_MAX else Profile.HUGE


class LeastError:
    """Passes an answer's rows on until one is a failure; in the end, the least failure of all is the answer.

    Which failure comes first depends on how Spark cut the work; which is the least does not.
    """

    def __init__(self, rendered: Failing, spool: Spool) -> None:
        self._rendered = rendered
        self._spool = spool
        self._least: str | None = None
        self._batch: pa.RecordBatch | None = None

    def take(self, batch: pa.RecordBatch) -> None:
        if self._rendered.fallible:
            errors = batch.column(batch.num_columns - 1)
            if errors.null_count < len(errors):
                least = pc.min(errors).as_py()
                if self._least is None or least < self._least:
                    self._least, self._batch = least, batch
            batch = batch.select(list(range(batch.num_columns - 1)))
        if self._batch is None:
            self._spool.append(batch)

    def check(self) -> None:
        if self._batch is not None:
            self._rendered.raise_for(self._batch)


async def stream(answer: PeekAnswer, window: asyncio.Semaphore, emit: ChunkSink) -> int:
    """Hands the answer's chunks to `emit`, each when `window` has room; the number of rows in all."""
    rows = 0
    for chunk in answer.spool.chunks():
        await window.acquire()
        emit(chunk)
        rows += chunk.num_rows
    return rows


class ChunkSink(Protocol):
    def __call__(self, chunk: pa.RecordBatch) -> None: ...


def timed_out() -> SqlError:
    return SqlError(Sqlstate.QUERY_CANCELED, "canceling statement due to statement timeout")
