"""Tells whether an expression, or a relation, may give another value at each evaluation."""

from __future__ import annotations

from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.ir.relation import Relation
from planner.ir.scalar import Call, Scalar
from planner.ir.visit import has_subquery, operands_of, scalars_of, walk_relation


def volatile(scalar: Scalar) -> bool:
    """True for a subquery too: what is in it is not looked at."""
    if isinstance(scalar, Call) and FUNCTIONS[scalar.function].volatility is Volatility.VOLATILE:
        return True
    return has_subquery(scalar) or any(map(volatile, operands_of(scalar)))


def volatile_relation(relation: Relation) -> bool:
    """Tells as `volatile` does about all expressions in a relation."""
    return any(volatile(scalar) for node in walk_relation(relation) for scalar in scalars_of(node))
