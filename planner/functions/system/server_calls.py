"""Calls that only the server can make, each time that they are evaluated: nextval, set_config."""

from __future__ import annotations

from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.ir.relation import Relation
from planner.ir.scalar import Call, Scalar
from planner.ir.visit import operands_of, scalars_of, walk_relation


def calls_server(scalar: Scalar) -> bool:
    """Tells whether an expression contains such a call, outside of its subqueries."""
    if isinstance(scalar, Call):
        function = FUNCTIONS[scalar.function]
        if function.needs_system and function.volatility is Volatility.VOLATILE:
            return True
    return any(map(calls_server, operands_of(scalar)))


def relation_calls_server(relation: Relation) -> bool:
    """Tells whether a relation contains such a call."""
    return any(calls_server(scalar) for node in walk_relation(relation) for scalar in scalars_of(node))
