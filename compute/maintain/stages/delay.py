"""Updates are kept by the time at which they happen, and given in the tick that covers it."""

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
    """One input, by time; without a layout it isn't kept, and its rows are the stream's."""

    @property
    def waits_for_times(self) -> bool:
        return True

    def changes(self, turn: Turn) -> Iterator[pa.Table]:
        (rows,) = self.inputs
        return delay_changes(turn.arrangements[rows.name], turn.lower, turn.upper)


def delay_stage(writing: Writing, step: DelayStep) -> DelayStage:
    """Each update at the time at which it happens, and its retraction when that ends."""
    query, forms = delayed(writing.context, step.segment, step.since, step.until)
    layout = Layout((), tuple(arrow_form(form) for form in forms)) if step.bounded else None
    return DelayStage((StageInput(f"{writing.number}.0", query, layout),), of_rows(writing.view, forms))
