"""min, max, the boolean aggregates, and those that collect values: array_agg, string_agg."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.order.datum_order import sort_key
from model.types.arrays import Array, check_depth, dimensions_of, shaped
from model.types.datum import Interval
from model.types.scalar_type import (
    BOOL,
    BPCHAR,
    BYTEA,
    DATE,
    FLOAT4,
    FLOAT8,
    INET,
    INT2,
    INT4,
    INT8,
    INTERVAL,
    MONEY,
    MZ_TIMESTAMP,
    NUMERIC,
    OID,
    TEXT,
    TID,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    TIMETZ,
    UINT2,
    UINT4,
    UINT8,
    WIDE,
    ScalarType,
    TypeName,
    array_of,
)
from planner.functions.numbers.decimals import decimals_if_finite
from planner.functions.rows import ANYARRAY, ANYELEMENT, ANYENUM, ANYNONARRAY, first_type, key_of
from planner.functions.signature import AggregateFunction

Rows = list[tuple[Any, ...]]
Types = tuple[ScalarType, ...]

_ORDERED = (
    INT2,
    INT4,
    INT8,
    UINT2,
    UINT4,
    UINT8,
    FLOAT4,
    FLOAT8,
    NUMERIC,
    MONEY,
    WIDE,
    TEXT,
    BPCHAR,
    DATE,
    TIME,
    TIMETZ,
    TIMESTAMP,
    TIMESTAMPTZ,
    INTERVAL,
    INET,
    OID,
    TID,
    MZ_TIMESTAMP,
)
"""Types whose least and greatest are asked for; PostgreSQL has no min or max of bool, uuid, bytea or jsonb."""


def _representative(value: Any) -> Any:
    """Tells equal values apart, so that the answer doesn't depend on the order of rows."""
    return (value.months, value.days, value.microseconds) if isinstance(value, Interval) else 0


def _extreme(choose: Callable[..., Any]) -> Callable[[Types, Rows], Any]:
    """Returns the aggregate that chooses the least or the greatest value; of equal numerics the one that shows the most
    decimals."""
    sign = -1 if choose is min else 1

    def evaluate(types: Types, rows: Rows) -> Any:
        if not rows:
            return None
        key = sort_key(types[0])
        numeric = types[0].name in (TypeName.NUMERIC, TypeName.WIDE)
        return choose(
            (row[0] for row in rows),
            key=lambda value: (key(value), sign * decimals_if_finite(value) if numeric else _representative(value)),
        )

    return evaluate


def _extremes(type_: ScalarType) -> list[AggregateFunction]:
    return [
        AggregateFunction(key_of(name, (type_,)), name, (type_,), first_type, _extreme(choose), typed=True)
        for name, choose in (("min", min), ("max", max))
    ]


def _array(rows: Rows) -> tuple[Any, ...] | None:
    return tuple(row[0] for row in rows) if rows else None


def _nested_arrays(rows: Rows) -> Array | None:
    """Nests arrays into one with one more dimension. All arrays are alike in shape, none of them NULL or empty."""
    if not rows:
        return None
    arrays = [row[0] for row in rows]
    if None in arrays:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "cannot accumulate null arrays")
    if not all(arrays):
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "cannot accumulate empty arrays")
    shape = dimensions_of(arrays[0])
    check_depth(len(shape) + 1)
    if any(dimensions_of(array) != shape for array in arrays):
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "cannot accumulate arrays of different dimensionality")
    return shaped([item for array in arrays for item in array], ((1, len(arrays)), *shape))


def _string(rows: Rows) -> Any:
    """Joins strings, each behind its own row's delimiter, and the first without one. NULL strings are left out; a NULL
    delimiter adds nothing."""
    present = [row for row in rows if row[0] is not None]
    if not present:
        return None
    joined = present[0][0]
    for value, delimiter in present[1:]:
        joined += value if delimiter is None else delimiter + value
    return joined


def _every(rows: Rows) -> bool | None:
    return all(row[0] for row in rows) if rows else None


def _some(rows: Rows) -> bool | None:
    return any(row[0] for row in rows) if rows else None


def _collecting(
    name: str, arguments: Types, result: Any, evaluate: Callable[..., Any], fallible: bool = False
) -> AggregateFunction:
    return AggregateFunction(
        key_of(name, arguments), name, arguments, result, evaluate, skips_nulls=False, ordered=True, fallible=fallible
    )


AGGREGATES: tuple[AggregateFunction, ...] = (
    *(row for type_ in _ORDERED for row in _extremes(type_)),
    *_extremes(ANYARRAY),
    *_extremes(ANYENUM),
    AggregateFunction("bool_and_bool", "bool_and", (BOOL,), BOOL, _every),
    AggregateFunction("every_bool", "every", (BOOL,), BOOL, _every),
    AggregateFunction("bool_or_bool", "bool_or", (BOOL,), BOOL, _some),
    AggregateFunction(
        "any_value_anyelement",
        "any_value",
        (ANYELEMENT,),
        first_type,
        lambda rows: rows[0][0] if rows else None,
        ordered=True,
    ),
    _collecting("array_agg", (ANYNONARRAY,), lambda types: array_of(types[0]), _array),
    _collecting("array_agg", (ANYARRAY,), first_type, _nested_arrays, fallible=True),
    _collecting("string_agg", (TEXT, TEXT), TEXT, _string),
    _collecting("string_agg", (BYTEA, BYTEA), BYTEA, _string),
)
