"""Pairs are made by a kernel over both sides' arrangements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from compute.kernels.by_partition import JoinWork
from compute.maintain.stages.keyed import keyed_rows
from compute.maintain.stages.stage import TickStage, Turn
from compute.maintain.stages.streams import of_rows
from compute.maintain.stages.writing import Writing
from compute.maintain.steps.join import JoinStep


@dataclass(frozen=True, slots=True)
class JoinStage(TickStage):
    """Joins two sides, which may share one arrangement."""

    @property
    def work(self) -> JoinWork:
        left, right = self.inputs
        return JoinWork(left.name, right.name)

    def changes(self, turn: Turn) -> Iterator[pa.Table]:
        return self.work.changes(turn.arrangements, turn.lower) if turn.touched else iter(())


def join_stage(writing: Writing, step: JoinStep) -> JoinStage:
    """Arranges both sides' rows by their keys, without rows that have a NULL key."""
    sides = (step.left, step.right)
    left, right = (keyed_rows(writing.context, each.segment, each.key, joined=True) for each in sides)
    return JoinStage(writing.inputs(left, right), of_rows(writing.view, left.rows + right.rows))
