"""For each key with changed sums: retracts the answer before, and asserts the answer after.

Rows are not kept: the arrangement has the sums of their contributions, one row a key and time. A change is added to the
sums, so a tick reads the sums of the keys it touches.

count, sum, avg, the variances, bool_and, bool_or and DISTINCT become this step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from compute.maintain.steps.parts import ArrangedForm, ArrangedInput, Keyed, Maintenance, Texts
from model.types.scalar_type import ScalarType
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Reduce, Relation
from planner.ir.scalar import scalar_type


@dataclass(frozen=True, slots=True)
class AccumulateStep:
    """Like Reduce: key columns, then aggregates, all made of sums. Without a key always one row.

    Without aggregates the distinct keys. Keys are of types whose equal values are identical.
    """

    input: Keyed
    aggregates: tuple[Aggregate, ...]

    maintenance: ClassVar = Maintenance.ACCUMULABLE
    operators: ClassVar[tuple[Relation, ...]] = ()
    whole: ClassVar = None

    @property
    def types(self) -> tuple[ScalarType, ...]:
        return (*map(scalar_type, self.input.key), *(aggregate.type for aggregate in self.aggregates))

    @property
    def segments(self) -> tuple[Relation, ...]:
        return (self.input.segment,)

    @property
    def arranged(self) -> tuple[ArrangedInput, ...]:
        return (ArrangedInput(f"sums {self!r}", ArrangedForm.SUMS, self.input),)

    def title(self, texts: Texts) -> str:
        names = tuple(f"c{at}" for at in range(len(self.input.key) + len(self.aggregates)))
        return texts.title(Reduce(self.input.segment, self.input.key, self.aggregates, names))
