"""Tells whether an expression, or a relation, may give another value, or do something, at each evaluation."""

from __future__ import annotations

from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.ir.relation import Relation
from planner.ir.scalar import Call, Scalar
from planner.ir.visit import has_subquery, operands_of, scalars_of, subqueries_in, walk_relation


def volatile(scalar: Scalar) -> bool:
    """True for a subquery too: what is in it is not looked at."""
    return has_subquery(scalar) or _calls_itself(scalar)


def calls_volatile(scalar: Scalar) -> bool:
    """Tells whether an expression, or a subquery in it, calls a volatile function: random, nextval, pg_sleep."""
    return _calls_itself(scalar) or any(map(relation_calls_volatile, subqueries_in(scalar)))


def relation_calls_volatile(relation: Relation) -> bool:
    """Tells whether a relation, or a subquery in it, calls a volatile function."""
    return any(_calls_itself(scalar) for node in walk_relation(relation) for scalar in scalars_of(node))


def _calls_itself(scalar: Scalar) -> bool:
    if isinstance(scalar, Call) and FUNCTIONS[scalar.function].volatility is Volatility.VOLATILE:
        return True
    return any(map(_calls_itself, operands_of(scalar)))


def volatile_relation(relation: Relation) -> bool:
    """Tells as `volatile` does about all expressions in a relation."""
    return any(volatile(scalar) for node in walk_relation(relation) for scalar in scalars_of(node))
