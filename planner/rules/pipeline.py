"""The rewrites in their order: from a relation as planned to one that is executed."""

from __future__ import annotations

from collections.abc import Callable

from model.ids.global_id import Namespace
from planner.ir.properties import remembering_columns
from planner.ir.relation import Get, Relation
from planner.ir.visit import walk_relation
from planner.rules.decimals.telling import tell_decimals
from planner.rules.decorrelation.decorrelate import decorrelate
from planner.rules.fold_constants import fold_constants, noting_failures
from planner.rules.guard_filtered import guard_filtered
from planner.rules.inline_subqueries import inline_subqueries
from planner.rules.keep_decimals import keep_decimals
from planner.rules.order_joins import order_joins
from planner.rules.prune_columns import prune_columns, prune_maintained_columns
from planner.rules.push_filters import push_filters
from planner.rules.raise_constants import raise_constants

Rewrite = Callable[[Relation], Relation]

REWRITES: tuple[Rewrite, ...] = (
    inline_subqueries,
    guard_filtered,
    fold_constants,
    decorrelate,
    push_filters,
    order_joins,
    prune_columns,
)

INTERPRETED: tuple[Rewrite, ...] = tuple(rewrite for rewrite in REWRITES if rewrite is not decorrelate)
"""The interpreter evaluates subqueries where they stand, each only for the rows that ask for it."""


_MAINTAINED: tuple[Rewrite, ...] = (
    inline_subqueries,
    guard_filtered,
    fold_constants,
    decorrelate,
    tell_decimals,
    push_filters,
    order_joins,
    prune_maintained_columns,
)


def optimize(relation: Relation) -> Relation:
    """Returns the same rows of the same columns; without subqueries and lateral joins when collections of users are
    read."""
    return _rewritten(relation, REWRITES if _reads_users(relation) else INTERPRETED)


def optimize_statement(relation: Relation, *, answered: bool = False) -> Relation:
    """Optimizes as `optimize` does, for a statement, which fails where PostgreSQL finds a failing expression of
    constants. `answered`: all its rows are a client's, and none is stored."""
    if answered and not _reads_users(relation):
        relation = keep_decimals(relation)
    with noting_failures() as failed:
        rewritten = optimize(relation)
    if failed:
        raise_constants(relation)
    return rewritten


def optimize_maintained(relation: Relation) -> Relation:
    """Optimizes as `optimize` does, for a dataflow: without subqueries and lateral joins, whatever is read."""
    return _rewritten(relation, _MAINTAINED)


def optimize_followed(relation: Relation) -> Relation:
    """Returns a statement's relation, as `optimize` made it, as a dataflow follows it."""
    return _rewritten(relation, (tell_decimals, prune_maintained_columns))


def _rewritten(relation: Relation, rewrites: tuple[Rewrite, ...]) -> Relation:
    with remembering_columns():
        for rewrite in rewrites:
            relation = rewrite(relation)
    return relation


def _reads_users(relation: Relation) -> bool:
    return any(isinstance(node, Get) and node.id.namespace is not Namespace.SYSTEM for node in walk_relation(relation))
