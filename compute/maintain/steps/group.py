"""For each changed group: retracts the operator's former answer, and asserts the new answer.

The groups' rows are arranged by their key, and a tick reads the touched groups whole. For an operator that needs only a
group's first rows (a least value, an ordered LIMIT), the rows of a group lie in the operator's order, and a tick reads
just the needed prefix.

min, max, array_agg and string_agg, ORDER BY with LIMIT, DISTINCT ON and window functions become this step.
"""

from __future__ import annotations

from dataclasses import dataclass

from compute.maintain.steps.operator_names import operator_name
from compute.maintain.steps.parts import ArrangedInput, Keyed, Maintenance, Texts, arranged_rows
from compute.maintain.steps.prefix import OrderedPrefix, prefix_of
from model.types.scalar_type import ScalarType
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation

GROUP_ROWS = -1


@dataclass(frozen=True, slots=True)
class GroupStep:
    """Applies `operator` to each group's rows, which the operator reads as LocalGet(GROUP_ROWS).

    `operator` is one node (TopK, Window, Reduce) whose own groups lie within the groups of the key: mostly they are
    equal, but grouping columns that can't be keys are missing from the key. Without a key all rows are one group,
    always: a Reduce without a key has an answer over no rows, too. With a key, a group without rows has no answer.
    """

    input: Keyed
    operator: Relation

    @property
    def prefix(self) -> OrderedPrefix | None:
        """Returns the part of a group that is read; None for all rows."""
        return prefix_of(self.operator, len(self.input.key))

    @property
    def maintenance(self) -> Maintenance:
        return Maintenance.GROUP if self.prefix is None else Maintenance.PREFIX

    @property
    def operators(self) -> tuple[Relation, ...]:
        return (self.operator,)

    @property
    def whole(self) -> str | None:
        if self.input.key or self.prefix is not None:
            return None
        return f"{operator_name(self.operator)} of all rows"

    @property
    def types(self) -> tuple[ScalarType, ...]:
        return relation_desc_of(self.operator).types

    @property
    def segments(self) -> tuple[Relation, ...]:
        return (self.input.segment,)

    @property
    def arranged(self) -> tuple[ArrangedInput, ...]:
        prefix = self.prefix
        return (arranged_rows(self.input, () if prefix is None else (prefix.order,)),)

    def title(self, texts: Texts) -> str:
        return texts.title(self.operator)
