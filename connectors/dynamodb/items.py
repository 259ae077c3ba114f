"""Documents as items of DynamoDB, and items as documents.

    id int8, name text, tags text[], at timestamptz, b bytea    key (id)
    ─▶  {id: N 1, name: S a, tags: S {x,y}, at: S 2026-11-24 10:00:00+00, b: B …}

Numbers are numbers, as far as DynamoDB has them: between 1e-130 and 1e126. Others, NaN and infinities among them, are
texts. A NULL is an attribute that is not there.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pyarrow as pa

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import column_from_arrow, column_name
from model.text.dispatch import formatter, parser
from model.text.numerics import DIGITS_MAX
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName

_EXPONENT_MIN, _EXPONENT_MAX = -130, 125
_WHOLE = frozenset(
    (
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.UINT2,
        TypeName.UINT4,
        TypeName.UINT8,
        TypeName.OID,
        TypeName.MZ_TIMESTAMP,
    )
)
_NUMBERS = _WHOLE | {TypeName.NUMERIC, TypeName.FLOAT4, TypeName.FLOAT8}
_EXACT = decimal.Context(prec=DIGITS_MAX)
"""DynamoDB has as many digits as a numeric."""

Attribute = dict[str, Any]
"""A value with the letter of its type: {"N": "1"}."""
Item = dict[str, Attribute]


def key_letter(type_: ScalarType) -> str:
    """Returns DynamoDB's type of a key's attribute: N, B or S."""
    if type_.name in _NUMBERS:
        return "N"
    return "B" if type_.name is TypeName.BYTEA else "S"


def attribute_writer(type_: ScalarType) -> Callable[[Any], Attribute]:
    """Returns the function that turns a value (not NULL) into an attribute."""
    shown = formatter(type_)
    if type_.name is TypeName.BOOL:
        return lambda value: {"BOOL": value}
    if type_.name is TypeName.BYTEA:
        return lambda value: {"B": bytes(value)}
    if type_.name in _WHOLE:
        return lambda value: {"N": str(int(value))}
    if type_.name in _NUMBERS:
        return lambda value: _number(shown(value))
    return lambda value: {"S": shown(value)}


def attribute_reader(type_: ScalarType) -> Callable[[Attribute], Any]:
    """Returns the function that turns an attribute into a value."""
    parse = parser(type_)

    def read(attribute: Attribute) -> Any:
        ((letter, value),) = attribute.items()
        if letter == "BOOL":
            return value
        return bytes(value) if letter == "B" else parse(value)

    return read


def key_attributes(columns: list[list[Any]], desc: RelationDesc) -> list[Item]:
    """Returns the keys of rows, by the columns of the key. Raises 22023 for an empty one."""
    writers = [(name, attribute_writer(type_)) for name, type_ in zip(desc.names, desc.types, strict=True)]
    keys = []
    for row in zip(*columns, strict=True):
        key: Item = {}
        for value, (name, write) in zip(row, writers, strict=True):
            attribute = write(value)
            if not all(attribute.values()):
                message = f'a key of DynamoDB is never empty: column "{name}" is'
                raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
            key[name] = attribute
        keys.append(key)
    return keys


def items_of(documents: pa.Table, desc: RelationDesc) -> list[Item]:
    """Returns the items of whole documents."""
    writers = [(name, attribute_writer(type_)) for name, type_ in zip(desc.names, desc.types, strict=True)]
    columns = [column_from_arrow(documents.column(column_name(at)), type_) for at, type_ in enumerate(desc.types)]
    return [
        {name: write(value) for value, (name, write) in zip(row, writers, strict=True) if value is not None}
        for row in zip(*columns, strict=True)
    ]


def size_of(item: Item) -> int:
    """Returns an item's size in bytes as DynamoDB counts it, or a little more."""
    return sum(
        len(name.encode()) + (len(value.encode()) if isinstance(value, str) else len(value) if letter == "B" else 1)
        for name, attribute in item.items()
        for letter, value in attribute.items()
    )


def _number(text: str) -> Attribute:
    try:
        number = Decimal(text)
    except decimal.InvalidOperation:
        return {"S": text}
    if not number.is_finite():
        return {"S": text}
    plain = number.normalize(_EXACT)
    if plain.is_zero():
        return {"N": "0"}
    return {"N": str(plain)} if _EXPONENT_MIN <= plain.adjusted() <= _EXPONENT_MAX else {"S": text}
