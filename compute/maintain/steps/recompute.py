"""At each time at which an input changes: retracts the operator's former answer, and asserts the new answer.

The operator runs over the whole contents of its inputs, so a tick's work grows with the contents. The step is for
operators without a rule of their own, such as recursion and joins on values that can't be keys; EXPLAIN and a NOTICE
tell the user.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from compute.maintain.steps.operator_names import operator_name
from compute.maintain.steps.parts import ArrangedInput, Keyed, Maintenance, Texts, arranged_rows
from model.types.scalar_type import ScalarType
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation


@dataclass(frozen=True, slots=True)
class RecomputeStep:
    """Applies `operator` to its inputs' whole contents, at each time at which an input changes.

    The operator reads input i as LocalGet(-1 - i). Rows that come from no input appear at as_of, like a Constant's.
    """

    inputs: tuple[Relation, ...]
    operator: Relation

    maintenance: ClassVar = Maintenance.RECOMPUTE

    @property
    def operators(self) -> tuple[Relation, ...]:
        return (self.operator,)

    @property
    def whole(self) -> str:
        return operator_name(self.operator)

    @property
    def types(self) -> tuple[ScalarType, ...]:
        return relation_desc_of(self.operator).types

    @property
    def segments(self) -> tuple[Relation, ...]:
        return self.inputs

    @property
    def arranged(self) -> tuple[ArrangedInput, ...]:
        return tuple(arranged_rows(Keyed(segment, ())) for segment in self.inputs)

    def title(self, texts: Texts) -> str:
        return "Recompute"
