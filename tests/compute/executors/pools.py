"""Pools of this process: threads that run tasks as they would run elsewhere, and pools that treat attempts badly."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import pyarrow as pa

from compute.executors.step_task import StepTask
from compute.executors.task_done import StepDone, decode_done, encode_done
from compute.executors.task_pool import Task, run_task
from compute.maintain.queries import Queries
from compute.maintain.wide import SegmentRows


def attempt(task: Task, partition: int, batches: Iterable[pa.RecordBatch]) -> StepDone:
    """An attempt of another process, as far as it can be one here."""
    sent: Task = pickle.loads(pickle.dumps(task))
    return decode_done(encode_done(run_task(sent, partition, batches)))


Attempts = Callable[[Task, int, list[pa.RecordBatch]], list[StepDone]]


def once(task: Task, partition: int, batches: list[pa.RecordBatch]) -> list[StepDone]:
    return [attempt(task, partition, batches)]


def lost_after_it_wrote(task: Task, partition: int, batches: list[pa.RecordBatch]) -> list[StepDone]:
    attempt(task, partition, batches)
    return once(task, partition, batches)


def lost_halfway(task: Task, partition: int, batches: list[pa.RecordBatch]) -> list[StepDone]:
    half = replace(task, kernel=None) if isinstance(task, StepTask) else task
    attempt(half, partition, batches[: len(batches) // 2])
    return once(task, partition, batches)


def no_answer(task: Task, partition: int, batches: list[pa.RecordBatch]) -> list[StepDone]:
    """Of one partition: the tick fails."""
    return once(task, partition, batches) if partition else []


def both_answer(task: Task, partition: int, batches: list[pa.RecordBatch]) -> list[StepDone]:
    return [attempt(task, partition, batches), attempt(task, partition, batches)]


FATES: Mapping[str, Attempts] = {
    "once": once,
    "lost after it wrote": lost_after_it_wrote,
    "lost halfway": lost_halfway,
    "both answer": both_answer,
    "no answer": no_answer,
}


@dataclass
class Threads:
    """Runs tasks in two threads, over rows that Spark gave this process."""

    queries: Queries
    attempts: Attempts = once
    tasks: list[Task] = field(default_factory=list)
    begun: Callable[[], object] = lambda: None
    """Is called before each job."""

    def run(self, task: Task, rows: SegmentRows | None) -> list[StepDone]:
        self.begun()
        self.tasks.append(task)
        batches: list[pa.RecordBatch] = []
        if rows is not None:
            spool = self.queries.run(rows.query, rows.profile, rows.changes)
            batches = list(spool.chunks())
            spool.close()
        with ThreadPoolExecutor(2) as threads:
            futures = [threads.submit(self.attempts, task, partition, batches) for partition in range(task.partitions)]
            return [each for future in reversed(futures) for each in future.result()]
