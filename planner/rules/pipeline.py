"""The rewrites of a query's relation, in their order. Each keeps the columns and the rows."""

from __future__ import annotations

from collections.abc import Callable

from planner.ir.relation import Relation

REWRITES: tuple[Callable[[Relation], Relation], ...] = ()


def optimize(relation: Relation) -> Relation:
    """The relation as it is executed; the same columns and rows."""
    for rewrite in REWRITES:
        relation = rewrite(relation)
    return relation
