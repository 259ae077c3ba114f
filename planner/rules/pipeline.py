"""The rewrites in their order: from a relation as planned to one that is lowered to Spark."""

from __future__ import annotations

from collections.abc import Callable

from planner.ir.relation import Relation
from planner.rules.decorrelation.decorrelate import decorrelate
from planner.rules.fold_constants import fold_constants
from planner.rules.order_joins import order_joins
from planner.rules.prune_columns import prune_columns
from planner.rules.push_filters import push_filters

REWRITES: tuple[Callable[[Relation], Relation], ...] = (
    fold_constants,
    decorrelate,
    push_filters,
    order_joins,
    prune_columns,
)


def optimize(relation: Relation) -> Relation:
    """The same rows of the same columns, without subqueries and lateral joins."""
    for rewrite in REWRITES:
        relation = rewrite(relation)
    return relation
