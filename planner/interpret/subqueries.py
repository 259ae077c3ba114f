"""Subqueries as closures: evaluated for the row outside, or once when they don't depend on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, assert_never

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.order.datum_order import key_function
from model.types.datum import Row
from planner.interpret.execution import Evaluator, Gathered, Interpretation, RowSource, Scopes
from planner.interpret.gathering import GatheredIndex, gathering
from planner.interpret.reach import Equality, equality_of, infallible, remembered
from planner.ir.relation import Project, Reduce, Relation
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
RowsAsked = Callable[[Scopes], Iterable[Row]]
"""A subquery's rows; those that may have no end are made when they are asked for."""


def compile_subquery(subquery: Subquery, execution: Interpretation, compile_scalar: ScalarCompiler) -> Evaluator:
    """Compiles a subquery; `compile_scalar` compiles the condition of a SubqueryCompare."""
    match subquery:
        case Exists():
            return _exists(_asked(existing(subquery.relation), execution))
        case SubqueryValue():
            return _value(_asked(subquery.relation, execution))
        case SubqueryArray():
            source = _whole(subquery.relation, execution)
            return lambda row, scopes: tuple([inner[0] for inner in source((row, *scopes))])
        case SubqueryCompare():
            equality = equality_of(subquery.condition)
            if equality is not None and subquery.quantifier is Quantifier.ANY and not execution.obvious:
                if execution.endless(subquery.relation):
                    return _sought(equality, gathering(subquery.relation, execution), execution, compile_scalar)
                return _member(equality, _whole(subquery.relation, execution), execution, compile_scalar)
            return _compare(subquery, _asked(subquery.relation, execution), execution, compile_scalar)
        case _:
            assert_never(subquery)


def _whole(relation: Relation, execution: Interpretation) -> RowSource:
    return remembered(relation, execution.compile_relation(relation, execution), execution)


def _asked(relation: Relation, execution: Interpretation) -> RowsAsked:
    return gathering(relation, execution) if execution.endless(relation) else _whole(relation, execution)


def existing(relation: Relation) -> Relation:
    """Returns a simpler relation that has rows exactly when the relation has: without DISTINCT and order."""
    while True:
        match relation:
            case Reduce(aggregates=(), key=key) if key and all(map(infallible, key)):
                relation = relation.input
            case Project():
                relation = relation.input
            case _:
                return relation


def _exists(source: RowsAsked) -> Evaluator:
    return lambda row, scopes: any(True for _ in source((row, *scopes)))


def _value(source: RowsAsked) -> Evaluator:
    def evaluate(row: Row, scopes: Scopes) -> Any:
        rows = list(islice(source((row, *scopes)), 2))
        if len(rows) > 1:
            message = "more than one row returned by a subquery used as an expression"
            raise SqlError(Sqlstate.CARDINALITY_VIOLATION, message)
        return rows[0][0] if rows else None

    return evaluate


def _compare(
    node: SubqueryCompare, source: RowsAsked, execution: Interpretation, compile_scalar: ScalarCompiler
) -> Evaluator:
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
    """Evaluates `outside IN (subquery)` by hashing; the table is kept while the subquery's rows stay the same list."""
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


def _sought(
    equality: Equality,
    source: Callable[[Scopes], Gathered],
    execution: Interpretation,
    compile_scalar: ScalarCompiler,
) -> Evaluator:
    """Evaluates as `_member` does, reading the subquery's rows up to the first equal one."""
    inner, outer = compile_scalar(equality.own, execution), compile_scalar(equality.outer, execution)
    key = key_function(equality.type)
    kept: list[tuple[Gathered, GatheredIndex]] = []

    def keyed(value: Any) -> Any:
        return value if key is None or value is None else key(value)

    def evaluate(row: Row, scopes: Scopes) -> bool | None:
        inside = (row, *scopes)
        rows = source(inside)
        value = outer((), inside)
        if value is None:
            return None if any(True for _ in rows) else False
        if not kept or kept[0][0] is not rows:
            kept[:] = [(rows, GatheredIndex(rows, lambda candidate: keyed(inner(candidate, inside))))]
        index = kept[0][1]
        if any(True for _ in index.matching(keyed(value))):
            return True
        return None if index.unknown else False

    return evaluate
