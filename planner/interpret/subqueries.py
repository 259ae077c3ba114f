"""Subqueries as closures: evaluated for the row outside, or once when they don't depend on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from model.datum import Row
from model.errors import SqlError
from model.order import key_function
from model.sqlstate import Sqlstate
from planner.interpret.execution import Evaluator, Interpretation, RowSource, Scopes
from planner.interpret.reach import Equality, equality_of, remembered
from planner.ir.scalar import (
    Exists,
    Quantifier,
    Scalar,
    Subquery,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
)

ScalarCompiler = Callable[[Scalar, Interpretation], Evaluator]


def compile_subquery(subquery: Subquery, execution: Interpretation, compile_scalar: ScalarCompiler) -> Evaluator:
    """`compile_scalar` compiles the condition of a SubqueryCompare."""
    source = remembered(subquery.relation, execution.compile_relation(subquery.relation, execution), execution)
    match subquery:
        case Exists():
            return lambda row, scopes: bool(source((row, *scopes)))
        case SubqueryValue():
            return _value(source)
        case SubqueryArray():
            return lambda row, scopes: tuple([inner[0] for inner in source((row, *scopes))])
        case SubqueryCompare():
            return _compare(subquery, source, execution, compile_scalar)
        case _:
            assert_never(subquery)


def _value(source: RowSource) -> Evaluator:
    def evaluate(row: Row, scopes: Scopes) -> Any:
        rows = source((row, *scopes))
        if len(rows) > 1:
            message = "more than one row returned by a subquery used as an expression"
            raise SqlError(Sqlstate.CARDINALITY_VIOLATION, message)
        return rows[0][0] if rows else None

    return evaluate


def _compare(
    node: SubqueryCompare, source: RowSource, execution: Interpretation, compile_scalar: ScalarCompiler
) -> Evaluator:
    equality = equality_of(node.condition)
    if equality is not None and node.quantifier is Quantifier.ANY and not execution.obvious:
        return _member(equality, source, execution, compile_scalar)
    condition = compile_scalar(node.condition, execution)
    decisive = node.quantifier is Quantifier.ANY

    def evaluate(row: Row, scopes: Scopes) -> bool | None:
        inside = (row, *scopes)
        result: bool | None = not decisive
        for candidate in source(inside):
            answer: bool | None = condition(candidate, inside)
            if answer is decisive:
                return answer
            if answer is None:
                result = None
        return result

    return evaluate


def _member(
    equality: Equality, source: RowSource, execution: Interpretation, compile_scalar: ScalarCompiler
) -> Evaluator:
    """`outside IN (subquery)` by hashing; the table is kept while the subquery's rows stay the same list."""
    inner, outer = compile_scalar(equality.own, execution), compile_scalar(equality.outer, execution)
    key = key_function(equality.type)
    kept: list[tuple[list[Row], set[Any], bool]] = []

    def table(rows: list[Row], scopes: Scopes) -> tuple[set[Any], bool]:
        if kept and kept[0][0] is rows:
            return kept[0][1], kept[0][2]
        values = [inner(candidate, scopes) for candidate in rows]
        present = {value if key is None else key(value) for value in values if value is not None}
        kept[:] = [(rows, present, None in values)]
        return present, None in values

    def evaluate(row: Row, scopes: Scopes) -> bool | None:
        inside = (row, *scopes)
        rows = source(inside)
        if not rows:
            return False
        # Nothing in the subquery's row can be read by the outer side, so any row serves.
        value = outer((), inside)
        if value is None:
            return None
        present, unknown = table(rows, inside)
        return True if (value if key is None else key(value)) in present else (None if unknown else False)

    return evaluate
