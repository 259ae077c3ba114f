"""Keeps updates by the time at which they are due, and emits each in the tick that covers its time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from compute.arrangement.layout import Layout
from compute.kernels.delay import delay_changes
from compute.maintain.segments import arrow_form
from compute.maintain.stages.delays import delayed
from compute.maintain.stages.stage import StageInput, TickStage, Turn
from compute.maintain.stages.streams import of_rows
from compute.maintain.stages.writing import Writing
from compute.maintain.steps.delay import DelayStep


@dataclass(frozen=True, slots=True)
class DelayStage(TickStage):
    """One input, arranged by time; without a layout the input isn't kept, and its rows go to the stream as they
    come."""

    def changes(self, turn: Turn) -> Iterator[pa.Table]:
        (rows,) = self.inputs
        return delay_changes(turn.arrangements[rows.name], turn.lower, turn.upper)


def delay_stage(writing: Writing, step: DelayStep) -> DelayStage:
    """Emits each update at its due time, and the retraction at the end of its time."""
    query, forms = delayed(writing.context, step.segment, step.since, step.until)
    layout = Layout((), tuple(arrow_form(form) for form in forms)) if step.bounded else None
    return DelayStage((StageInput(f"{writing.number}.0", query, layout),), of_rows(writing.view, forms))
