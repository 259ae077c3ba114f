"""pg_column_size: the bytes in which PostgreSQL holds a value, not compressed.

A value of a table has a length of one byte before it where that is enough; one that was computed, and one within an
array or jsonb, a length of four.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from model.errors.sql_error import NotSupported
from model.json.json_text import load_json
from model.search.queries import stored_query_bytes
from model.search.vectors import stored_bytes
from model.text.dispatch import formatter
from model.types.arrays import dimensions_of, items_of
from model.types.embedding import dimensions_of_embedding
from model.types.scalar_type import INT2, INT4, OID, ScalarType, TypeName, type_text
from model.types.type_table import TYPES
from planner.functions.rows import ANY, function, syntax
from planner.functions.signature import Function, Volatility

_LENGTH, _SHORT_SAVES, _SHORT_MAX = 4, 3, 127 + 3
_DIGITS, _SHORT_SCALE, _SHORT_WEIGHTS = 4, 63, range(-64, 64)
_ALIGNED_BY = {
    **dict.fromkeys((TypeName.UUID, TypeName.NAME), 1),
    **dict.fromkeys((TypeName.MACADDR, TypeName.MACADDR8), 4),
    TypeName.TID: 2,
}
"""The alignment of types of a fixed size, where that is not the size, or 8 for greater ones."""
_PLAIN = frozenset((TypeName.INT2VECTOR, TypeName.OIDVECTOR, TypeName.TSQUERY))
"""Types whose length always has four bytes."""
_ARRAY_HEAD, _DIMENSION, _ROW_HEAD = 16, 8, 23
_VECTORS = {TypeName.INT2VECTOR: INT2, TypeName.OIDVECTOR: OID}


def _aligned(size: int, by: int) -> int:
    return -size % by + size


def value_bytes(value: Any, type_: ScalarType) -> int:
    """Returns the bytes of a value that was computed; raises SqlError 0A000 for types whose form is not known here."""
    base = type_.base()
    size = TYPES[base.name].size
    if size > 0:
        return size
    known = _SIZES.get(base.name)
    if known is not None:
        return known(value)
    match base.name:
        case TypeName.ARRAY:
            assert base.element is not None
            return _array_bytes(items_of(value), len(dimensions_of(value)), base.element)
        case TypeName.RECORD:
            return _row_bytes(value, [field for _, field in base.fields])
        case TypeName.INT2VECTOR | TypeName.OIDVECTOR:
            return _array_bytes(value, 1, _VECTORS[base.name])
        case TypeName.TEXT | TypeName.VARCHAR | TypeName.BPCHAR | TypeName.JSON:
            return _LENGTH + len(formatter(base)(value).encode())
        case _:
            raise NotSupported(f"pg_column_size of a value of type {type_text(type_)}")


def stored_column_bytes(value: Any, type_: ScalarType) -> int:
    """Returns the bytes of a value of a table's column."""
    size = value_bytes(value, type_)
    packed = TYPES[type_.name].size < 0 and type_.name not in _PLAIN and size <= _SHORT_MAX
    return size - _SHORT_SAVES if packed else size


def _alignment(type_: ScalarType) -> int:
    size = TYPES[type_.name].size
    if size < 0:
        return 8 if type_.name is TypeName.RECORD or (type_.element and _alignment(type_.element) == 8) else 4
    return _ALIGNED_BY.get(type_.name, min(size, 8))


def _array_bytes(items: Iterable[Any], dimensions: int, element: ScalarType) -> int:
    held = list(items)
    if not held and element not in _VECTORS.values():
        return _ARRAY_HEAD
    nulls = -(-len(held) // 8) if None in held else 0
    size, by = _aligned(_ARRAY_HEAD + _DIMENSION * dimensions + nulls, 8), _alignment(element)
    for item in held:
        if item is not None:
            size = _aligned(_aligned(size, by) + value_bytes(item, element), by)
    return size


def _row_bytes(values: Iterable[Any], types: list[ScalarType]) -> int:
    held = list(values)
    head = _aligned(_ROW_HEAD + (-(-len(held) // 8) if None in held else 0), 8)
    size = 0
    for value, type_ in zip(held, types, strict=True):
        if value is not None:
            whole, stored = value_bytes(value, type_), stored_column_bytes(value, type_)
            size = size + stored if stored < whole else _aligned(size, _alignment(type_)) + whole
    return head + size


def _numeric_bytes(value: Decimal) -> int:
    """Returns a length, a head, and two bytes for each four digits, counted from the point."""
    if not value.is_finite():
        return _LENGTH + 2
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int), "a finite number has one"
    digits = "".join(map(str, value.as_tuple().digits)).lstrip("0")
    if not digits:
        return _LENGTH + 2
    before = -(-(len(digits) + exponent) // _DIGITS)
    places = (before * _DIGITS - exponent - len(digits)) * "0" + digits
    stripped = places.rstrip("0")
    short = max(-exponent, 0) <= _SHORT_SCALE and before - 1 in _SHORT_WEIGHTS
    return _LENGTH + (2 if short else 4) + 2 * -(-len(stripped) // _DIGITS)


def _jsonb_bytes(text: str) -> int:
    """Returns a length and a container: a head, an entry for each key and value, keys, then values."""
    value = load_json(text)
    return _LENGTH + _container_bytes(value if isinstance(value, dict | list) else [value])


def _container_bytes(value: dict[str, Any] | list[Any]) -> int:
    keys, values = (list(value), [value[key] for key in _in_order(value)]) if isinstance(value, dict) else ([], value)
    size = 4 + 4 * (len(keys) + len(values)) + sum(len(key.encode()) for key in keys)
    for each in values:
        match each:
            case None | bool():
                continue
            case str():
                size += len(each.encode())
            case dict() | list():
                size = _aligned(size, 4) + _container_bytes(each)
            case _:
                size = _aligned(size, 4) + _numeric_bytes(Decimal(each))
    return size


def _in_order(members: dict[str, Any]) -> list[str]:
    return sorted(members, key=lambda key: (len(key.encode()), key.encode()))


_SIZES: dict[TypeName, Callable[[Any], int]] = {
    TypeName.ENUM: lambda value: 4,
    TypeName.NUMERIC: _numeric_bytes,
    TypeName.WIDE: _numeric_bytes,
    TypeName.BYTEA: lambda value: _LENGTH + len(value),
    TypeName.BIT: lambda value: _LENGTH + 4 + -(-len(value) // 8),
    TypeName.VARBIT: lambda value: _LENGTH + 4 + -(-len(value) // 8),
    TypeName.INET: lambda value: _LENGTH + (6 if value.version == 4 else 18),
    TypeName.CIDR: lambda value: _LENGTH + (6 if value.version == 4 else 18),
    TypeName.JSONB: _jsonb_bytes,
    TypeName.TSVECTOR: stored_bytes,
    TypeName.TSQUERY: stored_query_bytes,
    TypeName.VECTOR: lambda value: _LENGTH + 4 + 4 * dimensions_of_embedding(value),
}

FUNCTIONS: tuple[Function, ...] = (
    function(
        "pg_column_size",
        (ANY,),
        INT4,
        lambda types, value: value_bytes(value, types[0]),
        typed=True,
        fallible=True,
        volatility=Volatility.STABLE,
    ),
    syntax(
        "stored_column_size",
        (ANY,),
        INT4,
        lambda types, value: stored_column_bytes(value, types[0]),
        typed=True,
        fallible=True,
        volatility=Volatility.STABLE,
    ),
)
