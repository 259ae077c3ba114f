"""= <> < <= > >=, IS [NOT] DISTINCT FROM, IS [NOT] NULL, GREATEST and LEAST, by the order of model/order.

Two arguments of one type; varchar and the reg* types are compared as text and oid, to which the planner casts them.
"""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from typing import Any

from model.order.datum_order import key_function, sort_key
from model.types.scalar_type import (
    BOOL,
    INT4,
    RECORD,
    TEXT,
    XID,
    ScalarType,
    TypeName,
)
from model.types.type_table import TYPES
from planner.functions.rows import (
    ANY,
    ANYARRAY,
    ANYCOMPATIBLELIST,
    ANYCOMPATIBLEMAP,
    ANYELEMENT,
    ANYENUM,
    ANYMULTIRANGE,
    ANYRANGE,
    first_type,
    operator,
    syntax,
)
from planner.functions.signature import Function
from planner.functions.types.record_comparison import record_comparison

ORDERED = tuple(ScalarType(name) for name in TypeName if TYPES[name].order is not None)
"""The types that have an order of their own, arrays and records aside."""

_PATTERN_ORDERS = (("~<~", "lt"), ("~<=~", "le"), ("~>~", "gt"), ("~>=~", "ge"))
"""The orders that PostgreSQL's pattern operator classes use: by bytes, as all text is ordered here."""

_Comparison = Callable[[Any, Any], bool]
_ORDERS: tuple[tuple[str, str, _Comparison], ...] = (
    ("=", "eq", python.eq),
    ("<>", "ne", python.ne),
    ("<", "lt", python.lt),
    ("<=", "le", python.le),
    (">", "gt", python.gt),
    (">=", "ge", python.ge),
)


def equates_by_class(key: str) -> bool:
    """Tells whether a function is the `=` by which values are hashed, sorted and grouped: that of boxes is not, which
    compares areas."""
    return key.startswith("eq_")


def _by_key(compare: _Comparison, type_: ScalarType) -> _Comparison:
    key = key_function(type_)
    if key is None:
        return compare
    return lambda left, right: compare(key(left), key(right))


def _typed(compare: _Comparison) -> Callable[[tuple[ScalarType, ...], Any, Any], bool]:
    """Compares with the types of both sides at hand: records may differ in their shapes."""
    return lambda types, left, right: compare(sort_key(types[0])(left), sort_key(types[1])(right))


def _distinct(equal: _Comparison) -> Callable[[Any, Any], bool]:
    def distinct(left: Any, right: Any) -> bool:
        if left is None or right is None:
            return left is not right
        return not equal(left, right)

    return distinct


def _not(decide: Callable[..., bool]) -> Callable[..., bool]:
    return lambda *arguments: not decide(*arguments)


def _of_type(type_: ScalarType) -> list[Function]:
    pair = (type_, type_)
    equal = _by_key(python.eq, type_)
    return [
        *(operator(symbol, word, pair, BOOL, _by_key(compare, type_)) for symbol, word, compare in _ORDERS),
        syntax("distinct", pair, BOOL, _distinct(equal), strict=False),
        syntax("not_distinct", pair, BOOL, _not(_distinct(equal)), strict=False),
    ]


def _typed_distinct(types: tuple[ScalarType, ...], left: Any, right: Any) -> bool:
    return _distinct(lambda a, b: sort_key(types[0])(a) == sort_key(types[1])(b))(left, right)


def _polymorphic(type_: ScalarType) -> list[Function]:
    pair = (type_, type_)
    return [
        *(operator(symbol, word, pair, BOOL, _typed(compare), typed=True) for symbol, word, compare in _ORDERS),
        syntax("distinct", pair, BOOL, _typed_distinct, strict=False, typed=True),
        syntax("not_distinct", pair, BOOL, _not(_typed_distinct), strict=False, typed=True),
    ]


def _between_records(compare: _Comparison, ordered: bool) -> Callable[[tuple[ScalarType, ...], Any, Any], bool]:
    return lambda types, left, right: compare(record_comparison(*types, ordered=ordered)(left, right), 0)


def _distinct_records(types: tuple[ScalarType, ...], left: Any, right: Any) -> bool:
    return _distinct(lambda a, b: record_comparison(*types, ordered=False)(a, b) == 0)(left, right)


def _of_records() -> list[Function]:
    pair = (RECORD, RECORD)
    operators = []
    for symbol, word, compare in _ORDERS:
        decide = _between_records(compare, ordered=word not in ("eq", "ne"))
        operators.append(operator(symbol, word, pair, BOOL, decide, typed=True, fallible=True))
    return [
        *operators,
        syntax("distinct", pair, BOOL, _distinct_records, strict=False, typed=True, fallible=True),
        syntax("not_distinct", pair, BOOL, _not(_distinct_records), strict=False, typed=True, fallible=True),
    ]


def _is_null(types: tuple[ScalarType, ...], value: Any) -> bool:
    """Tells whether a value IS NULL; a record is when all of its fields are."""
    return value is None or (types[0].name is RECORD.name and all(item is None for item in value))


def _is_not_null(types: tuple[ScalarType, ...], value: Any) -> bool:
    return value is not None and (types[0].name is not RECORD.name or all(item is not None for item in value))


def _extreme(choose: Callable[..., Any]) -> Callable[..., Any]:
    def evaluate(types: tuple[ScalarType, ...], *values: Any) -> Any:
        present = [value for value in values if value is not None]
        return choose(present, key=sort_key(types[0])) if present else None

    return evaluate


FUNCTIONS: tuple[Function, ...] = (
    *(row for type_ in (*ORDERED, ANYENUM) for row in _of_type(type_)),
    *(
        operator(symbol, word, (TEXT, TEXT), BOOL, compare)
        for symbol, word in _PATTERN_ORDERS
        for _, known, compare in _ORDERS
        if known == word
    ),
    *(
        row
        for type_ in (ANYARRAY, ANYRANGE, ANYMULTIRANGE, ANYCOMPATIBLELIST, ANYCOMPATIBLEMAP)
        for row in _polymorphic(type_)
    ),
    *_of_records(),
    operator("=", "eq", (XID, XID), BOOL, python.eq),
    operator("<>", "ne", (XID, XID), BOOL, python.ne),
    operator("=", "eq", (XID, INT4), BOOL, lambda xid, number: xid == number % 2**32),
    operator("<>", "ne", (XID, INT4), BOOL, lambda xid, number: xid != number % 2**32),
    syntax("is_null", (ANY,), BOOL, _is_null, strict=False, typed=True),
    syntax("is_not_null", (ANY,), BOOL, _is_not_null, strict=False, typed=True),
    syntax("greatest", (ANYELEMENT,), first_type, _extreme(max), strict=False, variadic=True, typed=True),
    syntax("least", (ANYELEMENT,), first_type, _extreme(min), strict=False, variadic=True, typed=True),
)
