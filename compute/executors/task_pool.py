"""Who runs the tasks of a tick's jobs, as a Protocol, and which attempt at each counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar, assert_never

import pyarrow as pa

from compute.executors.export_task import ExportTask, run_export
from compute.executors.read_task import ReadTask, run_read
from compute.executors.step_task import StepTask, run_step
from compute.executors.task_done import StepDone

R = TypeVar("R", contravariant=True)
Task = StepTask | ExportTask | ReadTask


class TaskPool(Protocol[R]):
    """Runs tasks somewhere. `R` tells where the rows come from."""

    def run(self, task: Task, rows: R | None) -> Iterable[StepDone]:
        """Runs the task on each partition, over its rows. A task may be tried several times, and several attempts may
        answer; each partition has an answer at least once. Raises what ended the tasks."""
        ...


class LostTask(Exception):
    """A partition for which no attempt has answered."""


def run_task(task: Task, partition: int, batches: Iterable[pa.RecordBatch]) -> StepDone:
    """Makes one attempt at one partition. Raises as `run_step`, `run_export` and `run_read` do."""
    match task:
        case StepTask():
            return run_step(task, partition, batches)
        case ExportTask():
            return run_export(task, partition, batches)
        case ReadTask():
            return run_read(task, partition)
        case _:
            assert_never(task)


def counted(partitions: int, done: Iterable[StepDone]) -> list[StepDone]:
    """Returns the attempt that counts for each partition, the first that answered: what others wrote is garbage.
    Raises LostTask."""
    first: dict[int, StepDone] = {}
    for each in done:
        first.setdefault(each.partition, each)
    if set(first) != set(range(partitions)):
        raise LostTask(f"partitions {sorted(set(range(partitions)) - set(first))} of {partitions} have no answer")
    return [first[partition] for partition in range(partitions)]
