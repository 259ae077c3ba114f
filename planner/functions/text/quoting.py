"""quote_ident and its kin, concat, concat_ws and format: text made of values of any type."""

from __future__ import annotations

import re
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.addresses.networks import format_cidr
from model.text.integers import clamped
from model.types.scalar_type import TEXT, ScalarType, TypeName
from planner.functions.casts.text import text_of
from planner.functions.failures import invalid_parameter
from planner.functions.rows import ANY, ANYELEMENT, ANYNONARRAY, function, operator
from planner.functions.signature import Function, Volatility
from planner.functions.system.keywords import RESERVED_WORDS
from planner.ir.scalar import SessionName

Types = tuple[ScalarType, ...]
_INT4_MAX = 2**31 - 1
_PLAIN_IDENTIFIER = re.compile(r"[a-z_][a-z0-9_$]*")
_SPECIFIER = re.compile(r"%(?:(%)|(?:(\d+)\$)?(-)?(?:(\d+)|\*(?:(\d+)\$)?)?(.))|%", re.DOTALL)


def quote_identifier(text: str) -> str:
    """Quotes an identifier, in double quotes when it would be read as something else without."""
    if _PLAIN_IDENTIFIER.fullmatch(text) and text not in RESERVED_WORDS and "$" not in text:
        return text
    return '"' + text.replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    """Writes a text as an SQL string; with E when it has backslashes."""
    quoted = "'" + text.replace("'", "''").replace("\\", "\\\\") + "'"
    return "E" + quoted if "\\" in text else quoted


def concatenated(types: Types, *values: Any) -> str:
    """Joins the texts of values, leaving NULLs out. The last value is the session's output style."""
    *items, style = values
    return "".join(text_of(item, type_, style) for item, type_ in zip(items, types, strict=True) if item is not None)


def concatenated_with(types: Types, separator: str | None, *values: Any) -> str | None:
    """Joins the texts of values by a separator, leaving NULLs out; a NULL separator gives NULL. The last value is the
    session's output style."""
    if separator is None:
        return None
    *items, style = values
    return separator.join(
        text_of(item, type_, style) for item, type_ in zip(items, types[1:], strict=True) if item is not None
    )


def _text_beside(types: Types, left: Any, right: Any, style: str) -> str:
    """Concatenates by the casts to text, which write booleans as words, drop the padding of char(n) and give an inet
    its prefix."""
    return _cast_to_text(left, types[0], style) + _cast_to_text(right, types[1], style)


def _cast_to_text(value: Any, type_: ScalarType, style: str) -> str:
    match type_.name:
        case TypeName.BOOL:
            return "true" if value else "false"
        case TypeName.BPCHAR:
            return str(value).rstrip(" ")
        case TypeName.INET:
            return format_cidr(value)
        case _:
            return text_of(value, type_, style)


def _quote_any_literal(types: Types, value: Any, style: str) -> str:
    return quote_literal(_cast_to_text(value, types[0], style))


def _quote_nullable(types: Types, value: Any, style: str) -> str:
    return "NULL" if value is None else quote_literal(_cast_to_text(value, types[0], style))


class _Arguments:
    """The arguments of format(): taken one after the other, or by number."""

    def __init__(self, types: Types, values: tuple[Any, ...], style: str) -> None:
        self.types, self.values, self.style, self.next = types, values, style, 0

    def take(self, number: str | None) -> tuple[Any, ScalarType]:
        index = self.next if number is None else _number(number) - 1
        if index < 0:
            raise invalid_parameter("format specifies argument 0, but arguments are numbered from 1")
        if index >= len(self.values):
            raise invalid_parameter("too few arguments for format()")
        self.next = index + 1
        return self.values[index], self.types[index]


def format_text(types: Types, template: str | None, *values: Any) -> str | None:
    """Formats: %s a value, %I an identifier, %L a literal, %% a percent sign; widths, and arguments by number."""
    if template is None:
        return None
    *items, style = values
    arguments = _Arguments(types[1:], tuple(items), style)

    def replace(match: re.Match[str]) -> str:
        if match[1]:
            return "%"
        if match[6] is None:
            raise invalid_parameter("unterminated format() type specifier", hint='For a single "%" use "%%".')
        return _formatted(match, arguments)

    return _SPECIFIER.sub(replace, template)


def _number(digits: str) -> int:
    """Reads a width or a number of an argument; raises 22003 beyond an integer."""
    number = clamped(digits)
    if number > _INT4_MAX:
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "number is out of range")
    return number


def _formatted(match: re.Match[str], arguments: _Arguments) -> str:
    _, number, minus, width_text, width_number, kind = match.groups()
    width = _number(width_text) if width_text else 0
    if "*" in match[0]:
        taken, _ = arguments.take(width_number)
        width = int(taken or 0)
    if kind not in "sIL":
        message = f'unrecognized format() type specifier "{kind}"'
        raise invalid_parameter(message, hint='For a single "%" use "%%".')
    value, type_ = arguments.take(number)
    if value is None:
        if kind == "I":
            message = "null values cannot be formatted as an SQL identifier"
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, message)
        text = "NULL" if kind == "L" else ""
    else:
        text = text_of(value, type_, arguments.style)
        text = quote_identifier(text) if kind == "I" else quote_literal(text) if kind == "L" else text
    return text.ljust(abs(width)) if minus or width < 0 else text.rjust(width)


_STYLE = (SessionName.OUTPUT_STYLE,)
_STABLE = Volatility.STABLE

FUNCTIONS: tuple[Function, ...] = (
    function("quote_ident", (TEXT,), TEXT, quote_identifier),
    function("quote_literal", (TEXT,), TEXT, quote_literal),
    function("quote_nullable", (TEXT,), TEXT, lambda a: "NULL" if a is None else quote_literal(a), strict=False),
    function("quote_literal", (ANYELEMENT,), TEXT, _quote_any_literal, typed=True, session=_STYLE, volatility=_STABLE),
    function(
        "quote_nullable",
        (ANYELEMENT,),
        TEXT,
        _quote_nullable,
        strict=False,
        typed=True,
        session=_STYLE,
        volatility=_STABLE,
    ),
    operator("||", "concat", (TEXT, ANYNONARRAY), TEXT, _text_beside, typed=True, session=_STYLE, volatility=_STABLE),
    operator("||", "concat", (ANYNONARRAY, TEXT), TEXT, _text_beside, typed=True, session=_STYLE, volatility=_STABLE),
    function(
        "concat",
        (ANY,),
        TEXT,
        concatenated,
        strict=False,
        variadic=True,
        typed=True,
        session=_STYLE,
        volatility=_STABLE,
    ),
    function(
        "concat_ws",
        (TEXT, ANY),
        TEXT,
        concatenated_with,
        strict=False,
        variadic=True,
        typed=True,
        session=_STYLE,
        volatility=_STABLE,
    ),
    function(
        "format",
        (TEXT,),
        TEXT,
        format_text,
        strict=False,
        fallible=True,
        typed=True,
        session=_STYLE,
        volatility=_STABLE,
    ),
    function(
        "format",
        (TEXT, ANY),
        TEXT,
        format_text,
        strict=False,
        fallible=True,
        variadic=True,
        typed=True,
        session=_STYLE,
        volatility=_STABLE,
    ),
)
