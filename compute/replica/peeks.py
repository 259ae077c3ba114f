"""One peek from end to end: the shards' state, their contents, the plan, its rows, in chunks as the client takes them.

What repeats is kept: a shard's state and contents, the DataFrame of an input, and the whole plan of a statement over
inputs that did not change. A plan in use is out of the cache, for a stopped statement may leave it unusable.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from compute.protocol.command import Import, Peek
from compute.protocol.vocabulary import CODEC
from compute.replica.cache import RecentlyUsed
from compute.replica.contents import Contents, contents_key, read_contents, snapshot_size
from compute.replica.inputs import input_frame
from compute.replica.parts import PartFiles
from compute.replica.spool import Spool
from compute.replica.worker import SparkWorker, Stopped
from compute.spark.collect import collect_batches
from compute.spark.session import Profile
from model.errors import SqlError
from model.global_id import GlobalId
from model.sqlstate import Sqlstate
from model.timestamp import Timestamp
from planner.ir.relation import Finishing, Relation
from storage.persist.location import Blob, Consensus
from storage.persist.snapshot import Snapshot, read_state, snapshot
from storage.persist.state import ShardState

SMALL_ROWS_MAX = 50_000
SMALL_BYTES_MAX = 16 << 20
_STATES_MAX = 1_024
_CONTENTS_MAX = 32
_FRAMES_MAX = 64
_PLANS_MAX = 32


class Rendered(Protocol):
    """A plan as a DataFrame, and what checks and finishes the batches that it yields."""

    @property
    def frame(self) -> DataFrame: ...

    def finish(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The rows of a batch as they are answered. SqlError when the batch carries an error."""
        ...


class Renderer(Protocol):
    """Makes a DataFrame of a plan; `inputs` have columns c0, c1, …, each row as often as the collection holds it."""

    def __call__(
        self,
        session: SparkSession,
        relation: Relation,
        inputs: Mapping[GlobalId, DataFrame],
        finishing: Finishing,
    ) -> Rendered: ...


@dataclass(frozen=True, slots=True)
class Input:
    """A collection as one peek reads it; `paths` are the files of its plain parts, by key."""

    id: GlobalId
    snapshot: Snapshot
    contents: Contents
    paths: Mapping[str, str]
    key: Hashable


@dataclass(slots=True)
class Answer:
    """What a peek has come to: `spark_ms` were spent in Spark, `parts` names the files that were read."""

    spool: Spool
    spark_ms: float = 0.0
    parts: dict[str, str] = field(default_factory=dict)


class Peeks:
    """Answers peeks over the shards of one instance. `directory` takes large answers and copies of remote parts."""

    def __init__(
        self, worker: SparkWorker, render: Renderer, consensus: Consensus, blob: Blob, directory: Path
    ) -> None:
        self._worker = worker
        self._render = render
        self._consensus = consensus
        self._blob = blob
        self._directory = directory
        self._files = PartFiles(blob, directory / "parts")
        self._states: RecentlyUsed[ShardState] = RecentlyUsed(_STATES_MAX)
        self._contents: RecentlyUsed[Contents] = RecentlyUsed(_CONTENTS_MAX)
        self._frames: RecentlyUsed[DataFrame] = RecentlyUsed(_FRAMES_MAX)
        self._plans: RecentlyUsed[Rendered] = RecentlyUsed(_PLANS_MAX)

    def begin(self, peek: Peek) -> Answer:
        """An empty answer, to be filled by `fill` and closed by the caller."""
        return Answer(Spool(self._directory, peek.bytes_max))

    async def fill(self, tag: str, peek: Peek, answer: Answer) -> None:
        """Runs the peek into `answer`. SqlError, or PySpark's exceptions; when cancelled, its Spark jobs end first."""
        snapshots = [(item, await self._snapshot(item, peek.as_of)) for item in peek.imports]
        sizes = [snapshot_size(snapshot) for _, snapshot in snapshots]
        small = sum(r for r, _ in sizes) <= SMALL_ROWS_MAX and sum(b for _, b in sizes) <= SMALL_BYTES_MAX
        profile = Profile.SMALL if small else Profile.LARGE
        inputs = [await self._input(item, snapshot) for item, snapshot in snapshots]
        for each in inputs:
            for key, path in each.paths.items():
                answer.parts[path] = f"part {key} of shard {each.snapshot.shard}"

        def work(session: SparkSession, stop: threading.Event) -> None:
            self._run(session, stop, peek, profile, inputs, answer)

        await self._worker.run(tag, profile, work)

    async def _snapshot(self, item: Import, as_of: Timestamp) -> Snapshot:
        state = await read_state(self._consensus, item.shard, self._states.get(item.shard))
        self._states.put(item.shard, state)
        return snapshot(state, as_of)

    async def _input(self, item: Import, snapshot: Snapshot) -> Input:
        key = contents_key(snapshot)
        contents = self._contents.get(key)
        if contents is None:
            contents = await read_contents(snapshot, self._blob)
            self._contents.put(key, contents)
        paths = {part.key: await self._files.path(part, snapshot.shard) for part in contents.plain}
        return Input(item.id, snapshot, contents, paths, key)

    def _run(
        self,
        session: SparkSession,
        stop: threading.Event,
        peek: Peek,
        profile: Profile,
        inputs: list[Input],
        answer: Answer,
    ) -> None:
        keys = tuple((each.id, each.key) for each in inputs)
        plan_key = (profile, CODEC.encode((peek.relation, peek.finishing)), keys)
        rendered = self._plans.take(plan_key)
        started = time.monotonic()
        if rendered is None:
            frames = {each.id: self._frame(session, profile, each) for each in inputs}
            rendered = self._render(session, peek.relation, frames, peek.finishing)
        if stop.is_set():
            raise Stopped
        finish = rendered.finish

        def take(batch: pa.RecordBatch) -> None:
            answer.spool.append(finish(batch))

        answer.spool.finish(collect_batches(rendered.frame, take))
        answer.spark_ms = (time.monotonic() - started) * 1e3
        self._plans.put(plan_key, rendered)

    def _frame(self, session: SparkSession, profile: Profile, each: Input) -> DataFrame:
        key = (profile, each.key)
        frame = self._frames.get(key)
        if frame is None:
            frame = input_frame(session, each.snapshot, each.contents, each.paths)
            self._frames.put(key, frame)
        return frame


async def stream(answer: Answer, window: asyncio.Semaphore, emit: ChunkSink) -> int:
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
