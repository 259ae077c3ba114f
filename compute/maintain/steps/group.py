"""For each group that changed: what the operator gave for its rows goes out, what it gives for them now comes in.

The groups' rows are arranged by their key, and a tick reads the groups that it touches, whole. Where the operator asks
for a group's first rows alone (a least value, an ordered LIMIT), the rows of a group lie in that order, and a tick
reads the prefix that it needs.

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
    """`operator` of each group's rows, which it reads as LocalGet(GROUP_ROWS).

    `operator` is one node over it (TopK, Window, Reduce) whose own groups lie within those of the key: mostly they are
    the same, but of types that can't be keys the key knows nothing. Without a key all rows are one group, always: a
    Reduce without a key has an answer over no rows, too. With a key, a group without rows has no answer.
    """

    input: Keyed
    operator: Relation

    @property
    def prefix(self) -> OrderedPrefix | None:
        """What is read of a group; None: all of it."""
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
