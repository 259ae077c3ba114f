"""Equality and order of datums, type by type, as PostgreSQL's default operators decide in collation C.

`sort_key(type)` maps a datum that is not NULL to a value that Python compares, equates and hashes as SQL does: NaN
equals NaN and is greatest, -0 equals 0, text goes by code point, char(n) ignores the blanks at its end, a shorter array
or list precedes a longer one that begins with it (so do maps, which are lists of pairs); NULL inside any of them, or a
record, is greatest. `row_key(types)` does the same for whole rows, NULLs last. None in place of a key function means
that the datum is its own key.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from model.json.json_text import Json, load_json
from model.order.cuts import range_key
from model.search.queries import key_of_query
from model.types.arrays import Array, dimensions_of
from model.types.datum import Datum, Interval, Row
from model.types.range_types import MULTIRANGE_NAMES, RANGE_NAMES, subtype_of
from model.types.scalar_type import ScalarType, TypeName

KeyFunction = Callable[[Any], Any]

_NAN = (1, 0.0)
_NULL = (1, 0)


def _float_key(value: float) -> Any:
    return (0, value) if value == value else _NAN


def _without_blanks(value: str) -> str:
    return value.rstrip(" ")


def _numeric_key(value: decimal.Decimal) -> Any:
    return _NAN if value.is_nan() else (0, value)


def _json_key(value: Json) -> Any:
    """Returns a key in the order object > array > boolean > number > string > null; containers by size first."""
    match value:
        case None:
            return (0,)
        case bool():
            return (3, value)
        case str():
            return (1, value)
        case int() | decimal.Decimal():
            return (2, value)
        case Mapping():
            items = sorted(value.items(), key=lambda pair: (len(pair[0].encode()), pair[0]))
            return (5, len(items), [part for key, item in items for part in (key, _json_key(item))])
        case _:
            return (4, len(value), [_json_key(item) for item in value])


@lru_cache(maxsize=4096)
def _jsonb_key(text: str) -> Any:
    """Returns a key in jsonb's order: an empty array outside everything else is least of all, which PostgreSQL keeps
    for compatibility."""
    return (-1,) if text == "[]" else _hashable(_json_key(load_json(text)))


def _hashable(key: Any) -> Any:
    return tuple(map(_hashable, key)) if isinstance(key, list | tuple) else key


def _shape_key(array: Array) -> Any:
    """Returns the key of an array's shape, for arrays of equal elements: number of dimensions, then their lengths,
    then their first indexes."""
    lowers, lengths = zip(*dimensions_of(array), strict=True) if array else ((), ())
    return len(lengths), lengths, lowers


def _nullable_key(inner: KeyFunction | None) -> KeyFunction:
    if inner is None:
        return lambda value: _NULL if value is None else (0, value)
    return lambda value: _NULL if value is None else (0, inner(value))


@lru_cache(maxsize=4096)
def key_function(type_: ScalarType) -> KeyFunction | None:
    """Returns the key function of a type; None when its datums are their own keys."""
    match type_.name:
        case TypeName.FLOAT4 | TypeName.FLOAT8:
            return _float_key
        case TypeName.NUMERIC | TypeName.WIDE:
            return _numeric_key
        case TypeName.INTERVAL:
            return Interval.span
        case TypeName.BPCHAR:
            return _without_blanks
        case TypeName.JSONB:
            return _jsonb_key
        case TypeName.TSQUERY:
            return key_of_query
        case TypeName.ARRAY:
            assert type_.element is not None
            element = _nullable_key(key_function(type_.element))
            return lambda value: (tuple(map(element, value)), _shape_key(value))
        case TypeName.LIST:
            assert type_.member is not None
            item = _nullable_key(key_function(type_.member))
            return lambda value: tuple(map(item, value))
        case TypeName.MAP:
            assert type_.member is not None
            held = _nullable_key(key_function(type_.member))
            return lambda value: tuple((key, held(item)) for key, item in value)
        case TypeName.RECORD:
            fields = [_nullable_key(key_function(field)) for _, field in type_.fields]
            return lambda value: tuple(key(item) for key, item in zip(fields, value, strict=True))
        case name if name in RANGE_NAMES:
            return range_key(sort_key(subtype_of(type_)))
        case name if name in MULTIRANGE_NAMES:
            each = range_key(sort_key(subtype_of(type_)))
            return lambda value: tuple(map(each, value))
        case _:
            return None


def sort_key(type_: ScalarType) -> KeyFunction:
    """Returns the key function of a type, for datums that are not NULL."""
    return key_function(type_) or _itself


def _itself(value: Datum) -> Datum:
    return value


def row_key(types: Sequence[ScalarType]) -> Callable[[Row], Any]:
    """Returns a total order of whole rows, NULLs last; equal keys mean rows that are not distinct."""
    keys = [_nullable_key(key_function(type_)) for type_ in types]
    return lambda row: tuple([key(value) for key, value in zip(keys, row, strict=True)])


def identity_key(types: Sequence[ScalarType]) -> Callable[[Row], Any]:
    """Returns a function to a hashable value that is equal for rows that are not distinct (IS NOT DISTINCT FROM); it
    gives no order, but is cheap."""
    special = [(index, key) for index, type_ in enumerate(types) if (key := key_function(type_)) is not None]
    if not special:
        return lambda row: row

    def make(row: Row) -> Any:
        cells: list[Any] = list(row)
        for index, key in special:
            if cells[index] is not None:
                cells[index] = key(cells[index])
        return tuple(cells)

    return make


_COMPARABLE = frozenset(
    {
        TypeName.BOOL,
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.OID,
        TypeName.FLOAT4,
        TypeName.FLOAT8,
        TypeName.NUMERIC,
        TypeName.WIDE,
        TypeName.TEXT,
        TypeName.VARCHAR,
        TypeName.BYTEA,
        TypeName.UUID,
        TypeName.DATE,
        TypeName.TIME,
        TypeName.TIMESTAMP,
        TypeName.TIMESTAMPTZ,
        TypeName.INTERVAL,
    }
)
"""The types whose equal values have one identity."""


def comparable_by_identity(types: Iterable[ScalarType]) -> bool:
    """Tells whether `identity_key` identifies equal rows of these types."""
    return all(type_.base().name in _COMPARABLE for type_ in types)
