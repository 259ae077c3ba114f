"""Parses names as users write them: dotted ones into parts, and names of types.

split_name('public."My Table"')   ('public', 'My Table')
type_named('timestamp with time zone') and type_named('timestamptz') are one type
"""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType, TypeName, array_of

_ALIASES = {
    "boolean": "bool",
    "smallint": "int2",
    "integer": "int4",
    "int": "int4",
    "bigint": "int8",
    "real": "float4",
    "double precision": "float8",
    "double": "float8",
    "decimal": "numeric",
    "character varying": "varchar",
    "character": "bpchar",
    "bit varying": "varbit",
    '"char"': "char",
    "time without time zone": "time",
    "time with time zone": "timetz",
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamptz",
    "string": "text",
    "bytes": "bytea",
    "refcursor": "text",
}
_HIDDEN = frozenset(
    (
        *("array", "enum", "wide", "unknown", "any", "anyelement", "anyarray", "anynonarray", "anyenum"),
        *("anyrange", "anymultirange", "anycompatible", "anycompatiblearray"),
        *("list", "map", "anycompatiblelist", "anycompatiblemap"),
    )
)
_BY_NAME = {name.value: ScalarType(name) for name in TypeName if name.value not in _HIDDEN}


def split_name(text: str) -> tuple[str, ...]:
    """Splits a dotted name into its parts: quoted parts lose their quotes, others turn to lower case. Raises 42602 when
    the text is no name."""
    parts: list[str] = []
    at = 0
    text = text.strip()
    while True:
        if at < len(text) and text[at] == '"':
            end = at + 1
            part = ""
            while True:
                close = text.find('"', end)
                if close < 0:
                    raise SqlError(Sqlstate.INVALID_NAME, "invalid name syntax")
                part += text[end:close]
                end = close + 1
                if text[end : end + 1] != '"':
                    break
                part += '"'
                end += 1
            parts.append(part)
            at = end
        else:
            end = at
            while end < len(text) and text[end] != ".":
                end += 1
            part = text[at:end].strip().lower()
            if not part or " " in part:
                raise SqlError(Sqlstate.INVALID_NAME, "invalid name syntax")
            parts.append(part)
            at = end
        if at >= len(text):
            return tuple(parts)
        if text[at] != ".":
            raise SqlError(Sqlstate.INVALID_NAME, "invalid name syntax")
        at += 1


def type_named(name: str) -> ScalarType | None:
    """Returns a type by pg_type.typname or by the name that format_type prints, without modifiers or brackets."""
    return type_by_typname(_ALIASES.get(name, name))


def type_by_typname(name: str) -> ScalarType | None:
    """Returns a type by pg_type.typname, its only name with a schema."""
    if name.startswith("_") and name[1:] in _BY_NAME:
        return array_of(_BY_NAME[name[1:]])
    return _BY_NAME.get(name)
