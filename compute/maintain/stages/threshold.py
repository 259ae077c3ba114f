"""A kernel counts equal rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from compute.kernels.by_partition import ThresholdWork
from compute.maintain.stages.keyed import keyed_rows
from compute.maintain.stages.stage import TickStage, Turn
from compute.maintain.stages.streams import of_rows
from compute.maintain.stages.writing import Writing
from compute.maintain.steps.threshold import ThresholdStep


@dataclass(frozen=True, slots=True)
class ThresholdStage(TickStage):
    """Counts the rows of one input, keyed by all columns."""

    @property
    def work(self) -> ThresholdWork:
        (rows,) = self.inputs
        return ThresholdWork(rows.name)

    def changes(self, turn: Turn) -> Iterator[pa.Table]:
        return self.work.changes(turn.arrangements, turn.lower) if turn.touched else iter(())


def threshold_stage(writing: Writing, step: ThresholdStep) -> ThresholdStage:
    """Arranges the rows by all their columns."""
    keyed = keyed_rows(writing.context, step.input.segment, step.input.key)
    return ThresholdStage(writing.inputs(keyed), of_rows(writing.view, keyed.rows))
