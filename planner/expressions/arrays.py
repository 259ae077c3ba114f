"""ARRAY[…], nested and cast, and subscripts and fields behind a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.arrays import check_depth
from model.types.scalar_type import (
    CHAR,
    FLOAT8,
    INT4,
    POINT,
    TEXT,
    UNKNOWN,
    WIDE,
    ScalarType,
    TypeName,
    array_of,
    bare_text,
    type_within,
)
from planner.expressions.calls import call_operator, call_syntax
from planner.expressions.columns import column_of_row, field_of
from planner.expressions.list_items import item_or_slice
from planner.expressions.planner import Expressions, handles
from planner.functions.signature import CastContext
from planner.ir.scalar import And, ArrayOf, Call, Case, Literal, Scalar, scalar_type
from planner.scope.analysis import Analysis
from planner.scope.names import location_of
from planner.types.coercion import as_wide, can_coerce, cast_error, coerce, to_common_type

_LOWEST, _HIGHEST = Literal(-(2**31), INT4), Literal(2**31 - 1, INT4)
_NAME_BYTES = 64
PARTED = {TypeName.POINT: FLOAT8, TypeName.BOX: POINT, TypeName.LSEG: POINT}
"""Types of as many parts as each value has, all of one type, from subscript 0 on."""
_SUBSCRIPTED = (TypeName.ARRAY, TypeName.INT2VECTOR, TypeName.OIDVECTOR, TypeName.JSONB)


@handles("a_array_expr")
def plan_array(expressions: Expressions, node: Any) -> Scalar:
    """Plans ARRAY[…]; the type is the common type of its elements."""
    analysis = expressions.analysis
    if not node.elements:
        raise analysis.error(
            Sqlstate.INDETERMINATE_DATATYPE,
            "cannot determine type of empty array",
            node.location,
            hint="Explicitly cast to the desired type, for example ARRAY[]::integer[].",
        )
    values = [expressions.plan(item) for item in node.elements]
    cast, type_ = to_common_type(analysis, values, "ARRAY", [location_of(item) for item in node.elements])
    if any(map(_is_array, values)):
        if type_.element is None:
            message = f"could not find element type for data type {type_}"
            raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message, node.location)
        return call_syntax(analysis, "nest", list(cast), node.location)
    if type_.member is not None:
        raise analysis.unsupported(f"an array of {type_}", node.location, hint="Use LIST[...].")
    element = type_within(replace(type_, modifier=-1))
    elements = tuple(map(as_wide, cast)) if element == WIDE else cast
    return ArrayOf(elements, array_of(element))


def plan_array_of(expressions: Expressions, node: Any, target: ScalarType) -> Scalar:
    """Plans ARRAY[…]::type[], which casts each element, as PostgreSQL does."""
    assert target.element is not None
    values: list[Scalar] = []
    nested = False
    for item in node.elements:
        if item.WhichOneof("node") == "a_array_expr":
            values.append(plan_array_of(expressions, item.a_array_expr, target))
            nested = True
        else:
            values.append(expressions.plan(item))
            nested = nested or _is_array(values[-1])
    places = [location_of(item) for item in node.elements]
    cast = _cast_all(expressions, values, target if nested else target.element, places)
    if nested:
        return call_syntax(expressions.analysis, "nest", cast, node.location)
    return ArrayOf(tuple(cast), target)


def _cast_all(
    expressions: Expressions, values: Sequence[Scalar], target: ScalarType, places: Sequence[int]
) -> list[Scalar]:
    analysis = expressions.analysis
    cast: list[Scalar] = []
    for value, place in zip(values, places, strict=True):
        one = coerce(analysis, value, target, CastContext.EXPLICIT, place)
        if one is None:
            raise cast_error(analysis, scalar_type(value), target, place)
        cast.append(one)
    return cast


def _is_array(value: Scalar) -> bool:
    return scalar_type(value).name is TypeName.ARRAY


@handles("a_indirection")
def plan_indirection(expressions: Expressions, node: Any) -> Scalar:
    """Plans subscripts and fields behind an expression. Adjacent subscripts of an array belong together; those of
    jsonb are applied one by one."""
    location = location_of(node.arg)
    items = list(node.indirection)
    named = None
    if items[0].WhichOneof("node") == "string":
        named = column_of_row(expressions, node.arg, items[0].string.sval)
    if named is not None:
        del items[0]
    value = expressions.plan_known(node.arg) if named is None else named
    while items:
        kind = items[0].WhichOneof("node")
        if kind == "string":
            value = field_of(expressions.analysis, value, items.pop(0).string.sval, location)
        elif kind == "a_indices":
            count = next((i for i, item in enumerate(items) if item.WhichOneof("node") != "a_indices"), len(items))
            value = subscript(expressions, value, [item.a_indices for item in items[:count]], location)
            del items[:count]
        else:
            raise expressions.analysis.unsupported("row expansion via *", location)
    return value


def subscript(expressions: Expressions, value: Scalar, indices: Sequence[Any], location: int) -> Scalar:
    """Plans subscripts. All subscripts of an array together give one element or one slice; each subscript of a list is
    applied to the result of the subscript before.
    """
    analysis = expressions.analysis
    type_ = scalar_type(value)
    if type_.name is TypeName.LIST:
        item = item_or_slice(expressions, value, indices[0], location)
        return subscript(expressions, item, indices[1:], location) if len(indices) > 1 else item
    if type_.name is TypeName.NAME:
        return _letter(expressions, value, indices, location)
    if type_.name in PARTED:
        return _part(expressions, value, indices, location)
    if type_.name not in _SUBSCRIPTED:
        message = f"cannot subscript type {bare_text(type_)} because it does not support subscripting"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)
    if type_.name is TypeName.JSONB:
        return _members(expressions, value, indices, location)
    try:
        check_depth(len(indices))
    except SqlError as error:
        raise analysis.error(error.sqlstate, error.message, location) from None
    if not any(item.is_slice for item in indices):
        places = [_place(expressions, item, "uidx", location) for item in indices]
        return call_syntax(analysis, "subscript", [value, *places], location)
    bounds: list[Scalar] = []
    for item in indices:
        low = _place(expressions, item, "lidx", location) if item.HasField("lidx") else None
        high = _place(expressions, item, "uidx", location) if item.HasField("uidx") else None
        # Beside a slice, a single subscript means the elements from 1 to it.
        first = _LOWEST if item.is_slice else Literal(1, INT4)
        bounds += [first if low is None else low, _HIGHEST if high is None else high]
    return call_syntax(analysis, "slice", [value, *bounds], location)


def _letter(expressions: Expressions, value: Scalar, indices: Sequence[Any], location: int) -> Scalar:
    """Plans a subscript of a name: its letter at a place from 0 to 63, as tools like pg_dump ask for it; NULL for
    further places, and for a letter of a letter."""
    analysis = expressions.analysis
    refuse_parts_slice(analysis, indices, location)
    place, *further = (_place(expressions, item, "uidx", location) for item in indices)
    if further:
        return Literal(None, CHAR)
    text = coerce(analysis, value, TEXT)
    assert text is not None, "names are texts"
    at = [location, location]
    start = call_operator(analysis, "+", [place, Literal(1, INT4)], location, at)
    first = Call("substr_text_int4_int4", (text, start, Literal(1, INT4)), TEXT)
    letter = coerce(analysis, first, CHAR, CastContext.EXPLICIT)
    assert letter is not None, "the first letter of a text"
    within = And(
        (
            call_operator(analysis, ">=", [place, Literal(0, INT4)], location, at),
            call_operator(analysis, "<", [place, Literal(_NAME_BYTES, INT4)], location, at),
        )
    )
    return Case(((within, letter),), Literal(None, CHAR), CHAR)


def _part(expressions: Expressions, value: Scalar, indices: Sequence[Any], location: int) -> Scalar:
    """Plans a subscript of a shape: its number or its point; NULL for further places, and for a part of a part."""
    refuse_parts_slice(expressions.analysis, indices, location)
    place, *further = (_place(expressions, item, "uidx", location) for item in indices)
    part = call_syntax(expressions.analysis, "part", [value, place], location)
    return Literal(None, part.type) if further else part


def refuse_parts_slice(analysis: Analysis, indices: Sequence[Any], location: int) -> None:
    """Raises SqlError 0A000 for a slice of what has as many parts as each of its type."""
    if any(item.is_slice for item in indices):
        message = "slices of fixed-length arrays not implemented"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location)


def _members(expressions: Expressions, value: Scalar, indices: Sequence[Any], location: int) -> Scalar:
    """Plans subscripts of jsonb, which are the path of `#>`: a number is an element of arrays, and so is a text that is
    one."""
    steps, _ = jsonb_steps(expressions, indices, location)
    path = ArrayOf(tuple(steps), array_of(TEXT))
    return call_operator(expressions.analysis, "#>", [value, path], location, [location, location])


def jsonb_steps(expressions: Expressions, indices: Sequence[Any], location: int) -> tuple[list[Scalar], bool]:
    """Plans subscripts of jsonb, integers and texts, as texts; returns them, and whether the first is an integer.
    Raises SqlError 42804 for slices and other types."""
    if any(item.is_slice for item in indices):
        message = "jsonb subscript does not support slices"
        raise expressions.analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)
    steps, types = zip(*(_step(expressions, item) for item in indices), strict=True)
    return list(steps), types[0] == INT4


def _step(expressions: Expressions, item: Any) -> tuple[Scalar, ScalarType]:
    """Returns the text of a subscript, and the type that it was taken for."""
    part = expressions.plan(item.uidx)
    type_ = scalar_type(part)
    if type_ != UNKNOWN and not can_coerce(type_, TEXT):
        number = coerce(expressions.analysis, part, INT4)
        if number is None:
            message = f"subscript type {bare_text(type_)} is not supported"
            hint = "jsonb subscript must be coercible to either integer or text."
            raise expressions.analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location_of(item.uidx), hint=hint)
        part, type_ = number, INT4
    step = coerce(expressions.analysis, part, TEXT, CastContext.EXPLICIT)
    assert step is not None, "integers and what is coerced to text can be text"
    return step, type_


def _place(expressions: Expressions, item: Any, name: str, location: int) -> Scalar:
    part = expressions.plan(getattr(item, name))
    return expressions.to_type(part, INT4, "array subscript", location)
