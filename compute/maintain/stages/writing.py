"""The context in which a step's stage is written."""

from __future__ import annotations

from dataclasses import dataclass

from compute.maintain.arranged import Arranged
from compute.maintain.stages.keyed import KeyedQuery
from compute.maintain.stages.stage import StageInput
from compute.operators.context import Context


@dataclass(frozen=True, slots=True)
class Writing:
    """The context of one step.

    `context`: the renderer's context.
    `number`: the step's number.
    `view`: the name of the view of the step's stream.
    `arranged`: the step's arrangements, in the order of its inputs.
    `shared`: whether several segments read the stream.
    """

    context: Context
    number: int
    view: str
    arranged: tuple[Arranged, ...]
    shared: bool

    def inputs(self, *keyed: KeyedQuery) -> tuple[StageInput, ...]:
        """Returns the step's inputs, under the names of their arrangements."""
        return tuple(StageInput.of(known.name, each) for known, each in zip(self.arranged, keyed, strict=True))
