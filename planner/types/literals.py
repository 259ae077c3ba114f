"""Constants in SQL's notation; string constants are read by the input function of the type that their use decides."""

from __future__ import annotations

import datetime
import decimal
import re
from dataclasses import replace
from typing import Any

from model.errors.sql_error import NotSupported, SqlError
from model.text.context import DEFAULT_CONTEXT, TextContext
from model.text.dispatch import parse_datum
from model.text.modifiers import apply_modifier
from model.text.numerics import fits_decimal, parse_numeric
from model.text.times.interval_input import with_unit
from model.types.datum import Datum
from model.types.range_types import ranged, subtype_of
from model.types.scalar_type import (
    BIT,
    BOOL,
    INT4,
    INT8,
    NUMERIC,
    REGISTERED,
    TEXT,
    UNKNOWN,
    WIDE,
    ScalarType,
    TypeName,
    array_of,
    shown_numeric,
)
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import CastContext
from planner.ir.scalar import Call, Literal, Scalar
from planner.scope.analysis import Analysis
from planner.syntax.refusals import character_position
from planner.types.function_table import cast_between, modifier_function
from planner.types.object_names import CatalogNames
from planner.types.session_arguments import call_of

_ZONED = DEFAULT_CONTEXT
_ELSEWHERE = replace(
    DEFAULT_CONTEXT, time_zone="Pacific/Kiritimati", now=datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
)
_STANDARD = replace(DEFAULT_CONTEXT, interval_style="sql_standard")
"""With which one minus sign at the beginning of an interval counts for all of it."""
_TIMES_OF_DAY = (TypeName.TIME, TypeName.TIMETZ)
_BY_SESSION = (TypeName.DATE, *_TIMES_OF_DAY, TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ)
_CODE = frozenset((TypeName.REGPROC, TypeName.REGPROCEDURE, TypeName.REGOPER, TypeName.REGOPERATOR))
"""What is named by functions and operators, which are looked up at execution."""
_IN_ORDER = re.compile(
    r"(?<!\d)\d{4,}-\d{1,2}-\d{1,2}(?!\d)|\d{1,2}:\d{2}(?::\d{2}(?:\.\d*)?)?|[+-]\d{1,2}(?::?\d{2})?(?![\d-])"
)
"""Dates that are such by themselves, 2024-01-02, times and zones; other numbers DateStyle may have to order."""
_DIGIT = re.compile(r"\d")
_CLOCK_WORDS = ("now", "today", "tomorrow", "yesterday")
_INT8_DIGITS = 19
"""No more has any int8; Python, too, makes no integer of a text of thousands of digits."""
_INT8_BITS = 64
"""No more has any int8 in base 2."""


def constant(analysis: Analysis, node: Any) -> Literal:
    """Returns an A_Const: NULL and strings are of unknown type, numbers of the least type that holds them."""
    if node.isnull:
        return Literal(None, UNKNOWN)
    match node.WhichOneof("val"):
        case "ival":
            return Literal(node.ival.ival, INT4)
        case "fval":
            return _number(node.fval.fval)
        case "boolval":
            return Literal(node.boolval.boolval, BOOL)
        case "sval":
            return Literal(node.sval.sval, UNKNOWN)
        case _:
            return _bits(analysis, node)


def _bits(analysis: Analysis, node: Any) -> Literal:
    """Reads bits; the grammar has put b or x before the digits."""
    try:
        return Literal(parse_datum(node.bsval.bsval, BIT), BIT)
    except SqlError as error:
        raise error.at(character_position(analysis.source, node.location)) from None


def constant_as_text(analysis: Analysis, node: Any) -> Literal:
    """Returns an A_Const that is cast to floating point: a decimal number stays text, which may have more digits and a
    greater exponent than numerics hold."""
    if node.WhichOneof("val") != "fval" or node.isnull:
        return constant(analysis, node)
    text = node.fval.fval.replace("_", "")
    based = text.removeprefix("-")[:2].lower() in ("0x", "0o", "0b")
    return constant(analysis, node) if based else Literal(text, UNKNOWN)


def _number(text: str) -> Literal:
    """Reads a number; the grammar has put a sign before the digits where one stood before them."""
    digits = text.replace("_", "").lower()
    unsigned = digits.removeprefix("-")
    based = unsigned[:2] in ("0x", "0o", "0b")
    if not unsigned.isdigit() and not based:
        return _as_held(parse_numeric(digits), shown_numeric(_decimals(digits)))
    if not based and len(unsigned.lstrip("0")) > _INT8_DIGITS:
        return _as_held(parse_numeric(digits), shown_numeric(0))
    if based and len(unsigned[2:].lstrip("0")) > _INT8_BITS:
        return _as_held(parse_numeric(digits), shown_numeric(0))
    value = int(digits, 0) if based else int(digits.replace(unsigned, unsigned.lstrip("0") or "0"))
    for type_, bits in ((INT4, 31), (INT8, 63)):
        if -(1 << bits) <= value < 1 << bits:
            return Literal(value, type_)
    return Literal(decimal.Decimal(value), shown_numeric(0))


def _as_held(value: decimal.Decimal, type_: ScalarType) -> Literal:
    """Returns a constant of a numeric type, of wide where no decimal of a collection holds the value."""
    return Literal(value, type_ if fits_decimal(value) else WIDE)


def _as_shown(text: str, value: Datum) -> ScalarType:
    """Returns the type of a numeric that is written as a text."""
    assert isinstance(value, decimal.Decimal)
    written = _DECIMAL.fullmatch(text)
    return NUMERIC if written is None else shown_numeric(_decimals(written[0]))


def _decimals(digits: str) -> int:
    """Returns the number of decimals that are written: two of `1.50`, none of `1.5e2`."""
    exponent = decimal.Decimal(digits).as_tuple().exponent
    assert isinstance(exponent, int), "the grammar reads finite numbers alone"
    return max(-exponent, 0)


def literal_from_text(
    analysis: Analysis, literal: Literal, target: ScalarType, context: CastContext, location: int
) -> Scalar | None:
    """Returns a string constant as a constant of `target`; as a cast at execution when the session decides what it
    means."""
    if literal.value is None:
        return Literal(None, target)
    text = literal.value
    assert isinstance(text, str)
    explicit = context is CastContext.EXPLICIT
    plain = target.plain()
    try:
        if plain.name in _CODE:
            return _cast_later(text, target, explicit)
        if plain.element is not None and plain.element.name in _CODE:
            return _cast_elements_later(text, plain)
        if reads_times(plain):
            _refuse_sessions(text, plain)
        elif _depends_on_session(read := _interval_text(text, target), plain):
            return _cast_later(read, target, explicit)
        value = _parse(analysis, text, target)
    except SqlError as error:
        raise error.at(character_position(analysis.source, location)) from None
    # PostgreSQL applies the modifier when it executes, and then knows no place.
    value = apply_modifier(value, target, explicit=explicit)
    if target == NUMERIC:
        assert isinstance(value, decimal.Decimal)
        shown = Literal(value, _as_shown(text, value))
        return _as_held(value, shown.type) if explicit else shown
    return Literal(value, target)


def _parse(analysis: Analysis, text: str, target: ScalarType) -> Datum:
    type_ = target.plain()
    element = type_.element if type_.element is not None else type_
    if target.name is TypeName.INTERVAL:
        return _parse_interval(text, target)
    if element.name in REGISTERED:
        names = CatalogNames(analysis.context, analysis.depends_on)
        return parse_datum(text, type_, context=replace(DEFAULT_CONTEXT, objects=names))
    return parse_datum(text, type_)


def _parse_interval(text: str, target: ScalarType) -> Datum:
    """Parses an interval. Errors name the text as it is written."""
    read = _interval_text(text, target)
    try:
        return parse_datum(read, target.plain())
    except SqlError as error:
        raise SqlError(error.sqlstate, error.message.replace(f'"{read}"', f'"{text}"')) from None


_DECIMAL = re.compile(r"[ +-]*[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]{1,3})? *")


def _interval_text(text: str, target: ScalarType) -> str:
    """Writes out the unit that the fields of an interval's type give to a bare number: `INTERVAL '1' YEAR`."""
    if target.name is not TypeName.INTERVAL or target.modifier < 0:
        return text
    return with_unit(text, target.modifier >> 16 & 0x7FFF)


def _depends_on_session(text: str, type_: ScalarType) -> bool:
    """Tells whether the text means different values at different times, in different time zones or orders of a date."""
    element = type_.element if type_.element is not None else type_
    if ranged(element):
        element = subtype_of(element)
    if element.name is TypeName.INTERVAL and "-" in text:
        return _meaning(text, type_, DEFAULT_CONTEXT) != _meaning(text, type_, _STANDARD)
    if element.name not in _BY_SESSION:
        return False
    lowered = text.lower()
    if any(word in lowered for word in _CLOCK_WORDS):
        return True
    ordered = element.name in _TIMES_OF_DAY or _DIGIT.search(_IN_ORDER.sub("", text)) is None
    if not ordered and _depends_on_order(text, type_):
        return True
    if element.name not in (TypeName.TIMESTAMPTZ, TypeName.TIMETZ):
        return False
    return parse_datum(text, type_, context=_ZONED) != parse_datum(text, type_, context=_ELSEWHERE)


def read_later(scalar: Scalar) -> bool:
    """Tells whether an expression is a string constant that is read only at execution, as the session has it then."""
    if not isinstance(scalar, Call) or not scalar.arguments:
        return False
    function, text = FUNCTIONS[scalar.function], scalar.arguments[0]
    if function.form != "cast" or not (function.session or function.needs_system):
        return False
    return isinstance(text, Literal) and text.type in (TEXT, array_of(TEXT))


def reads_times(type_: ScalarType) -> bool:
    """Tells whether the text of a type's fields or members depends on the session, or the type is an array of such a
    type."""
    if type_.member is not None:
        return _timed(type_.member)
    composite = type_.element or type_
    if composite.range is not None:
        return _timed(composite.range.subtype)
    return composite.composite is not None and any(map(_timed, (field for _, field in composite.fields)))


def _timed(type_: ScalarType) -> bool:
    base = type_.element or type_
    base = subtype_of(base) if ranged(base) else base
    return base.name in _BY_SESSION or reads_times(base)


def _refuse_sessions(text: str, type_: ScalarType) -> None:
    """Raises 0A000 for a composite value whose meaning depends on the session."""
    contexts = [_ZONED, _ELSEWHERE, *(replace(_ZONED, date_style=f"ISO, {order}") for order in ("DMY", "YMD"))]
    meanings = {_meaning(text, type_, context) for context in contexts}
    if len(meanings) > 1 or any(word in text.lower() for word in _CLOCK_WORDS):
        hint = "Use ROW(...), LIST[...] or MAP[...]."
        raise NotSupported(f"a text of type {type_} that depends on the session's settings", hint=hint)


def _meaning(text: str, type_: ScalarType, context: TextContext) -> Datum:
    """Parses a text; returns NULL for one that can't be parsed."""
    try:
        return parse_datum(text, type_, context=context)
    except SqlError:
        return None


def _depends_on_order(text: str, type_: ScalarType) -> bool:
    meanings: set[Datum] = set()
    for order in ("MDY", "DMY", "YMD"):
        try:
            meanings.add(parse_datum(text, type_, context=replace(DEFAULT_CONTEXT, date_style=f"ISO, {order}")))
        except SqlError:
            meanings.add(None)
    return len(meanings) > 1


def _cast_elements_later(text: str, target: ScalarType) -> Scalar:
    """Returns an array constant of what is looked up at execution."""
    texts = array_of(TEXT)
    cast = cast_between(texts, target)
    assert cast is not None, f"no cast from {texts} to {target}"
    return call_of(cast.function, (Literal(parse_datum(text, texts), texts),), target)


def _cast_later(text: str, target: ScalarType, explicit: bool) -> Scalar:
    cast = cast_between(TEXT, target.plain())
    assert cast is not None, f"no cast from text to {target}"
    value = call_of(cast.function, (Literal(text, TEXT),), target.plain())
    if target.modifier < 0:
        return value
    function, arguments = modifier_function(target, explicit=explicit)
    return call_of(function, (value, *arguments), target)
