"""Runs the operator's one-shot query over the inputs' whole contents, at each time of the tick at which an input
changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from compute.arrangement.layout import Layout
from compute.maintain.arranged import kept_name
from compute.maintain.change import gathered_change
from compute.maintain.stages.keyed import keyed_rows
from compute.maintain.stages.recomputation import Recomputation, recomputation, recomputed
from compute.maintain.stages.stage import TickStage, Turn
from compute.maintain.stages.streams import of_answers
from compute.maintain.stages.writing import Writing
from compute.maintain.steps.recompute import RecomputeStep


@dataclass(frozen=True, slots=True)
class RecomputeStage(TickStage):
    """Recomputes the operator over the whole contents of its inputs, at each time of the tick at which an input
    changed.

    The last answer is kept in an arrangement of its own, so that the change is the difference between the two answers.
    """

    recomputation: Recomputation

    @property
    def layouts(self) -> list[tuple[str, Layout]]:
        inputs = [named for each in self.inputs for named in each.layouts]
        return [*inputs, (self.recomputation.name, self.recomputation.kept)]

    @property
    def asks_only(self) -> bool:
        return False

    def changes(self, turn: Turn) -> Iterator[pa.Table]:
        if not turn.touched and not turn.starts:
            return iter(())
        arranged = [turn.arrangements[each.name] for each in self.inputs]
        kept = turn.arrangements[self.recomputation.name]
        gather = partial(gathered_change, directory=turn.scratch)
        return recomputed(self.recomputation, turn.sessions, gather, arranged, kept, turn.lower, starts=turn.starts)


def recompute_stage(writing: Writing, step: RecomputeStep) -> RecomputeStage:
    """Arranges all rows of each input, without a key, and makes the stage that recomputes the operator over them."""
    keyed = [keyed_rows(writing.context, segment, ()) for segment in step.inputs]
    again = recomputation(kept_name(writing.number), step.operator, tuple(each.rows for each in keyed))
    return RecomputeStage(writing.inputs(*keyed), of_answers(writing.view, again.forms), again)
