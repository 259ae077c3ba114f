"""Window: groups put in order, each call evaluated for all rows of a group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from model.order.datum_order import identity_key
from model.types.datum import Row
from planner.functions.registry import AGGREGATES
from planner.functions.windows.frames import offset_of
from planner.interpret.execution import Evaluator, Interpretation, RowSource, Scopes
from planner.interpret.frames import peers_of
from planner.interpret.reach import guarded
from planner.interpret.scalars import compile_scalar, compile_scalars
from planner.interpret.sorting import order_key, sorter
from planner.interpret.window_values import BoundCall, values_of
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Window
from planner.ir.scalar import Scalar, scalar_type
from planner.ir.window import FrameMode, WindowCall


def compile_window(window: Window, execution: Interpretation) -> RowSource:
    """Returns the input's rows, each with a value for every call."""
    source = execution.compile_relation(window.input, execution)
    types = relation_desc_of(window.input).types
    identity = identity_key([types[index] for index in window.group])
    sort, place = sorter(window.order, types, execution), order_key(window.order, execution)
    calls = [_compile_call(call, window, execution) for call in window.calls]

    def evaluate(scopes: Scopes) -> list[Row]:
        bound = [call.bound(scopes) for call in calls]
        groups: dict[Any, list[Row]] = {}
        for row in source(scopes):
            groups.setdefault(identity(tuple([row[index] for index in window.group])), []).append(row)
        output: list[Row] = []
        for group in groups.values():
            rows = sort(group, scopes)
            peers = peers_of([place(row, scopes) for row in rows])
            columns = [
                values_of(ready, [tuple([part(row, scopes) for part in call.parts]) for row in rows], peers)
                for call, ready in zip(calls, bound, strict=True)
            ]
            output.extend(row + cells for row, cells in zip(rows, zip(*columns, strict=True), strict=True))
        return output

    return evaluate


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a window function: `parts` are evaluated for each row, `bound` once for all rows."""

    parts: list[Evaluator]
    bound: Callable[[Scopes], BoundCall]


def _compile_call(call: WindowCall, window: Window, execution: Interpretation) -> _Call:
    aggregate = AGGREGATES.get(call.function)
    own = call.arguments if aggregate is None else call.arguments[: len(aggregate.arguments)]
    session = () if aggregate is None else tuple(map(execution.context.session_value, aggregate.session))
    own = tuple(guarded(call.condition, argument) for argument in own)
    condition = () if call.condition is None else (call.condition,)
    frame = call.frame
    start = _offset(frame.start.offset, "starting", frame.mode, execution)
    end = _offset(frame.end.offset, "ending", frame.mode, execution)
    key_type = None if frame.key is None else scalar_type(frame.key)
    first = window.order[0] if window.order else None

    def bound(scopes: Scopes) -> BoundCall:
        return BoundCall(
            call.function,
            tuple(map(scalar_type, own)),
            call.condition is not None,
            frame,
            start(scopes),
            end(scopes),
            key_type,
            first is not None and first.descending,
            first is not None and first.nulls_first,
            session,
        )

    return _Call(compile_scalars((*own, *condition, *frame.compared), execution), bound)


def _offset(scalar: Scalar | None, which: str, mode: FrameMode, execution: Interpretation) -> Callable[[Scopes], int]:
    if scalar is None or mode is FrameMode.RANGE:
        return lambda scopes: 0
    evaluate = compile_scalar(scalar, execution)
    return lambda scopes: offset_of(evaluate((), scopes), which)
