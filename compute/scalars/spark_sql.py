"""Spark SQL as text that only this file's functions make from values: user text enters as an escaped literal alone.

Fragments are `Sql`; every fragment of an expression can stand wherever an operand can (calls, names, parentheses).
"""

from __future__ import annotations

import datetime
import decimal
import math
import re
from collections.abc import Iterable
from typing import Any, NewType

import pyarrow as pa

from model.physical.arrays import ITEMS, PLAIN, SHAPE, shape_of
from model.physical.columns import decimal_bounds, pack_inet, pack_timetz
from model.physical.ranges import BOUNDS, FIELDS, range_fields
from model.physical.wide_numerics import encode_wide
from model.physical.wide_times import date_number, moment_number
from model.text.numerics import unheld, unstorable
from model.types.arrays import items_of
from model.types.datum import Datum, Inet, TimeTz
from model.types.range_types import MULTIRANGE_NAMES, RANGE_NAMES, range_in, ranged, subtype_of
from model.types.scalar_type import BOOL, ScalarType, TypeName
from model.types.time_of_day import time_to_micros
from model.types.type_table import TYPES
from model.types.wide_time import WideDate, WideMoment
from planner.functions.numbers.decimals import min_scale

Sql = NewType("Sql", str)

NULL = Sql("NULL")
_LITERAL = re.compile("'[^']*'")
_EPOCH = datetime.datetime(1970, 1, 1)
_SPARK_TYPES = {
    pa.bool_(): "BOOLEAN",
    pa.int16(): "SMALLINT",
    pa.int32(): "INT",
    pa.int64(): "BIGINT",
    pa.float32(): "FLOAT",
    pa.float64(): "DOUBLE",
    pa.binary(): "BINARY",
    pa.date32(): "DATE",
    pa.timestamp("us"): "TIMESTAMP_NTZ",
    pa.timestamp("us", tz="UTC"): "TIMESTAMP_LTZ",
    TYPES[TypeName.UINT8].held: "DECIMAL(20,0)",
    TYPES[TypeName.INT2VECTOR].held: "ARRAY<SMALLINT>",
    TYPES[TypeName.OIDVECTOR].held: "ARRAY<BIGINT>",
    TYPES[TypeName.INTERVAL].held: "STRUCT<months: INT, days: INT, microseconds: BIGINT>",
}
"""By the Arrow type that a SQL type is held as; others are strings."""


def decimal_type(bounds: tuple[int, int]) -> str:
    return f"DECIMAL({bounds[0]},{bounds[1]})"


def spark_type(type_: ScalarType) -> str:
    """Returns the Spark type that holds `type_`, as model.physical.columns lays it out."""
    match type_.name:
        case TypeName.NUMERIC:
            return decimal_type(decimal_bounds(type_))
        case TypeName.ARRAY:
            assert type_.element is not None
            return f"STRUCT<{ITEMS}: ARRAY<{spark_type(type_.element)}>, {SHAPE}: BINARY>"
        case TypeName.RECORD:
            return "STRUCT<" + ", ".join(f"f{i}: {spark_type(t)}" for i, (_, t) in enumerate(type_.fields)) + ">"
        case TypeName.LIST | TypeName.MAP:
            assert type_.member is not None
            member = spark_type(type_.member)
            return f"ARRAY<{member if type_.name is TypeName.LIST else f'STRUCT<key: STRING, value: {member}>'}>"
        case _ if type_.name in RANGE_NAMES:
            return "STRUCT<" + ", ".join(f"{name}: {spark_type(t)}" for name, t in _range_parts(type_)) + ">"
        case _ if type_.name in MULTIRANGE_NAMES:
            return f"ARRAY<{spark_type(range_in(type_))}>"
        case _:
            return _SPARK_TYPES.get(TYPES[type_.name].held, "STRING")


def _range_parts(type_: ScalarType) -> list[tuple[str, ScalarType]]:
    return [(name, subtype_of(type_) if name in BOUNDS else BOOL) for name in FIELDS]


def calls_python(sql: Sql) -> bool:
    """Returns whether the expression calls a function in Python, ignoring literals."""
    return "python_" in _LITERAL.sub("", sql)


def string_literal(text: str) -> Sql:
    """Escapes everything but plain ASCII letters, digits and harmless signs by code: no quote, backslash or `${`
    (which Spark substitutes in SQL text) reaches the parser unescaped."""
    if text.isascii() and text.isalnum():
        return Sql(f"'{text}'")
    return Sql("'" + "".join(map(_escaped, text)) + "'")


def _escaped(character: str) -> str:
    code = ord(character)
    if 32 <= code < 127 and character not in "'\\$":
        return character
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _float_literal(value: float, suffix: str, name: str) -> Sql:
    if math.isnan(value):
        return Sql(f"{name}('NaN')")
    if math.isinf(value):
        return Sql(f"{name}('{'-' if value < 0 else ''}Infinity')")
    if suffix == "F":
        return Sql(f"CAST({value!r}D AS FLOAT)")
    return Sql(f"CAST({value!r}D AS DOUBLE)") if value < 0 or repr(value).startswith("-") else Sql(f"{value!r}D")


def decimal_form(value: decimal.Decimal) -> tuple[int, int]:
    """Returns the least (precision, scale) that holds `value`, which has at most 38 digits."""
    _, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    scale = max(-exponent, 0)
    return max(len(digits) + max(exponent, 0), scale, 1), scale


def numeric_literal(value: decimal.Decimal, bounds: tuple[int, int]) -> Sql:
    return Sql(f"CAST('{value:f}' AS {decimal_type(bounds)})")


def literal(value: Datum, type_: ScalarType) -> Sql:
    """Returns a datum as an expression of exactly `spark_type(type_)`."""
    if value is None:
        return Sql(f"CAST(NULL AS {spark_type(type_)})")
    match type_.name:
        case TypeName.INTERVAL | TypeName.ARRAY | TypeName.RECORD | TypeName.LIST | TypeName.MAP:
            return _nested_literal(value, type_)
        case _ if ranged(type_):
            return _range_literal(value, type_)
        case TypeName.NUMERIC:
            assert isinstance(value, decimal.Decimal)
            precision, scale = decimal_bounds(type_)
            if not value.is_finite():
                raise unheld(value)
            if value and (min_scale(value) > scale or value.adjusted() >= precision - scale):
                raise unstorable()
            return numeric_literal(value, (precision, scale))
        case TypeName.DATE:
            if isinstance(value, WideDate):
                return Sql(f"date_from_unix_date({_number(date_number(value), 32)})")
            assert isinstance(value, datetime.date)
            return Sql(f"DATE'{value.isoformat()}'")
        case TypeName.TIMESTAMP:
            if isinstance(value, WideMoment):
                return Sql(f"CAST({_wide_moment(value)} AS TIMESTAMP_NTZ)")
            assert isinstance(value, datetime.datetime)
            return Sql(f"TIMESTAMP_NTZ'{value.isoformat(' ')}'")
        case TypeName.TIMESTAMPTZ:
            if isinstance(value, WideMoment):
                return _wide_moment(value)
            assert isinstance(value, datetime.datetime)
            naive = value.astimezone(datetime.UTC).replace(tzinfo=None)
            return Sql(f"timestamp_micros({(naive - _EPOCH) // datetime.timedelta(microseconds=1)}L)")
        case TypeName.TIME:
            assert isinstance(value, datetime.time)
            return Sql(f"{time_to_micros(value)}L")
        case TypeName.TIMETZ:
            assert isinstance(value, TimeTz)
            return _simple_literal(pack_timetz(value), type_)
        case TypeName.INT2VECTOR | TypeName.OIDVECTOR:
            assert isinstance(value, tuple)
            return Sql(f"CAST(array({', '.join(f'{item!r}L' for item in value)}) AS {spark_type(type_)})")
        case TypeName.WIDE:
            assert isinstance(value, decimal.Decimal)
            return _simple_literal(encode_wide(value), type_)
        case TypeName.INET | TypeName.CIDR:
            assert isinstance(value, Inet)
            return _simple_literal(pack_inet(value), type_)
        case _:
            return _simple_literal(value, type_)


def _wide_moment(value: WideMoment) -> Sql:
    return Sql(f"timestamp_micros({_number(moment_number(value), 64)})")


def _number(value: object, bits: int) -> str:
    """Returns a whole number; the least of its bits has no literal of its own."""
    assert isinstance(value, int), "what is beyond Python's calendar is a number"
    suffix = "L" if bits == 64 else ""
    return f"(-{-value - 1}{suffix} - 1{suffix})" if value == -(1 << (bits - 1)) else f"{value}{suffix}"


def _simple_literal(value: Any, type_: ScalarType) -> Sql:
    match _SPARK_TYPES.get(TYPES[type_.name].held, "STRING"):
        case "BOOLEAN":
            return Sql("true" if value else "false")
        case "SMALLINT":
            return Sql(f"CAST({value} AS SMALLINT)")
        case "INT":
            return Sql(str(value) if value >= 0 else f"({value})")
        case "DECIMAL(20,0)":
            return Sql(f"CAST({value}BD AS DECIMAL(20,0))")
        case "BIGINT":
            return Sql(f"{value}L" if value >= 0 else f"({value}L)")
        case "FLOAT":
            return _float_literal(value, "F", "float")
        case "DOUBLE":
            return _float_literal(value, "D", "double")
        case "BINARY":
            return Sql(f"X'{value.hex()}'")
        case _:
            return string_literal(str(value))


def array_of(items: Iterable[str], type_: ScalarType, shape: bytes = PLAIN) -> Sql:
    """Returns an array of the items."""
    parts = f"'{ITEMS}', array({', '.join(items)}), '{SHAPE}', X'{shape.hex()}'"
    return Sql(f"CAST(named_struct({parts}) AS {spark_type(type_)})")


def _nested_literal(value: Any, type_: ScalarType) -> Sql:
    match type_.name:
        case TypeName.INTERVAL:
            parts = f"'months', {value.months}, 'days', {value.days}, 'microseconds', {_long(value.microseconds)}"
            return Sql(f"named_struct({parts})")
        case TypeName.ARRAY:
            assert type_.element is not None
            elements = (literal(item, type_.element) for item in items_of(value))
            return array_of(elements, type_, shape_of(value))
        case TypeName.LIST:
            assert type_.member is not None
            items = ", ".join(literal(item, type_.member) for item in value)
            return Sql(f"CAST(array({items}) AS {spark_type(type_)})")
        case TypeName.MAP:
            assert type_.member is not None
            pairs = ((string_literal(key), literal(held, type_.member)) for key, held in value)
            items = ", ".join(f"named_struct('key', {key}, 'value', {held})" for key, held in pairs)
            return Sql(f"CAST(array({items}) AS {spark_type(type_)})")
        case _:
            fields = zip(value, type_.fields, strict=True)
            return Sql(
                "named_struct("
                + ", ".join(f"'f{i}', {literal(item, field)}" for i, (item, (_, field)) in enumerate(fields))
                + ")"
            )


def _range_literal(value: Any, type_: ScalarType) -> Sql:
    """Returns a range literal, cast so that the struct's fields may be NULL."""
    if type_.name in MULTIRANGE_NAMES:
        items = ", ".join(_range_literal(item, range_in(type_)) for item in value)
        return Sql(f"CAST(array({items}) AS {spark_type(type_)})")
    parts = zip(_range_parts(type_), range_fields(value), strict=True)
    fields = ", ".join(f"'{name}', {literal(part, field)}" for (name, field), part in parts)
    return Sql(f"CAST(named_struct({fields}) AS {spark_type(type_)})")


def _long(value: int) -> str:
    return f"{value}L"


def call(function: str, *arguments: str) -> Sql:
    return Sql(f"{function}({', '.join(arguments)})")


def conjunction(parts: list[Sql]) -> Sql:
    """Returns the AND of at least one part."""
    return parts[0] if len(parts) == 1 else Sql("(" + " AND ".join(parts) + ")")


def when(*branches: tuple[str, str], otherwise: str | None = None) -> Sql:
    """Returns CASE; without `otherwise` it ends in NULL."""
    arms = " ".join(f"WHEN {condition} THEN {value}" for condition, value in branches)
    return Sql(f"CASE {arms} END" if otherwise is None else f"CASE {arms} ELSE {otherwise} END")
