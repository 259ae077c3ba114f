"""The rewrites in their order: from a relation as planned to one that is lowered to Spark."""

from __future__ import annotations

from planner.ir.relation import Relation
from planner.rules.unnesting import decorrelate


def optimize(relation: Relation) -> Relation:
    """The same rows of the same columns, without subqueries and lateral joins."""
    return decorrelate(relation)
