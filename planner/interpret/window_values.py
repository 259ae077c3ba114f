"""The values of one window call for a group in its order: what the interpreter and Spark's Python workers share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from model.order.datum_order import key_function
from model.types.datum import Datum, Row
from model.types.scalar_type import ScalarType
from planner.functions.registry import AGGREGATES, WINDOW_FUNCTIONS
from planner.functions.signature import Span, WindowRows
from planner.interpret.frames import Reach, frames_of
from planner.ir.window import WindowFrame


@dataclass(frozen=True, slots=True)
class BoundCall:
    """A call whose scalars are values by now. `types` are its arguments', `key_type` that of a RANGE frame's key and
    bounds; `start` and `end` are offsets that are counted; `session` an aggregate's session values."""

    function: str
    types: tuple[ScalarType, ...]
    conditional: bool
    frame: WindowFrame
    start: int
    end: int
    key_type: ScalarType | None
    descending: bool
    nulls_first: bool
    session: tuple[Datum, ...] = ()


def values_of(call: BoundCall, rows: Sequence[Row], peers: Sequence[Span]) -> list[Datum]:
    """Returns one value for each row. A row holds the call's arguments, its condition if any, and the values that the
    frame compares; `peers`: the span of each row's peers.
    """
    if not rows:
        return []
    arity = len(call.types)
    arguments = [row[:arity] for row in rows]
    compared = arity + call.conditional
    frames = frames_of(call.frame, call.start, call.end, peers, _reach(call, [row[compared:] for row in rows]))
    function = WINDOW_FUNCTIONS.get(call.function)
    if function is not None:
        return function.evaluate(WindowRows(arguments, peers, frames))
    counted = [row[arity] is True for row in rows] if call.conditional else [True] * len(rows)
    return _aggregated(call, arguments, counted, frames)


def _aggregated(
    call: BoundCall, arguments: list[Row], counted: list[bool], frames: list[tuple[Span, ...]]
) -> list[Datum]:
    """Computes an aggregate for each frame; equal frames are computed once."""
    function = AGGREGATES[call.function]
    evaluate: Any = partial(function.evaluate, call.types) if function.typed else function.evaluate
    known: dict[tuple[Span, ...], Datum] = {}
    for frame in frames:
        if frame not in known:
            inputs = [arguments[at] for start, end in frame for at in range(start, end) if counted[at]]
            if function.skips_nulls:
                inputs = [values for values in inputs if None not in values]
            known[frame] = evaluate(inputs, *call.session)
    return [known[frame] for frame in frames]


def _reach(call: BoundCall, compared: list[Row]) -> Reach | None:
    if call.key_type is None:
        return None
    order = key_function(call.key_type)

    def placed(column: int) -> list[Any]:
        values = [row[column] for row in compared]
        return values if order is None else [None if value is None else order(value) for value in values]

    keys = placed(0)
    starts = placed(1) if call.frame.start.offset is not None else keys
    ends = placed(len(compared[0]) - 1) if call.frame.end.offset is not None else keys
    return Reach(keys, starts, ends, call.descending, call.nulls_first)
