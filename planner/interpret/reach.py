"""Analyses expressions: the rows they read, and if they may fail or vary; finds equalities that can be hashed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from model.types.datum import Row
from model.types.scalar_type import ScalarType
from planner.functions.comparison import equates_by_class
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.interpret.execution import Gathered, Interpretation, Scopes
from planner.ir.columns import nearest_depth
from planner.ir.locals import bound_by
from planner.ir.relation import LocalGet, Relation
from planner.ir.scalar import (
    Call,
    Case,
    Exists,
    Literal,
    OuterColumn,
    QuantifiedArray,
    Scalar,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
    scalar_type,
)
from planner.ir.visit import operands_of, rewrite_relation, walk_relation

Rows = TypeVar("Rows")


@dataclass(frozen=True, slots=True)
class Equality:
    """An equality `own = outer` between a row and the rows outside: `own` reads columns of the row, `outer` only rows
    further out (or no row)."""

    own: Scalar
    outer: Scalar
    type: ScalarType


def is_equality(scalar: Scalar) -> bool:
    """Tells whether a condition is an = of two values of one type that has a hash; arrays and records are left to the
    nested loop."""
    if not isinstance(scalar, Call) or len(scalar.arguments) != 2:
        return False
    return equates_by_class(scalar.function) and not FUNCTIONS[scalar.function].typed


def infallible(scalar: Scalar) -> bool:
    """Tells whether an expression may be evaluated early and often: it can't fail, vary or cost a subquery."""
    match scalar:
        case Exists() | SubqueryValue() | SubqueryArray() | SubqueryCompare():
            return False
        case _:
            return certain_itself(scalar) and all(map(infallible, operands_of(scalar)))


def certain_itself(scalar: Scalar) -> bool:
    """Tells whether the function that an expression calls, if any, can neither fail nor vary; its operands may."""
    match scalar:
        case Call():
            function = FUNCTIONS[scalar.function]
            return not (function.fallible or function.volatility is Volatility.VOLATILE or function.needs_system)
        case QuantifiedArray():
            return not FUNCTIONS[scalar.comparison].fallible
        case _:
            return True


def guarded(condition: Scalar | None, scalar: Scalar) -> Scalar:
    """Wraps a fallible argument of an aggregate with FILTER, to be evaluated only for rows that count. A wrapped
    argument stays unchanged.
    """
    if condition is None or infallible(scalar):
        return scalar
    type_ = scalar_type(scalar)
    nothing = Literal(None, type_)
    if (
        isinstance(scalar, Case)
        and [when for when, _ in scalar.branches] == [condition]
        and scalar.otherwise == nothing
    ):
        return scalar
    return Case(((condition, scalar),), nothing, type_)


def equality_of(scalar: Scalar) -> Equality | None:
    """Returns the expression as an equality between its own row and the rows outside; None when it isn't one."""
    if not is_equality(scalar):
        return None
    assert isinstance(scalar, Call)
    left, right = scalar.arguments
    for own, outer in ((left, right), (right, left)):
        if nearest_depth(own) == 0 and nearest_depth(outer) != 0 and infallible(own) and infallible(outer):
            if not _reads_outside(own):
                return Equality(own, outer, scalar_type(own))
    return None


def _reads_outside(scalar: Scalar) -> bool:
    return isinstance(scalar, OuterColumn) or any(map(_reads_outside, operands_of(scalar)))


def _correlated(relation: Relation) -> bool:
    found: list[Scalar] = []

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, OuterColumn) and node.depth > level:
            found.append(node)
        return None

    rewrite_relation(relation, visit, 0)
    return bool(found)


def remembered(
    relation: Relation, source: Callable[[Scopes], Rows], execution: Interpretation
) -> Callable[[Scopes], Rows]:
    """Returns a `source` that evaluates once while its inputs stay the same; returns `source` itself if it depends on
    outer rows. Volatile values, such as random(), are evaluated once too, as PostgreSQL does for a subquery without
    outer references.
    """
    nodes = list(walk_relation(relation))
    if execution.obvious or _correlated(relation):
        return source
    own = {local_id for node in nodes for local_id in bound_by(node)}
    local_ids = sorted({node.local_id for node in nodes if isinstance(node, LocalGet)} - own)
    kept: list[tuple[list[list[Row] | Gathered | None], Rows]] = []

    def recall(scopes: Scopes) -> Rows:
        bound = [execution.locals.get(local_id) for local_id in local_ids]
        if kept and all(old is new for old, new in zip(kept[0][0], bound, strict=True)):
            return kept[0][1]
        rows = source(scopes)
        kept[:] = [(bound, rows)]
        return rows

    return recall
