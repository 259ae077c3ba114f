"""Records compared column by column: the results of = and < for records of different shapes.

Columns are compared from the first on, up to the first difference, so only columns up to the difference can raise:
42804 for two columns of different types, 42883 for a type without equality or order, and 42804 if all common columns
are equal but one record has more columns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.order.datum_order import sort_key
from model.types.arrays import items_of
from model.types.scalar_type import ScalarType, TypeName, bare_text, declared_oid

_GEOMETRY = (TypeName.POINT, TypeName.BOX, TypeName.LSEG, TypeName.CIRCLE)
WITHOUT_EQUALITY = frozenset((TypeName.JSON, TypeName.JSONPATH, TypeName.PG_NODE_TREE, *_GEOMETRY))
WITHOUT_ORDER = WITHOUT_EQUALITY | {TypeName.XID, TypeName.ACLITEM}

Compare = Callable[[Any, Any], int]
"""Negative, 0 or positive, as the left value is less, equal or greater."""


@lru_cache(maxsize=1024)
def record_comparison(left: ScalarType, right: ScalarType, *, ordered: bool) -> Compare:
    """Compares records of these types; `ordered`: what is asked is more than whether they are equal."""
    if _alike(left, right, WITHOUT_ORDER if ordered else WITHOUT_EQUALITY):
        return _by_keys(left, right)
    return _by_columns(left, right, ordered)


def _alike(left: ScalarType, right: ScalarType, incomparable: frozenset[TypeName]) -> bool:
    """Tells whether all values of these types can be compared."""
    if left.element is not None and right.element is not None:
        return _alike(left.element, right.element, incomparable)
    if left.name is not TypeName.RECORD or right.name is not TypeName.RECORD:
        return declared_oid(left) == declared_oid(right) and left.name not in incomparable
    return len(left.fields) == len(right.fields) and all(
        declared_oid(a) == declared_oid(b) and _alike(a, b, incomparable)
        for (_, a), (_, b) in zip(left.fields, right.fields, strict=True)
    )


def _by_keys(left: ScalarType, right: ScalarType) -> Compare:
    left_key, right_key = sort_key(left), sort_key(right)

    def compare(a: Any, b: Any) -> int:
        first, second = left_key(a), right_key(b)
        return bool(first > second) - bool(first < second)

    return compare


def _by_columns(left: ScalarType, right: ScalarType, ordered: bool) -> Compare:
    """Compiles a comparison for each pair of columns; a comparison that must fail raises when its columns are
    reached.
    """
    pairs = list(zip(left.fields, right.fields, strict=False))
    columns = [_column(a, b, number, ordered) for number, ((_, a), (_, b)) in enumerate(pairs, start=1)]
    same_count = len(left.fields) == len(right.fields)

    def compare(first: tuple[Any, ...], second: tuple[Any, ...]) -> int:
        for column, a, b in zip(columns, first, second, strict=False):
            decided = column(a, b)
            if decided:
                return decided
        if not same_count:
            message = "cannot compare record types with different numbers of columns"
            raise SqlError(Sqlstate.DATATYPE_MISMATCH, message)
        return 0

    return compare


def _column(left: ScalarType, right: ScalarType, number: int, ordered: bool) -> Compare:
    """Returns the comparison of column `number` of two records, with NULL as the greatest value. A column whose types
    can't be compared gives a comparison that fails, even for NULLs."""
    if declared_oid(left) != declared_oid(right):
        types = f"{bare_text(left)} and {bare_text(right)}"
        message = f"cannot compare dissimilar column types {types} at record column {number}"
        return _failing(Sqlstate.DATATYPE_MISMATCH, message)
    if _incomparable(left, WITHOUT_ORDER if ordered else WITHOUT_EQUALITY):
        what = "a comparison function" if ordered else "an equality operator"
        return _failing(Sqlstate.UNDEFINED_FUNCTION, f"could not identify {what} for type {bare_text(left)}")
    return _nullable(_values(left, right, ordered))


def _failing(sqlstate: Sqlstate, message: str) -> Compare:
    def fail(left: Any, right: Any) -> int:
        raise SqlError(sqlstate, message)

    return fail


def _incomparable(type_: ScalarType, names: frozenset[TypeName]) -> bool:
    """Tells whether a type contains incomparable values; an unnamed record's contents are unknown until it exists."""
    if type_.element is not None:
        return _incomparable(type_.element, names)
    if type_.composite is not None:
        return any(_incomparable(field, names) for _, field in type_.fields)
    return type_.name in names


def _nullable(compare: Compare) -> Compare:
    def nulls_last(left: Any, right: Any) -> int:
        if left is None or right is None:
            return (left is None) - (right is None)
        return compare(left, right)

    return nulls_last


def _values(left: ScalarType, right: ScalarType, ordered: bool) -> Compare:
    """Compares records: the types have the same oid; records without a name may differ inside all the same."""
    if left.name is TypeName.RECORD:
        return record_comparison(left, right, ordered=ordered)
    if left.element is None or right.element is None or left.element.name is not TypeName.RECORD:
        return _by_keys(left, right)
    element = _nullable(record_comparison(left.element, right.element, ordered=ordered))

    def compare(first: Any, second: Any) -> int:
        decisions = (element(a, b) for a, b in zip(items_of(first), items_of(second), strict=False))
        return next((decided for decided in decisions if decided), len(items_of(first)) - len(items_of(second)))

    return compare
