"""Predicates of filters and joins: selects rows, and finds predicates to decide earlier or by a lookup.

A row passes when every predicate is true. A false or NULL predicate drops the row, whatever errors further predicates
make.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from model.errors.sql_error import SqlError
from model.order.datum_order import key_function
from model.types.datum import Row
from planner.interpret.execution import Evaluator, Gathered, Interpretation, RowFlow, RowSource, Scopes
from planner.interpret.gathering import GatheredIndex, gathering
from planner.interpret.reach import Equality, equality_of, remembered
from planner.interpret.scalars import compile_scalar, compile_scalars
from planner.ir.relation import Filter, Relation
from planner.ir.scalar import Scalar
from planner.ir.unit import conjuncts


def selection(predicates: Sequence[Evaluator]) -> Evaluator:
    """Returns the test whether all predicates are true."""
    if len(predicates) == 1:
        only = predicates[0]
        return lambda row, scopes: only(row, scopes) is True

    def passes(row: Row, scopes: Scopes) -> bool:
        failure: SqlError | None = None
        for predicate in predicates:
            try:
                if predicate(row, scopes) is not True:
                    return False
            except SqlError as error:
                failure = failure or error
        if failure is not None:
            raise failure
        return True

    return passes


def compile_filter(filter_: Filter, execution: Interpretation) -> RowSource:
    """Returns the rows that pass; by a lookup where a predicate compares a column with a row outside."""
    source = execution.compile_relation(filter_.input, execution)
    predicates = conjuncts(*filter_.predicates)
    if not execution.obvious:
        for index, predicate in enumerate(predicates):
            equality = equality_of(predicate)
            if equality is not None:
                kept = remembered(filter_.input, source, execution)
                rest = predicates[:index] + predicates[index + 1 :]
                if kept is not source:
                    return _lookup(kept, equality, rest, execution)
    passes = selection(compile_scalars(predicates, execution))
    return lambda scopes: [row for row in source(scopes) if passes(row, scopes)]


def _lookup(source: RowSource, equality: Equality, rest: Sequence[Scalar], execution: Interpretation) -> RowSource:
    """Returns an index over the input's rows, kept while they are the same list."""
    own, outer = compile_scalar(equality.own, execution), compile_scalar(equality.outer, execution)
    key = key_function(equality.type)
    passes = selection(compile_scalars(rest, execution)) if rest else None
    kept: list[tuple[list[Row], dict[Any, list[Row]]]] = []

    def index_of(rows: list[Row], scopes: Scopes) -> dict[Any, list[Row]]:
        if kept and kept[0][0] is rows:
            return kept[0][1]
        index: dict[Any, list[Row]] = {}
        for row in rows:
            value = own(row, scopes)
            if value is not None:
                index.setdefault(value if key is None else key(value), []).append(row)
        kept[:] = [(rows, index)]
        return index

    def find(scopes: Scopes) -> list[Row]:
        value = outer((), scopes)
        if value is None:
            return []
        found = index_of(source(scopes), scopes).get(value if key is None else key(value), [])
        return [row for row in found if passes(row, scopes)] if passes is not None else found

    return find


def filter_flow(filter_: Filter, execution: Interpretation) -> RowFlow:
    """Returns the rows that pass; by a lookup where a predicate compares a column with a row outside."""
    predicates = conjuncts(*filter_.predicates)
    if execution.endless(filter_.input):
        for index, predicate in enumerate(predicates):
            equality = equality_of(predicate)
            if equality is not None:
                return _lookup_flow(filter_.input, equality, predicates[:index] + predicates[index + 1 :], execution)
    source = execution.compile_flow(filter_.input, execution)
    passes = selection(compile_scalars(predicates, execution))
    return lambda scopes: (row for row in source(scopes) if passes(row, scopes))


def _lookup_flow(input_: Relation, equality: Equality, rest: Sequence[Scalar], execution: Interpretation) -> RowFlow:
    """Returns an index over the input's rows, kept while they are the same."""
    source = gathering(input_, execution)
    own, outer = compile_scalar(equality.own, execution), compile_scalar(equality.outer, execution)
    key = key_function(equality.type)
    passes = selection(compile_scalars(rest, execution)) if rest else None
    kept: list[tuple[Gathered, GatheredIndex]] = []

    def keyed(value: Any) -> Any:
        return value if key is None or value is None else key(value)

    def flow(scopes: Scopes) -> Iterator[Row]:
        rows = source(scopes)
        if not kept or kept[0][0] is not rows:
            kept[:] = [(rows, GatheredIndex(rows, lambda row: keyed(own(row, scopes))))]
        for row in kept[0][1].matching(keyed(outer((), scopes))):
            if passes is None or passes(row, scopes):
                yield row

    return flow
