"""Tells whether an expression, or a relation, may give another value, or do something, at each evaluation."""

from __future__ import annotations

from model.types.scalar_type import TypeName
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.ir.relation import Relation
from planner.ir.scalar import Call, QuantifiedArray, Scalar, SessionValue, scalar_type
from planner.ir.visit import has_subquery, operands_of, scalars_of, subqueries_in, walk_relation

_CONCATENATIONS = ("concat_text_anynonarray", "concat_anynonarray_text")
"""Operators that are as stable as the text of their operands."""
_ALWAYS_WRITTEN_ALIKE = frozenset(
    (
        TypeName.BOOL,
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.NUMERIC,
        TypeName.FLOAT4,
        TypeName.FLOAT8,
        TypeName.TEXT,
        TypeName.VARCHAR,
        TypeName.BPCHAR,
        TypeName.UUID,
        TypeName.UNKNOWN,
    )
)
"""Types whose texts hang on no setting."""


def volatile(scalar: Scalar) -> bool:
    """Tells whether a scalar is volatile: true for a subquery too, into which nothing looks."""
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


def immutable(scalar: Scalar) -> bool:
    """Tells whether an expression gives the same value for a row for ever."""
    match scalar:
        case SessionValue():
            return False
        case Call(function=key, arguments=arguments) if key in _CONCATENATIONS:
            if not all(scalar_type(each).base().name in _ALWAYS_WRITTEN_ALIKE for each in arguments):
                return False
        case Call(function=key) | QuantifiedArray(comparison=key):
            if FUNCTIONS[key].volatility is not Volatility.IMMUTABLE or FUNCTIONS[key].needs_system:
                return False
        case _:
            pass
    return all(map(immutable, operands_of(scalar)))


def volatile_relation(relation: Relation) -> bool:
    """Tells as `volatile` does about all expressions in a relation."""
    return any(volatile(scalar) for node in walk_relation(relation) for scalar in scalars_of(node))
