"""Emits each row max(n, 0) times, where n is the number of equal rows in the input.

Negated input (EXCEPT) may count below zero; the output never does. A tick reads the rows equal to the changed rows.

EXCEPT and INTERSECT become this step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from compute.maintain.steps.parts import ArrangedInput, Keyed, Maintenance, Texts, arranged_rows
from model.types.scalar_type import ScalarType
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation


@dataclass(frozen=True, slots=True)
class ThresholdStep:
    """The segment's rows with positive counts, keyed by all columns, whose equal values are identical."""

    input: Keyed

    maintenance: ClassVar = Maintenance.ACCUMULABLE
    operators: ClassVar[tuple[Relation, ...]] = ()
    whole: ClassVar = None

    @property
    def types(self) -> tuple[ScalarType, ...]:
        return relation_desc_of(self.input.segment).types

    @property
    def segments(self) -> tuple[Relation, ...]:
        return (self.input.segment,)

    @property
    def arranged(self) -> tuple[ArrangedInput, ...]:
        return (arranged_rows(self.input),)

    def title(self, texts: Texts) -> str:
        return "Threshold"
