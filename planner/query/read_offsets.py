"""ROWS and GROUPS frames with an offset known only after reading rows: from a subquery, or from outer rows.

    ROWS x PRECEDING      =  RANGE over row_number(), from its value less x
    GROUPS x PRECEDING    =  RANGE over dense_rank(), from its value less x

The order of rows is unchanged, and so are peers. Numbers descend with the first sort key, as RANGE expects.
"""

from __future__ import annotations

from dataclasses import replace

from model.types.scalar_type import BOOL, INT8, NUMERIC
from planner.ir.aggregate import SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation, Window
from planner.ir.scalar import Call, Column, Literal, Scalar
from planner.ir.visit import has_subquery
from planner.ir.window import BoundKind, FrameBound, FrameMode, WindowCall, WindowFrame
from planner.rules.decorrelation.frame import reads_outside

_NUMBERED_BY = {FrameMode.ROWS: "row_number", FrameMode.GROUPS: "dense_rank"}
_COUNTED = (BoundKind.PRECEDING, BoundKind.FOLLOWING)


def by_number(
    relation: Relation, group: tuple[int, ...], order: tuple[SortKey, ...], calls: tuple[WindowCall, ...]
) -> tuple[Relation, tuple[WindowCall, ...]]:
    """Returns the rows with the numbers that the calls' frames need, and the calls; as they were when none needs
    any."""
    modes = tuple(dict.fromkeys(call.frame.mode for call in calls if _reads(call.frame)))
    if not modes:
        return relation, calls
    numbers = tuple(WindowCall(_NUMBERED_BY[mode], (), INT8) for mode in modes)
    width = relation_desc_of(relation).arity
    numbered = Window(relation, group, order, numbers, tuple(f"number{at}" for at in range(len(modes))))
    down = bool(order) and order[0].descending
    places = {mode: Column(width + at, INT8) for at, mode in enumerate(modes)}
    return numbered, tuple(
        replace(call, frame=_by_value(call.frame, places[call.frame.mode], down)) if _reads(call.frame) else call
        for call in calls
    )


def _reads(frame: WindowFrame) -> bool:
    return any(has_subquery(offset) or reads_outside(offset) for offset in frame.counted)


def _by_value(frame: WindowFrame, number: Scalar, down: bool) -> WindowFrame:
    place: Scalar = Call("cast_int8_numeric", (number,), NUMERIC)
    key = _signed(place, down)
    start, end = (
        _bound(bound, place, frame.mode, down, starting=starting)
        for bound, starting in ((frame.start, True), (frame.end, False))
    )
    return WindowFrame(FrameMode.RANGE, start, end, frame.exclusion, key)


def _bound(bound: FrameBound, place: Scalar, mode: FrameMode, down: bool, *, starting: bool) -> FrameBound:
    """Returns a frame's bound. The current row is a single row in ROWS, even with peers; in GROUPS, as in RANGE, all
    peers.
    """
    if bound.kind is BoundKind.CURRENT_ROW and mode is FrameMode.ROWS:
        return FrameBound(BoundKind.PRECEDING, _signed(place, down))
    if bound.kind not in _COUNTED or bound.offset is None:
        return bound
    count = Call("frame_count_int8_bool", (bound.offset, Literal(starting, BOOL)), INT8)
    word = "subtract" if bound.kind is BoundKind.PRECEDING else "add"
    reached = Call(f"{word}_numeric_numeric", (place, Call("cast_int8_numeric", (count,), NUMERIC)), NUMERIC)
    return FrameBound(bound.kind, _signed(reached, down))


def _signed(value: Scalar, down: bool) -> Scalar:
    return Call("negate_numeric", (value,), NUMERIC) if down else value
