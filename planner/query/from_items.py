"""Combines items of FROM: their names together, and their product."""

from __future__ import annotations

from dataclasses import dataclass, replace

from model.errors.sqlstate import Sqlstate
from planner.ir.columns import surface
from planner.ir.properties import relation_desc_of
from planner.ir.relation import FlatMap, Join, JoinKind, Relation
from planner.ir.unit import UNIT
from planner.scope.analysis import Analysis
from planner.scope.scope import NamespaceItem


@dataclass(frozen=True, slots=True)
class FromItem:
    """A relation and what its columns are called; scalars of `items` see the relation's row."""

    relation: Relation
    items: tuple[NamespaceItem, ...]

    @property
    def arity(self) -> int:
        return relation_desc_of(self.relation).arity


def cross(left: FromItem, right: FromItem, lateral: bool) -> FromItem:
    """Returns all rows of one with all of the other; `lateral`: the right item refers to the left one."""
    items = (*left.items, *(item.shifted(left.arity) for item in right.items))
    if left.relation == UNIT and not lateral:
        return FromItem(right.relation, items)
    called = right.relation
    if lateral and isinstance(called, FlatMap) and called.input == UNIT:
        arguments = tuple(surface(argument, 1) for argument in called.arguments)
        return FromItem(replace(called, input=left.relation, arguments=arguments), items)
    return FromItem(Join(JoinKind.INNER, left.relation, right.relation, (), lateral), items)


def check_aliases(
    analysis: Analysis, left: tuple[NamespaceItem, ...], right: tuple[NamespaceItem, ...], location: int
) -> None:
    """Raises 42712 when a table name stands twice."""
    taken = [(item.alias, item.schema) for item in left if item.alias and item.relation_visible]
    for item in right:
        # Two tables that go by their own names may share them when their schemas differ.
        same = [schema for alias, schema in taken if alias == item.alias]
        if item.relation_visible and any(not schema or not item.schema or schema == item.schema for schema in same):
            message = f'table name "{item.alias}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_ALIAS, message, location)
