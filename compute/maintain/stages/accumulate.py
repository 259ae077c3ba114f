"""Spark computes the rows' contributions to sums, a kernel keeps the sums, and Spark computes the aggregates from
them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from compute.kernels.accumulate import accumulate_changes
from compute.kernels.by_partition import AccumulateWork, PartitionWork
from compute.maintain.stages.keyed import contributions
from compute.maintain.stages.stage import TickStage, Turn
from compute.maintain.stages.streams import of_sums
from compute.maintain.stages.writing import Writing
from compute.maintain.steps.accumulate import AccumulateStep


@dataclass(frozen=True, slots=True)
class AccumulateStage(TickStage):
    """Keeps the sums of each group, and yields the groups' changes. With `one_group` the aggregation has no key, and
    has an answer even without rows."""

    one_group: bool

    @property
    def work(self) -> PartitionWork | None:
        return None if self.one_group else self._keyed

    @property
    def _keyed(self) -> AccumulateWork:
        (sums,) = self.inputs
        return AccumulateWork(sums.name, sums.rares_name, sums.rare_columns)

    def changes(self, turn: Turn) -> Iterator[pa.Table]:
        if not turn.touched and not (self.one_group and turn.starts):
            return iter(())
        if not self.one_group:
            return self._keyed.changes(turn.arrangements, turn.lower)
        sums = turn.arrangements[self._keyed.sums]
        chunks = accumulate_changes(sums, turn.lower, one_group=True, start=turn.starts)
        return self._keyed.completed(chunks, turn.arrangements)


def accumulate_stage(writing: Writing, step: AccumulateStep) -> AccumulateStage:
    """Arranges each row's contributions to the sums of which the aggregates are made."""
    keyed, finals, answers = contributions(writing.context, step.input.segment, step.input.key, step.aggregates)
    stream = of_sums(writing.view, keyed, finals, answers)
    return AccumulateStage(writing.inputs(keyed), stream, not step.input.key)
