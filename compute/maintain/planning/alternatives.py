"""Conditions that are true in one of several ways; each way has keys although the whole has none.

    a = b OR c = d                a = b | c = d
    a = b OR (a = b) IS NULL      a = b | a IS NULL | b IS NULL

The second condition comes from NOT IN; over two columns NOT IN combines three ways for each column, nine in all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from compute.maintain.planning.segments import conjunction
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import BOOL
from planner.functions.registry import FUNCTIONS
from planner.interpret.reach import infallible
from planner.ir.scalar import And, Call, Column, Or, Scalar
from planner.ir.unit import conjuncts

Conjuncts = tuple[Scalar, ...]
_ALTERNATIVES_MAX = 9
_COMPARISONS = frozenset(("=", "<>", "<", "<=", ">", ">="))


def alternatives(predicate: Scalar, columns: Sequence[ColumnDesc]) -> tuple[Conjuncts, ...]:
    """Returns conjunctions of which at least one is true wherever the predicate over `columns` is true.

    Empty when the predicate has no such alternatives.
    """
    if not isinstance(predicate, Or) or not infallible(predicate):
        return ()
    never_null = {Column(at, column.type) for at, column in enumerate(columns) if not column.nullable}

    def impossible(part: Scalar) -> bool:
        return isinstance(part, Call) and part.function == "is_null_any" and part.arguments[0] in never_null

    ways = [way for way in _ways(predicate) if not any(map(impossible, way))]
    return tuple(ways) if len(ways) <= _ALTERNATIVES_MAX else ()


def without_earlier(ways: Sequence[Conjuncts]) -> tuple[Conjuncts, ...]:
    """Makes the ways exclude each other: each excludes the ways before."""
    return tuple(
        (*way, *(Call("is_not_true_bool", (conjunction(each),), BOOL) for each in ways[:at]))
        for at, way in enumerate(ways)
    )


def factored(predicate: Scalar) -> Conjuncts:
    """Splits an OR into the conjuncts common to all operands, and the OR of the rest: p AND (q OR r) for p AND q OR
    p AND r."""
    if not isinstance(predicate, Or):
        return (predicate,)
    operands = [conjuncts(operand) for operand in predicate.operands]
    everywhere = [part for part in operands[0] if all(part in others for others in operands)]
    if not everywhere or any(all(part in everywhere for part in operand) for operand in operands):
        return tuple(everywhere) or (predicate,)
    rest = (conjunction([part for part in operand if part not in everywhere]) for operand in operands)
    return (*everywhere, Or(tuple(rest)))


def _ways(predicate: Scalar) -> list[Conjuncts]:
    match predicate:
        case Or((known, Call("is_null_any", (same,)))) if known == same and _is_comparisons(known):
            choices = [[(part,), *_is_null(part)] for part in conjuncts(known)]
            return [tuple(each for way in choice for each in way) for choice in product(*choices)]
        case Or():
            return [way for operand in predicate.operands for way in _ways(operand)]
        case And():
            choices = [_ways(operand) for operand in predicate.operands]
            return [tuple(each for way in choice for each in way) for choice in product(*choices)]
        case _:
            return [(predicate,)]


def _is_comparisons(predicate: Scalar) -> bool:
    """Returns whether the predicate is a conjunction of comparisons that are NULL only for a NULL operand."""

    def compares(part: Scalar) -> bool:
        if not isinstance(part, Call):
            return False
        function = FUNCTIONS[part.function]
        return function.name in _COMPARISONS and function.strict and not function.typed

    return all(map(compares, conjuncts(predicate)))


def _is_null(comparison: Scalar) -> list[Conjuncts]:
    assert isinstance(comparison, Call)
    return [(Call("is_null_any", (operand,), BOOL),) for operand in comparison.arguments]
