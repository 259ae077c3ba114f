"""Window definitions: named in WINDOW, written in OVER, or built on a named definition; frames and their offsets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import (
    BOOL,
    FLOAT4,
    FLOAT8,
    INT2,
    INT4,
    INT8,
    INTERVAL,
    NUMERIC,
    TIMESTAMP,
    UNKNOWN,
    ScalarType,
    TypeName,
    bare_text,
)
from planner.expressions.calls import call_operator, call_syntax
from planner.expressions.planner import ClausePlace, Expressions
from planner.ir.aggregate import SortKey
from planner.ir.columns import own_columns
from planner.ir.scalar import Literal, Scalar, scalar_type
from planner.ir.window import BoundKind, Exclusion, FrameBound, FrameMode, WindowFrame
from planner.scope.names import location_of
from planner.scope.ordering import sort_directions
from planner.scope.window_use import WindowDefinition
from planner.types.coercion import can_coerce, coerce, known
from planner.types.comparability import check_equality, check_order

# The bits of a frame clause in the syntax tree (PostgreSQL's parsenodes.h).
_GIVEN, _RANGE, _ROWS, _GROUPS = 0x1, 0x2, 0x4, 0x8
_START_BITS = {
    0x20: BoundKind.UNBOUNDED_PRECEDING,
    0x80: BoundKind.UNBOUNDED_FOLLOWING,
    0x200: BoundKind.CURRENT_ROW,
    0x800: BoundKind.PRECEDING,
    0x2000: BoundKind.FOLLOWING,
}
_END_BITS = {bit << 1: kind for bit, kind in _START_BITS.items()}
_EXCLUSION_BITS = {0x8000: Exclusion.CURRENT_ROW, 0x10000: Exclusion.GROUP, 0x20000: Exclusion.TIES}
_PLACES = {
    FrameMode.ROWS: ClausePlace.FRAME_ROWS,
    FrameMode.RANGE: ClausePlace.FRAME_RANGE,
    FrameMode.GROUPS: ClausePlace.FRAME_GROUPS,
}
_DISTANCES: dict[TypeName, tuple[ScalarType, ...]] = {
    TypeName.INT2: (INT8, INT4, INT2),
    TypeName.INT4: (INT8, INT4, INT2),
    TypeName.INT8: (INT8,),
    TypeName.FLOAT4: (FLOAT8,),
    TypeName.FLOAT8: (FLOAT8,),
    TypeName.NUMERIC: (NUMERIC,),
    TypeName.DATE: (INTERVAL,),
    TypeName.TIME: (INTERVAL,),
    TypeName.TIMETZ: (INTERVAL,),
    TypeName.TIMESTAMP: (INTERVAL,),
    TypeName.TIMESTAMPTZ: (INTERVAL,),
    TypeName.INTERVAL: (INTERVAL,),
}
"""By the type of the key, the types that a distance may be of."""


def plan_named_windows(expressions: Expressions, nodes: Iterable[Any]) -> None:
    """Plans the WINDOW clause; a window may be built on those before it."""
    select = expressions.scope.select
    assert select is not None, "a WINDOW clause is part of a SELECT"
    for node in nodes:
        window = node.window_def
        if window.name in select.definitions:
            message = f'window "{window.name}" is already defined'
            raise expressions.analysis.error(Sqlstate.WINDOWING_ERROR, message, window.location)
        select.definitions[window.name] = _define(expressions, window)


def definition_of(expressions: Expressions, node: Any) -> WindowDefinition:
    """Returns the window behind OVER: a single name is that window, everything else defines one."""
    return _named(expressions, node.name, node.location) if node.name else _define(expressions, node)


def _named(expressions: Expressions, name: str, location: int) -> WindowDefinition:
    select = expressions.scope.select
    if select is None or name not in select.definitions:
        raise expressions.analysis.error(Sqlstate.UNDEFINED_OBJECT, f'window "{name}" does not exist', location)
    return select.definitions[name]


def _define(expressions: Expressions, node: Any) -> WindowDefinition:
    inner = expressions.at(ClausePlace.WINDOW_DEFINITION)
    base = _named(expressions, node.refname, node.location) if node.refname else None
    order = tuple(_sort_key(inner, item.sort_by) for item in node.order_clause)
    partition = tuple(known(inner.analysis, inner.plan(item)) for item in node.partition_clause)
    framed = bool(node.frame_options & _GIVEN)
    for key in partition:
        check_equality(expressions.analysis, scalar_type(key), node.location)
    if base is not None:
        _check_base(expressions, node, base, framed)
        partition, order = base.partition, base.order or order
    return WindowDefinition(partition, order, _frame(inner, node, order), framed)


def _check_base(expressions: Expressions, node: Any, base: WindowDefinition, framed: bool) -> None:
    """Checks a window that is built on another: it may add an order where the other has none, and the other may have
    no frame."""
    message, hint = None, None
    if node.partition_clause:
        message = f'cannot override PARTITION BY clause of window "{node.refname}"'
    elif node.order_clause and base.order:
        message = f'cannot override ORDER BY clause of window "{node.refname}"'
    elif base.framed:
        message = f'cannot copy window "{node.refname}" because it has a frame clause'
        if not node.name and not node.order_clause and not framed:
            hint = "Omit the parentheses in this OVER clause."
    if message is not None:
        raise expressions.analysis.error(Sqlstate.WINDOWING_ERROR, message, node.location, hint=hint)


def _sort_key(expressions: Expressions, node: Any) -> SortKey:
    value = known(expressions.analysis, expressions.plan(node.node))
    check_order(expressions.analysis, scalar_type(value), location_of(node.node))
    return SortKey(value, *sort_directions(expressions.analysis, node))


def _frame(expressions: Expressions, node: Any, order: tuple[SortKey, ...]) -> WindowFrame:
    bits = node.frame_options
    mode = FrameMode.ROWS if bits & _ROWS else FrameMode.GROUPS if bits & _GROUPS else FrameMode.RANGE
    start = next(kind for bit, kind in _START_BITS.items() if bits & bit)
    end = next(kind for bit, kind in _END_BITS.items() if bits & bit)
    exclusion = next((found for bit, found in _EXCLUSION_BITS.items() if bits & bit), Exclusion.NO_OTHERS)
    analysis = expressions.analysis
    if mode is FrameMode.GROUPS and not order:
        message = "GROUPS mode requires an ORDER BY clause"
        raise analysis.error(Sqlstate.WINDOWING_ERROR, message, node.location)
    frame = WindowFrame(mode, FrameBound(start), FrameBound(end), exclusion)
    offsets = {which: getattr(node, which) for which in ("start_offset", "end_offset") if node.HasField(which)}
    if not offsets:
        return frame
    if mode is FrameMode.RANGE and len(order) != 1:
        message = "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column"
        raise analysis.error(Sqlstate.WINDOWING_ERROR, message, node.location)
    inner = expressions.at(_PLACES[mode])
    for which, offset in offsets.items():
        bound = frame.start if which == "start_offset" else frame.end
        value = inner.plan(offset)
        if mode is FrameMode.RANGE:
            value = _range_bound(inner, order[0], bound.kind, value, location_of(offset), which == "start_offset")
        else:
            value = inner.to_type(value, INT8, mode.name, location_of(offset))
            _check_constant(inner, value, location_of(offset), mode)
        placed = replace(bound, offset=value)
        frame = replace(frame, start=placed) if which == "start_offset" else replace(frame, end=placed)
    if mode is FrameMode.RANGE:
        frame = replace(frame, key=_comparable(inner, order[0].expression))
    return frame


def _check_constant(expressions: Expressions, value: Scalar, location: int, mode: FrameMode) -> None:
    if own_columns(value):
        message = f"argument of {mode.name} must not contain variables"
        raise expressions.analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, location)


def _comparable(expressions: Expressions, key: Scalar) -> Scalar:
    """Returns the key as keys and bounds are compared: numbers that can't overflow, points or spans of time."""
    target = {
        TypeName.INT2: NUMERIC,
        TypeName.INT4: NUMERIC,
        TypeName.INT8: NUMERIC,
        TypeName.FLOAT4: FLOAT8,
        TypeName.DATE: TIMESTAMP,
        TypeName.TIME: INTERVAL,
    }.get(scalar_type(key).name)
    value = key if target is None else coerce(expressions.analysis, key, target)
    assert value is not None, "each of these casts is implicit"
    return value


def _range_bound(
    expressions: Expressions, order: SortKey, kind: BoundKind, offset: Scalar, location: int, starting: bool
) -> Scalar:
    """Returns the value at which the frame of a row begins or ends."""
    analysis = expressions.analysis
    distance = _distance(expressions, scalar_type(order.expression), offset, location)
    _check_constant(expressions, distance, location, FrameMode.RANGE)
    key = _comparable(expressions, order.expression)
    if scalar_type(distance).name in (TypeName.INT2, TypeName.INT4, TypeName.INT8):
        number = coerce(analysis, distance, NUMERIC)
        assert number is not None, "integers are numerics"
        distance = number
    check = "frame_time_distance" if scalar_type(order.expression).name is TypeName.TIME else "frame_distance"
    checked = call_syntax(analysis, check, (distance, Literal(starting, BOOL)), location)
    less = (kind is BoundKind.PRECEDING) is not order.descending
    if scalar_type(key) in (FLOAT4, FLOAT8):
        return call_syntax(analysis, "frame_value", (key, checked, Literal(less, BOOL)), location)
    return call_operator(analysis, "-" if less else "+", (key, checked), location, (location, location))


def _distance(expressions: Expressions, key: ScalarType, offset: Scalar, location: int) -> Scalar:
    """Returns the offset in a type that can be added to the key; raises 0A000 when there is none."""
    analysis, given = expressions.analysis, scalar_type(offset)
    types = _DISTANCES.get(key.name, ())
    said = f"RANGE with offset PRECEDING/FOLLOWING is not supported for column type {bare_text(key)}"
    if not types:
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, said, location)
    if key.name is TypeName.TIMETZ:
        raise analysis.unsupported("RANGE with an offset of times with time zone", location, hint="Use timestamps.")
    preferred = key.plain() if given == UNKNOWN else given.plain()
    fitting = [type_ for type_ in types if can_coerce(given, type_)]
    if not fitting:
        message = f"{said} and offset type {bare_text(given)}"
        hint = "Cast the offset value to an appropriate type."
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location, hint=hint)
    if len(fitting) > 1 and preferred not in fitting:
        message = (
            "RANGE with offset PRECEDING/FOLLOWING has multiple interpretations for column type "
            f"{bare_text(key)} and offset type {bare_text(given)}"
        )
        hint = "Cast the offset value to the exact intended type."
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location, hint=hint)
    value = coerce(analysis, offset, preferred if preferred in fitting else fitting[0], location=location)
    assert value is not None, "the types fit"
    return value
