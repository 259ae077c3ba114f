"""What the stage of a step is written with."""

from __future__ import annotations

from dataclasses import dataclass

from compute.maintain.arranged import Arranged
from compute.maintain.stages.keyed import KeyedQuery
from compute.maintain.stages.stage import StageInput
from compute.operators.context import Context


@dataclass(frozen=True, slots=True)
class Writing:
    """`number` is the step's, `view` the name of its stream's view, `arranged` what it arranges, in the order of its
    inputs. `shared`: several segments read the stream."""

    context: Context
    number: int
    view: str
    arranged: tuple[Arranged, ...]
    shared: bool

    def inputs(self, *keyed: KeyedQuery) -> tuple[StageInput, ...]:
        """The step's inputs, under the names of what they are arranged in."""
        return tuple(StageInput.of(known.name, each) for known, each in zip(self.arranged, keyed, strict=True))
