"""Comparisons by operator, of rows field by field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from model.errors.sqlstate import Sqlstate
from planner.expressions.calls import call_operator
from planner.expressions.planner import Expressions
from planner.ir.columns import awaited_by
from planner.ir.placeholder import TableCallField, TableCallValue
from planner.ir.scalar import And, Or, RowOf, Scalar

_COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")


def compare(expressions: Expressions, symbol: str, left: Scalar, right: Scalar, location: int) -> Scalar:
    """Compares `left symbol right`, rows field by field."""
    if isinstance(left, RowOf) and isinstance(right, RowOf):
        return compare_rows(expressions, symbol, left.fields, right.fields, location)
    return call_operator(expressions.analysis, symbol, [left, right], location, [location, location])


def refuse_sets(expressions: Expressions, values: Iterable[Scalar], location: int) -> None:
    """Raises 42804 for set-returning functions in values that are compared as a row, as PostgreSQL does, with a
    subquery's rows too."""
    if any(isinstance(each, TableCallValue | TableCallField) for value in values for each in awaited_by(value)):
        message = "row comparison operator must not return a set"
        raise expressions.analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)


def compare_rows(
    expressions: Expressions, symbol: str, left: Sequence[Scalar], right: Sequence[Scalar], location: int
) -> Scalar:
    """Compares ROW(…) op ROW(…) field by field, three-valued; for < and the like the first unequal pair decides."""
    analysis = expressions.analysis
    if len(left) != len(right):
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "unequal number of entries in row expressions", location)
    if not left:
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, "cannot compare rows of zero length", location)
    if symbol not in _COMPARISONS:
        compare(expressions, symbol, left[0], right[0], location)
        raise analysis.error(
            Sqlstate.FEATURE_NOT_SUPPORTED,
            f"could not determine interpretation of row comparison operator {symbol}",
            location,
            hint="Row comparison operators must be associated with btree operator families.",
        )

    refuse_sets(expressions, (*left, *right), location)

    def pair(op: str, at: int) -> Scalar:
        return compare(expressions, op, left[at], right[at], location)

    count = len(left)
    if symbol in ("=", "<>"):
        pairs = tuple(pair(symbol, at) for at in range(count))
        if count == 1:
            return pairs[0]
        return And(pairs) if symbol == "=" else Or(pairs)
    strict = symbol[0]
    result = pair(symbol, count - 1)
    for at in range(count - 2, -1, -1):
        result = Or((pair(strict, at), And((pair("=", at), result))))
    return result
