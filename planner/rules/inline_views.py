"""Views unfolded: a Get of a view becomes the view's relation, all the way down."""

from __future__ import annotations

from collections.abc import Callable

from model.ids.global_id import GlobalId
from planner.ir.locals import greatest_local_id, shift_local_ids
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Get, Project, Relation
from planner.ir.size import UNFOLDED_MAX, too_large
from planner.ir.visit import map_relation, walk_relation


def inline_views(relation: Relation, lookup: Callable[[GlobalId], Relation | None]) -> Relation:
    """`lookup` gives a view's own relation, with views still folded, and None for what holds data itself.

    54001 for views that read views twice, and so on, until the plan is too large."""
    if not any(isinstance(node, Get) and lookup(node.id) is not None for node in walk_relation(relation)):
        return relation
    greatest, size = greatest_local_id(relation), 0

    def change(node: Relation) -> Relation:
        nonlocal greatest, size
        if not isinstance(node, Get):
            return node
        view = lookup(node.id)
        if view is None:
            return node
        size += sum(1 for _ in walk_relation(view))
        if size > UNFOLDED_MAX:
            raise too_large()
        view = map_relation(view, change)
        shifted = shift_local_ids(view, greatest)
        greatest = max(greatest, greatest_local_id(shifted))
        # CREATE OR REPLACE VIEW may have added columns since the plan around this one was made.
        width = node.desc.arity
        return shifted if relation_desc_of(shifted).arity == width else Project(shifted, tuple(range(width)))

    return map_relation(relation, change)
