"""Maps columns of documents to columns of PostgreSQL: the types of a new table, and the test whether an existing table
holds the same values.

PostgreSQL rounds, cuts and pads silently: 1.55 becomes 1.6 in numeric(10, 1), a float8 another number in real, a
timestamp loses its time of day in date, 'a  ' becomes 'a' in varchar(1), and 'a' three characters in char(3). So an
existing column must take every value unchanged:

    int2 ─▶ int4 ─▶ int8 ─▶ numeric, numeric(19, 0)         numeric(p, s) ─▶ of as many before and behind the point
    int2, int4, float4 ─▶ float8                            timestamp(p), time(p), … ─▶ of as many decimals
    varchar(n) ─▶ varchar(m), m >= n                        all ─▶ text, varchar
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from connectors.sinks.description import SinkDescription
from connectors.sinks.fences import not_as_expected
from connectors.sinks.plain_columns import CHANGE_COLUMNS
from model.types.scalar_type import INT8, TEXT, ScalarType, TypeName, precision_and_scale, type_text

FOUND_COLUMNS = """
    WITH RECURSIVE held (name, type, modifier) AS (
        SELECT attname, atttypid, atttypmod FROM pg_attribute
        WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped
        UNION ALL
        SELECT h.name, d.typbasetype, CASE WHEN h.modifier = -1 THEN d.typtypmod ELSE h.modifier END
        FROM held h JOIN pg_type d ON d.oid = h.type WHERE d.typtype = 'd'
    )
    SELECT h.name, coalesce(e.typname, t.typname), h.modifier, e.oid IS NOT NULL, coalesce(e.typtype, t.typtype) = 'e',
        format_type(h.type, h.modifier)
    FROM held h JOIN pg_type t ON t.oid = h.type
    LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
    WHERE t.typtype <> 'd'
"""
"""Of a table by its oid; domains as what they are of."""
_IN_OTHER_WORDS = {
    TypeName.UINT2: ScalarType(TypeName.INT4),
    TypeName.UINT4: ScalarType(TypeName.INT8),
    TypeName.UINT8: ScalarType(TypeName.NUMERIC, (20 << 16) + 4),
    TypeName.MZ_TIMESTAMP: ScalarType(TypeName.INT8),
}
_TEXTS = frozenset(
    (
        TypeName.ENUM,
        TypeName.LIST,
        TypeName.MAP,
        TypeName.RECORD,
        TypeName.UNKNOWN,
        TypeName.VOID,
        TypeName.PG_NODE_TREE,
    )
)
_WIDER: Mapping[str, tuple[str, ...]] = {
    "int2": ("int4", "int8", "float4", "float8"),
    "int4": ("int8", "float8"),
    "oid": ("int8",),
    "float4": ("float8",),
    "jsonb": ("json",),
    "cidr": ("inet",),
}
_WHOLE_DIGITS = {"int2": 5, "int4": 10, "int8": 19, "oid": 10}
_DIGITS, _DECIMALS = 38, 18
"""What a number of numeric has at most before and behind its point, where the type doesn't say."""
_LENGTHS = ("varchar", "bpchar", "varbit")
_MOMENTS = ("time", "timetz", "timestamp", "timestamptz")
_MICROSECONDS = 6
_ANY_TEXT = ("text", "citext")
_HINT = "A sink writes to a table with columns of its own types, or wider ones, or makes it."


@dataclass(frozen=True, slots=True)
class StandingColumn:
    """A column of an existing table.

    `type`: the name of its type, or of its elements' type
    `modifier`: the type's modifier, below 0 for none
    `array`: the column holds arrays
    `listed`: the type is an enum
    `shown`: the type as PostgreSQL writes it
    """

    type: str
    modifier: int
    array: bool
    listed: bool
    shown: str


def table_columns(sink: SinkDescription) -> list[tuple[str, str]]:
    """Returns name and PostgreSQL's type of each column."""
    return [(name, type_text(type_)) for name, type_ in _wanted(sink)]


def require_columns(table: str, sink: SinkDescription, rows: Iterable[tuple[Any, ...]]) -> None:
    """Raises 42804 where a column is missing, or an existing column would change a value. `rows` are the result of
    `FOUND_COLUMNS`."""
    found = {row[0]: StandingColumn(*row[1:]) for row in rows}
    for name, wanted in _wanted(sink):
        column = found.get(name)
        if column is None:
            raise not_as_expected(table, f'there is no column "{name}"')
        if not holds(column, wanted):
            why = f'column "{name}" of type {column.shown} does not hold all that {type_text(wanted)} does'
            raise not_as_expected(table, why, hint=_HINT)


def _wanted(sink: SinkDescription) -> list[tuple[str, ScalarType]]:
    """Returns the name and type of each column; a type that PostgreSQL lacks is replaced by text."""
    columns = [(column.name, _held_as(column.type)) for column in sink.documents.columns]
    return columns if sink.key is not None else [*columns, *((name, INT8) for name in CHANGE_COLUMNS)]


def _held_as(type_: ScalarType) -> ScalarType:
    of = type_.element or type_
    if of.name in _TEXTS:
        return TEXT
    if of.name in _IN_OTHER_WORDS:
        other = _IN_OTHER_WORDS[of.name]
        return other if type_.element is None else replace(type_, element=other)
    return replace(type_, domain=None)


def holds(column: StandingColumn, wanted: ScalarType) -> bool:
    """Tells whether a column holds every value of a type unchanged."""
    name = column.type
    if not column.array and (name in _ANY_TEXT or (name == "varchar" and column.modifier < 0)):
        return True
    of = wanted.element or wanted
    if column.array != (wanted.element is not None):
        return False
    if column.listed:
        # What is none of its labels is an error there.
        return of.name is TypeName.TEXT
    if name == "numeric":
        return _holds_number(column, of)
    if name in _ANY_TEXT or (name == "varchar" and column.modifier < 0):
        return True
    if of.name.value != name:
        return name in _WIDER.get(of.name.value, ())
    if column.modifier < 0:
        return True
    if name in _LENGTHS:
        return 0 <= of.modifier <= column.modifier
    if name in _MOMENTS:
        return column.modifier >= (of.modifier if of.modifier >= 0 else _MICROSECONDS)
    return column.modifier == of.modifier


def _holds_number(column: StandingColumn, wanted: ScalarType) -> bool:
    there = precision_and_scale(ScalarType(TypeName.NUMERIC, column.modifier))
    if wanted.name.value in _WHOLE_DIGITS:
        # With decimals it comes back as 7.00, which is no whole number to read.
        return there is None or (there[1] == 0 and there[0] >= _WHOLE_DIGITS[wanted.name.value])
    bounds = precision_and_scale(wanted) if wanted.name in (TypeName.NUMERIC, TypeName.WIDE) else None
    if bounds is None and wanted.name is not TypeName.NUMERIC:
        return there is None and wanted.name in (TypeName.WIDE, TypeName.FLOAT4, TypeName.FLOAT8)
    precision, decimals = bounds or (_DIGITS, _DECIMALS)
    digits = precision - decimals
    return there is None or (there[0] - there[1] >= digits and there[1] >= decimals)
