"""Spark computes the rows' contributions to sums, a kernel keeps the sums, and Spark computes the aggregates from
them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from compute.kernels.accumulate import accumulate_changes
from compute.maintain.stages.keyed import contributions
from compute.maintain.stages.rares import with_rares
from compute.maintain.stages.stage import TickStage, Turn
from compute.maintain.stages.streams import of_sums
from compute.maintain.stages.writing import Writing
from compute.maintain.steps.accumulate import AccumulateStep


@dataclass(frozen=True, slots=True)
class AccumulateStage(TickStage):
    """Keeps the sums of each group, and yields the groups' changes. With `one_group` the aggregation has no key, and
    has an answer even without rows."""

    one_group: bool

    def changes(self, turn: Turn) -> Iterator[pa.Table]:
        if not turn.touched and not (self.one_group and turn.starts):
            return iter(())
        (sums,) = self.inputs
        arranged = turn.arrangements[sums.name]
        chunks = accumulate_changes(arranged, turn.lower, one_group=self.one_group, start=turn.starts)
        if not sums.rares:
            return chunks
        rare = turn.arrangements[sums.rares_name]
        return (with_rares(chunk, rare, sums.rares) for chunk in chunks)


def accumulate_stage(writing: Writing, step: AccumulateStep) -> AccumulateStage:
    """Arranges each row's contributions to the sums of which the aggregates are made."""
    keyed, finals, answers = contributions(writing.context, step.input.segment, step.input.key, step.aggregates)
    stream = of_sums(writing.view, keyed, finals, answers)
    return AccumulateStage(writing.inputs(keyed), stream, not step.input.key)
