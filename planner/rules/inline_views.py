"""Puts each view's query in the view's place, however deep views are built on views.

Get(view)  ->  the view's relation, its own views unfolded, with the view's column names
"""

from __future__ import annotations

from collections.abc import Callable

from model.global_id import GlobalId
from planner.ir.relation import Get, Relation
from planner.ir.rewrite_gets import rewrite_gets

ViewLookup = Callable[[GlobalId], Relation | None]
"""The relation of a view; None for what is no view."""


def inline_views(relation: Relation, lookup: ViewLookup) -> Relation:
    """The relation without any Get of a view."""

    def replace(get: Get) -> Relation:
        view = lookup(get.id)
        return get if view is None else inline_views(view, lookup)

    return rewrite_gets(relation, replace)
