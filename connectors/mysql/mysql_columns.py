"""Maps columns of documents to columns of MySQL, and documents to literals of MySQL's SQL.

A type that MySQL holds exactly becomes MySQL's own type; every other one becomes text, as PostgreSQL writes it. A key
of texts gets a collation that pads nothing and in which different texts are never equal, and a length that an index
allows:

    k text, v numeric(12, 2)    key (k)    ─▶    `k` VARCHAR(768), `v` DECIMAL(12,2), PRIMARY KEY (`k`)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from connectors.sinks.description import SinkDescription
from connectors.sinks.fences import not_as_expected
from connectors.sinks.plain_columns import CHANGE_COLUMNS, DATED, text_column, within_calendars
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name
from model.text.dispatch import parser
from model.types.scalar_type import ScalarType, TypeName, precision_and_scale

EXACT_COLLATIONS = ("utf8mb4_0900_bin", "utf8mb4_nopad_bin")
"""MySQL's and MariaDB's, by which texts are equal where all of their characters are."""
_WHOLE = ("tinyint", "smallint", "mediumint", "int", "bigint", "decimal")
_TEXTS = ("varchar", "tinytext", "text", "mediumtext", "longtext")
_BYTES = ("varbinary", "tinyblob", "blob", "mediumblob", "longblob")
_NUMBERS: dict[TypeName, str] = {
    TypeName.BOOL: "BOOLEAN",
    TypeName.INT2: "SMALLINT",
    TypeName.INT4: "INTEGER",
    TypeName.INT8: "BIGINT",
    TypeName.UINT2: "SMALLINT UNSIGNED",
    TypeName.UINT4: "INTEGER UNSIGNED",
    TypeName.UINT8: "BIGINT UNSIGNED",
    TypeName.OID: "INTEGER UNSIGNED",
    TypeName.MZ_TIMESTAMP: "BIGINT UNSIGNED",
}
_OTHERS: dict[TypeName, str] = {
    TypeName.FLOAT4: "DOUBLE",
    TypeName.FLOAT8: "DOUBLE",
    TypeName.DATE: "DATE",
    TypeName.TIME: "TIME(6)",
    TypeName.TIMESTAMP: "DATETIME(6)",
    TypeName.TIMESTAMPTZ: "DATETIME(6)",
    TypeName.UUID: "VARCHAR(36)",
}
_FLOATS = (TypeName.FLOAT4, TypeName.FLOAT8)
_DIGITS_MAX, _DECIMALS_MAX, _DECIMALS = 38, 30, 18
_KEY_BYTES, _FIXED_BYTES, _UUID_BYTES, _CHARACTER_BYTES = 3072, 20, 144, 4
_MICROSECONDS = 6


@dataclass(frozen=True, slots=True)
class FoundColumn:
    """A column of an existing table: the name of its type, its digits behind the point (of a number or a time), and
    its collation."""

    name: str
    type: str
    decimals: int | None
    collation: str | None


def table_columns(sink: SinkDescription) -> list[tuple[str, str]]:
    """Returns the name and the MySQL type of each column of a sink's table."""
    desc, key = sink.documents, sink.key or ()
    share = _key_bytes([desc.types[place] for place in key])
    columns = [
        (column.name, _type(column.type, share if at in key else None)) for at, column in enumerate(desc.columns)
    ]
    return columns if sink.key is not None else [*columns, *((name, "BIGINT") for name in CHANGE_COLUMNS)]


def key_of_texts(sink: SinkDescription) -> bool:
    """Tells whether the key contains texts, whose equality a collation decides."""
    types = sink.documents.types
    return any(_type(types[place], _KEY_BYTES).startswith("VARCHAR") for place in sink.key or ())


def require_columns(table: str, sink: SinkDescription, found: Mapping[str, FoundColumn]) -> None:
    """Raises 42804 where an existing column would change a value, or would make different keys equal."""
    keys = {sink.documents.columns[place].name for place in sink.key or ()}
    for name, wanted in table_columns(sink):
        column = found.get(name.lower())
        if column is None:
            raise not_as_expected(table, f'there is no column "{name}"')
        if not _holds(column, wanted):
            raise not_as_expected(table, f'column "{name}" does not hold what {wanted} holds')
        if name in keys and column.type in _TEXTS and column.collation not in EXACT_COLLATIONS:
            raise not_as_expected(table, f'column "{name}", which is of the key, compares texts by {column.collation}')


def literals(documents: pa.Table, sink: SinkDescription) -> pa.Array:
    """Returns a row's values in parentheses for each document, for a session that knows no escape but of a quote."""
    columns = [_literal(documents.column(column_name(at)), type_) for at, type_ in enumerate(sink.documents.types)]
    if sink.key is None:
        columns += [documents.column(name).cast(pa.string()) for name in (TIME_COLUMN, DIFF_COLUMN)]
    return _in_parentheses(columns)


def key_literals(keys: list[pa.ChunkedArray], types: list[ScalarType]) -> pa.Array:
    """Returns columns of a key as literals, as `literals` does."""
    return _in_parentheses([_literal(column, type_) for column, type_ in zip(keys, types, strict=True)])


def reader(type_: ScalarType) -> Callable[[Any], Any]:
    """Returns the function that reads a type's values from a session's results."""
    if type_.name is TypeName.BOOL:
        return lambda text: text != "0"
    if type_.name is TypeName.BYTEA:
        return bytes
    parse = parser(type_)
    if type_.name is TypeName.TIMESTAMPTZ:
        return lambda text: parse(f"{text}+00")
    return parse


def _type(type_: ScalarType, key_bytes: int | None) -> str:
    """Returns MySQL's type for a type. `key_bytes`: for a column of a key, the bytes of an index that it may take."""
    if type_.name in _NUMBERS:
        return _NUMBERS[type_.name]
    if type_.name in _OTHERS:
        return _OTHERS[type_.name]
    if type_.name is TypeName.NUMERIC:
        digits, decimals = precision_and_scale(type_) or (_DIGITS_MAX, _DECIMALS)
        if 0 <= decimals <= min(digits, _DECIMALS_MAX):
            return f"DECIMAL({digits},{decimals})"
    if type_.name is TypeName.BYTEA:
        return "LONGBLOB" if key_bytes is None else f"VARBINARY({key_bytes})"
    return "LONGTEXT" if key_bytes is None else f"VARCHAR({key_bytes // _CHARACTER_BYTES})"


def _key_bytes(types: list[ScalarType]) -> int:
    """Returns the bytes of an index that are left for each text of the key."""
    written = [_type(type_, _KEY_BYTES) for type_ in types]
    long = [type_ for type_ in written if type_.startswith("VAR") and type_ != _OTHERS[TypeName.UUID]]
    uuids = written.count(_OTHERS[TypeName.UUID])
    left = _KEY_BYTES - uuids * _UUID_BYTES - (len(types) - len(long) - uuids) * _FIXED_BYTES
    return left // max(1, len(long))


def _holds(column: FoundColumn, wanted: str) -> bool:
    """Tells whether a column returns every value as a column of the type `wanted` would. Too large a value is an
    error when it is written; rounding is detected here."""
    kind = wanted.partition("(")[0].partition(" ")[0]
    match kind:
        case "DOUBLE" | "DATE":
            return column.type == kind.lower()
        case "TIME" | "DATETIME":
            return column.type == kind.lower() and column.decimals == _MICROSECONDS
        case "DECIMAL":
            decimals = int(wanted.rstrip(")").rpartition(",")[2])
            return column.type == "decimal" and (column.decimals or 0) >= decimals
        case "LONGTEXT" | "VARCHAR":
            return column.type in _TEXTS
        case "LONGBLOB" | "VARBINARY":
            return column.type in _BYTES
    return column.type in _WHOLE


def _literal(column: pa.ChunkedArray, type_: ScalarType) -> pa.Array | pa.ChunkedArray:
    if type_.name is TypeName.BYTEA:
        return pa.array(["NULL" if value is None else f"x'{value.hex()}'" for value in column.to_pylist()], pa.string())
    if type_.name in _FLOATS:
        _require_finite(column)
    if type_.name in DATED:
        column = within_calendars(column, "MySQL")
    if type_.name in _NUMBERS or type_.name in _FLOATS:
        texts = column.cast(pa.string())
    elif type_.name is TypeName.TIMESTAMPTZ:
        texts = column.cast(pa.timestamp("us")).cast(pa.string())
    else:
        texts = text_column(column, type_)
    if type_.name is TypeName.BOOL:
        return pc.fill_null(texts, "NULL")
    quoted = pc.binary_join_element_wise("'", pc.replace_substring(texts, "'", "''"), "'", "")
    return pc.fill_null(quoted, "NULL")


def _require_finite(column: pa.ChunkedArray) -> None:
    if pc.any(pc.invert(pc.is_finite(column))).as_py():
        hint = "Sink a view that casts such numbers to text, or leaves them out."
        message = "a number to be written is NaN or infinite, which MySQL has not"
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, message, hint=hint)


def _in_parentheses(columns: list[pa.Array | pa.ChunkedArray]) -> pa.Array:
    return pc.binary_join_element_wise("(", pc.binary_join_element_wise(*columns, ","), ")", "")
