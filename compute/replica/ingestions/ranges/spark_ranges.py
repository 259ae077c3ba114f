"""Runs ranges as tasks of Spark: each a job of one task, in the pool that yields to all others."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import count

from pyspark.sql import SparkSession

from compute.replica.ingestions.ranges.range_task import RangeTask, StagedRanges, stage_range
from compute.replica.ingestions.ranges.secret_door import SecretDoor, Ticket, redeemed
from compute.replica.running.supervision import SparkWork
from compute.replica.running.worker import SparkWorker
from compute.spark.session import Profile
from connectors.systems import open_range
from model.ids.global_id import GlobalId
from model.time.clock import SystemClock, SystemRandomness
from storage.persist.open import open_blob
from storage.persist.runner import InlineRunner
from storage.persist.write import Stage


class SparkRanges:
    """Tasks of Spark that stage parts at `blob_url`, which Spark's executors can reach."""

    def __init__(self, blob_url: str) -> None:
        self._blob_url = blob_url
        self._worker: SparkWorker | None = None
        self._numbers = count()
        self._door: SecretDoor | None = None

    def worker_ready(self, worker: SparkWorker) -> None:
        self._worker = worker

    @property
    def ready(self) -> bool:
        """Once Spark is up."""
        return self._worker is not None

    async def stage(self, task: RangeTask) -> StagedRanges:
        assert self._worker is not None, "who asks for tasks waits until they can be had"
        with self._ticket(self._worker, task.secrets) as ticket:
            work = partial(_by_job, replace(task, secrets={}), ticket, self._blob_url)
            name = f"range-{next(self._numbers)}"
            return await self._worker.run(SparkWork(name, f"a {name} of a source"), Profile.HUGE, work, for_range=True)

    def _ticket(
        self, worker: SparkWorker, secrets: Mapping[GlobalId, str]
    ) -> contextlib.AbstractContextManager[Ticket | None]:
        """Returns a ticket for secrets; None without secrets."""
        if not secrets:
            return contextlib.nullcontext()
        if self._door is None:
            self._door = SecretDoor(worker.socket_directory)
        return self._door.ticket(secrets)


def _by_job(
    task: RangeTask, ticket: Ticket | None, blob_url: str, session: SparkSession, _stop: threading.Event
) -> StagedRanges:
    def staged(_numbers: Iterable[int]) -> Iterator[StagedRanges]:
        yield _in_executor(task, ticket, blob_url)

    # The task lies in what runs, not in data: data would go by way of a file.
    (found,) = session.sparkContext.parallelize(range(1), 1).mapPartitions(staged).collect()
    return found


def _in_executor(task: RangeTask, ticket: Ticket | None, blob_url: str) -> StagedRanges:
    if ticket is not None:
        task = replace(task, secrets=redeemed(ticket))
    clock = SystemClock()
    stage = Stage(open_blob(blob_url), clock, SystemRandomness(), InlineRunner())
    return asyncio.run(stage_range(task, open_range, stage, clock))
