"""Views unfolded: a Get of a view becomes the view's relation, all the way down."""

from __future__ import annotations

from collections.abc import Callable

from model.global_id import GlobalId
from planner.ir.locals import greatest_local_id, shift_local_ids
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Get, Project, Relation
from planner.ir.visit import map_relation


def inline_views(relation: Relation, lookup: Callable[[GlobalId], Relation | None]) -> Relation:
    """`lookup` gives a view's own relation, with views still folded, and None for what holds data itself."""
    greatest = greatest_local_id(relation)

    def change(node: Relation) -> Relation:
        nonlocal greatest
        if not isinstance(node, Get):
            return node
        view = lookup(node.id)
        if view is None:
            return node
        view = map_relation(view, change)
        shifted = shift_local_ids(view, greatest)
        greatest = max(greatest, greatest_local_id(shifted))
        # CREATE OR REPLACE VIEW may have added columns since the plan around this one was made.
        width = node.desc.arity
        return shifted if relation_desc_of(shifted).arity == width else Project(shifted, tuple(range(width)))

    return map_relation(relation, change)
