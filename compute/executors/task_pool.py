"""Who runs the tasks of a step, as a Protocol, and which attempt at each counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from compute.executors.step_task import StepDone, StepTask

R = TypeVar("R", contravariant=True)


class TaskPool(Protocol[R]):
    """Runs tasks somewhere. `R` tells where the rows come from."""

    def run(self, task: StepTask, rows: R | None) -> Iterable[StepDone]:
        """Runs the task on each partition, over its rows. A task may be tried several times, and several attempts may
        answer; each partition has an answer at least once. Raises what ended the tasks."""
        ...


class LostTask(Exception):
    """A partition for which no attempt has answered."""


def counted(partitions: int, done: Iterable[StepDone]) -> list[StepDone]:
    """Returns the attempt that counts for each partition, the first that answered: what others wrote is garbage.
    Raises LostTask."""
    first: dict[int, StepDone] = {}
    for each in done:
        first.setdefault(each.partition, each)
    if set(first) != set(range(partitions)):
        raise LostTask(f"partitions {sorted(set(range(partitions)) - set(first))} of {partitions} have no answer")
    return [first[partition] for partition in range(partitions)]
