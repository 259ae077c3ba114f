"""Casts to and from the string types, most through the text form of the other type, and casts among strings.

Casts that write dates, times, intervals, floats and bytea take the session's OUTPUT_STYLE. Casts that read times take
the session's TimeZone, NOW (for 'now' and 'today') and DateStyle (for 01/02/2024). As in PostgreSQL, casts of floats
and bytea count as IMMUTABLE though settings change the text, so an index may use such a cast: the index holds texts by
the default settings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.text.context import TextContext, styled_context
from model.text.dispatch import formatter, parser
from model.text.strings import format_char, parse_char, parse_name
from model.types.datum import Datum
from model.types.range_types import MULTIRANGES, RANGES, subtype_of
from model.types.scalar_type import (
    BOOL,
    BPCHAR,
    CHAR,
    DATE,
    INT2VECTOR,
    INT4,
    INTERVAL,
    NAME,
    OIDVECTOR,
    RECORD,
    REGCLASS,
    REGISTERED,
    TEXT,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    TIMETZ,
    VARCHAR,
    VOID,
    ScalarType,
    TypeName,
    array_of,
)
from model.types.type_table import TYPES
from planner.functions.casts.record_casts import ASSIGNMENT, EXPLICIT, IMPLICIT, cast, unchanged
from planner.functions.failures import out_of_range
from planner.functions.signature import Cast, CastContext, Volatility
from planner.functions.system.lookup import SystemLookup
from planner.ir.scalar import SessionName

PLAIN = (*(ScalarType(name) for name in TypeName if TYPES[name].plain_text), *RANGES, *MULTIRANGES)
"""The types with a text form that needs neither the catalog nor a type of its own to be a string."""

_STRINGS = (TEXT, VARCHAR, BPCHAR, NAME)
_TIMES = (DATE, TIMESTAMP, TIMESTAMPTZ)
_RANGES_OF_TIMES = frozenset(type_.name for type_ in (*RANGES, *MULTIRANGES) if subtype_of(type_) in _TIMES)
_ZONED_INPUT = frozenset((*(type_.name for type_ in _TIMES), TIME.name, TIMETZ.name, *_RANGES_OF_TIMES))
_UNSTABLE = frozenset((*(type_.name for type_ in _TIMES), INTERVAL.name, *_RANGES_OF_TIMES))
_OF_FLOATS = {TypeName.FLOAT4, TypeName.FLOAT8, TypeName.POINT, TypeName.BOX, TypeName.LSEG, TypeName.CIRCLE}
_STYLED = _UNSTABLE | _OF_FLOATS | {TypeName.BYTEA}
_FINISH: dict[TypeName, Callable[[str], str]] = {TypeName.NAME: parse_name}


def _element_name(type_: ScalarType) -> TypeName:
    return type_.name if type_.element is None else _element_name(type_.element)


def text_of(value: Datum, type_: ScalarType, style: str = "UTC") -> str:
    """Returns the output function of `type_`, in the session's output style."""
    if style == "UTC":
        return formatter(type_)(value)
    return formatter(type_, styled_context(style))(value)


def _text_writer(target: ScalarType) -> Callable[..., str]:
    """Returns the function that writes any type as text, by its actual modifier."""
    finish: Callable[[str], str] = _FINISH.get(target.name, unchanged)

    def evaluate(types: tuple[ScalarType, ...], value: Datum, style: str = "UTC") -> str:
        written: str = finish(text_of(value, types[0], style))
        return written

    return evaluate


def _zoned_parser(type_: ScalarType) -> Callable[[str, str, Any, str], Datum]:
    def evaluate(text: str, time_zone: str, now: Any, date_style: str) -> Datum:
        return parser(type_, TextContext(time_zone=time_zone, date_style=date_style, now=now))(text)

    return evaluate


def _output(source: ScalarType, target: ScalarType) -> Cast:
    if source == BOOL and target != NAME:
        return cast(BOOL, target, ASSIGNMENT, lambda value: "true" if value else "false")
    name = _element_name(source)
    if name in _STYLED:
        return cast(
            source,
            target,
            ASSIGNMENT,
            _text_writer(target),
            typed=True,
            session=(SessionName.OUTPUT_STYLE,),
            volatility=Volatility.STABLE if name in _UNSTABLE else Volatility.IMMUTABLE,
        )
    return cast(source, target, ASSIGNMENT, _text_writer(target), typed=True)


def _input(source: ScalarType, target: ScalarType) -> Cast:
    element = target.element if target.element is not None else target
    if element.name in _ZONED_INPUT:
        return cast(
            source,
            target,
            EXPLICIT,
            _zoned_parser(target),
            fallible=True,
            session=(SessionName.TIME_ZONE, SessionName.NOW, SessionName.DATE_STYLE),
            volatility=Volatility.STABLE,
        )
    if element.name is TypeName.INTERVAL:
        return cast(
            source,
            target,
            EXPLICIT,
            lambda text, style: parser(target, styled_context(style))(text),
            fallible=True,
            session=(SessionName.OUTPUT_STYLE,),
            volatility=Volatility.STABLE,
        )
    return cast(source, target, EXPLICIT, parser(target), fallible=True)


def _through_text(type_: ScalarType) -> list[Cast]:
    return [row for string in _STRINGS for row in (_output(type_, string), _input(string, type_))]


def _name_of(kind: TypeName) -> Callable[[SystemLookup, int], str]:
    def evaluate(system: SystemLookup, oid: int) -> str:
        return formatter(ScalarType(kind), TextContext(objects=system.names))(oid)

    return evaluate


def _oid_of(type_: ScalarType) -> Callable[[SystemLookup, str], Datum]:
    def evaluate(system: SystemLookup, text: str) -> Datum:
        return parser(type_, TextContext(objects=system.names))(text)

    return evaluate


def _registered(type_: ScalarType) -> list[Cast]:
    stable = Volatility.STABLE
    casts: list[Cast] = []
    for string in _STRINGS:
        reading = IMPLICIT if type_ == REGCLASS and string in (TEXT, VARCHAR) else EXPLICIT
        casts += (
            cast(type_, string, ASSIGNMENT, _name_of(type_.name), needs_system=True, volatility=stable),
            cast(string, type_, reading, _oid_of(type_), needs_system=True, fallible=True, volatility=stable),
        )
    return casts


def _string(source: ScalarType, target: ScalarType, context: CastContext) -> Cast:
    """Returns a cast between string types; the blanks at the end of char(n) are dropped."""
    finish: Callable[[str], str] = _FINISH.get(target.name, unchanged)
    return cast(source, target, context, finish if source != BPCHAR else lambda value: finish(value.rstrip(" ")))


ARRAY_ELEMENTS = (*PLAIN, TEXT, VARCHAR, BPCHAR, NAME, CHAR)
_ACLITEM = ScalarType(TypeName.ACLITEM)
WRITTEN_ELEMENTS = (*ARRAY_ELEMENTS, _ACLITEM)
"""Arrays of these are cast element by element; those of the last are written so, and not read."""
_VECTORS = (INT2VECTOR, OIDVECTOR)
_USERS_FORMS = (RECORD, ScalarType(TypeName.RANGE), ScalarType(TypeName.MULTIRANGE))
_FORMS_BY_TYPE = (*_USERS_FORMS, *map(array_of, _USERS_FORMS))
_ENUM = ScalarType(TypeName.ENUM)
"""Any enum; text becomes one by `read_as`, which knows the type."""


def _byte(number: int) -> str:
    """Casts to a "char", which is a signed byte."""
    if not -128 <= number <= 127:
        raise out_of_range('"char"')
    return chr(number % 256) if number else ""


CASTS: tuple[Cast, ...] = (
    *(row for type_ in PLAIN for row in _through_text(type_)),
    *(row for type_ in ARRAY_ELEMENTS if type_ not in _VECTORS for row in _through_text(array_of(type_))),
    *(row for type_ in map(ScalarType, sorted(REGISTERED)) for row in _registered(type_)),
    *(_output(form, string) for form in (_ENUM, array_of(_ENUM), array_of(_ACLITEM)) for string in _STRINGS),
    *(
        cast(
            form,
            string,
            ASSIGNMENT,
            _text_writer(string),
            typed=True,
            session=(SessionName.OUTPUT_STYLE,),
            volatility=Volatility.STABLE,
        )
        for form in (*_FORMS_BY_TYPE, ScalarType(TypeName.LIST), ScalarType(TypeName.MAP))
        for string in (TEXT, VARCHAR)
    ),
    _string(TEXT, VARCHAR, IMPLICIT),
    _string(TEXT, BPCHAR, IMPLICIT),
    _string(TEXT, NAME, IMPLICIT),
    _string(VARCHAR, TEXT, IMPLICIT),
    _string(VARCHAR, BPCHAR, IMPLICIT),
    _string(VARCHAR, NAME, IMPLICIT),
    _string(BPCHAR, TEXT, IMPLICIT),
    _string(BPCHAR, VARCHAR, IMPLICIT),
    _string(BPCHAR, NAME, IMPLICIT),
    _string(NAME, TEXT, IMPLICIT),
    _string(NAME, VARCHAR, ASSIGNMENT),
    _string(NAME, BPCHAR, ASSIGNMENT),
    cast(ScalarType(TypeName.PG_NODE_TREE), TEXT, IMPLICIT, unchanged),
    cast(_ACLITEM, TEXT, ASSIGNMENT, unchanged),
    cast(VOID, TEXT, EXPLICIT, unchanged),
    cast(CHAR, TEXT, IMPLICIT, format_char),
    cast(CHAR, VARCHAR, ASSIGNMENT, format_char),
    cast(CHAR, BPCHAR, ASSIGNMENT, unchanged),
    cast(TEXT, CHAR, ASSIGNMENT, parse_char),
    cast(VARCHAR, CHAR, ASSIGNMENT, parse_char),
    cast(BPCHAR, CHAR, ASSIGNMENT, parse_char),
    cast(CHAR, INT4, EXPLICIT, lambda value: (ord(value) + 128) % 256 - 128 if value else 0),
    cast(INT4, CHAR, EXPLICIT, _byte, fallible=True),
)
