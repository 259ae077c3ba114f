"""d(L ⋈ R) = dL ⋈ R before + L after ⋈ dR.

Each side is arranged by its key. A change of one side is looked up in the other side's arrangement, so a tick reads the
changed rows and their matches. The time of a pair is the later of the two times; the diffs multiply.

Joins by equal values become this step, including IN, EXISTS and correlated subqueries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from compute.maintain.steps.parts import ArrangedForm, ArrangedInput, Keyed, Maintenance, Texts
from model.types.scalar_type import ScalarType
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation


@dataclass(frozen=True, slots=True)
class JoinStep:
    """Pairs with equal keys, none of them NULL: left's columns, then right's. Without a key all pairs.

    Keys that stand at the same place have the same type, a numeric's modifier included.
    """

    left: Keyed
    right: Keyed

    maintenance: ClassVar = Maintenance.JOIN
    operators: ClassVar[tuple[Relation, ...]] = ()
    whole: ClassVar = None

    @property
    def types(self) -> tuple[ScalarType, ...]:
        return relation_desc_of(self.left.segment).types + relation_desc_of(self.right.segment).types

    @property
    def segments(self) -> tuple[Relation, ...]:
        return self.left.segment, self.right.segment

    @property
    def arranged(self) -> tuple[ArrangedInput, ...]:
        left, right = (ArrangedInput(f"join {each!r}", ArrangedForm.JOINED, each) for each in (self.left, self.right))
        return left, right

    def title(self, texts: Texts) -> str:
        return "Join"
