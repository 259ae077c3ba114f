"""Segments: made of points, compared by length, upright and level ones, and where they meet or are nearest."""

from __future__ import annotations

from collections.abc import Callable

from model.types.scalar_type import BOOL, BYTEA, FLOAT8, LSEG, POINT
from planner.functions.casts.record_casts import EXPLICIT, cast
from planner.functions.geometry.arguments import asked, distinctions, made, parts
from planner.functions.geometry.box_rows import reachable
from planner.functions.geometry.lines import (
    Segment,
    ends,
    length,
    lies_on,
    meeting,
    nearest_to_point,
    nearest_to_segment,
    slope_of,
)
from planner.functions.geometry.near import Point, inverse_slope, is_at_most, is_below, is_near, middle, same_point
from planner.functions.rows import function, operator
from planner.functions.signature import Cast, Function

_ONE, _PAIR = (LSEG,), (LSEG, LSEG)


def _center(segment: Segment) -> Point:
    return middle(segment[0], segment[2]), middle(segment[1], segment[3])


def _is_upright(segment: Segment) -> bool:
    return is_near(segment[0], segment[2])


def _is_level(segment: Segment) -> bool:
    return is_near(segment[1], segment[3])


def _are_parallel(one: Segment, other: Segment) -> bool:
    return is_near(slope_of(one), slope_of(other))


def _stand_upright(one: Segment, other: Segment) -> bool:
    return is_near(slope_of(one), inverse_slope(*ends(other)))


def _same(one: Segment, other: Segment) -> bool:
    return same_point(one[:2], other[:2]) and same_point(one[2:], other[2:])


def _nearest(one: Segment, other: Segment) -> Point | None:
    """Returns the point of the other segment that is nearest; None for two of one slope."""
    return None if slope_of(one) == slope_of(other) else reachable(nearest_to_segment(other, one))


def _by_length(symbol: str, word: str, compute: Callable[[float, float], bool]) -> Function:
    evaluate = asked(lambda one, other: compute(length(one), length(other)))
    return operator(symbol, f"length_{word}", _PAIR, BOOL, evaluate, fallible=True)


FUNCTIONS: tuple[Function, ...] = (
    function("lseg", (POINT, POINT), LSEG, lambda one, other: one + other),
    *parts(LSEG, POINT),
    *distinctions(LSEG, asked(_same)),
    function("lseg_send", _ONE, BYTEA, bytes),
    function("point", _ONE, POINT, made(_center), fallible=True),
    operator("@@", "center_of", _ONE, POINT, made(_center), fallible=True),
    function("length", _ONE, FLOAT8, asked(length), fallible=True),
    operator("@-@", "length_of", _ONE, FLOAT8, asked(length), fallible=True),
    function("isvertical", _ONE, BOOL, asked(_is_upright)),
    operator("?|", "is_upright", _ONE, BOOL, asked(_is_upright)),
    function("ishorizontal", _ONE, BOOL, asked(_is_level)),
    operator("?-", "is_level", _ONE, BOOL, asked(_is_level)),
    function("isparallel", _PAIR, BOOL, asked(_are_parallel), fallible=True),
    operator("?||", "parallel", _PAIR, BOOL, asked(_are_parallel), fallible=True),
    function("isperp", _PAIR, BOOL, asked(_stand_upright), fallible=True),
    operator("?-|", "perpendicular", _PAIR, BOOL, asked(_stand_upright), fallible=True),
    operator("=", "same_ends", _PAIR, BOOL, asked(_same)),
    operator("<>", "unlike_ends", _PAIR, BOOL, asked(lambda one, other: not _same(one, other))),
    _by_length("<", "lt", is_below),
    _by_length("<=", "le", is_at_most),
    _by_length(">", "gt", lambda one, other: is_below(other, one)),
    _by_length(">=", "ge", lambda one, other: is_at_most(other, one)),
    operator("?#", "meets", _PAIR, BOOL, asked(lambda one, other: meeting(one, other) is not None), fallible=True),
    operator("#", "common", _PAIR, POINT, made(meeting), fallible=True),
    operator("##", "nearest", _PAIR, POINT, made(_nearest), fallible=True),
    operator(
        "##",
        "nearest",
        (POINT, LSEG),
        POINT,
        made(lambda point, segment: reachable(nearest_to_point(segment, point))),
        fallible=True,
    ),
    operator("<@", "contained", (POINT, LSEG), BOOL, asked(lies_on), fallible=True),
    operator(
        "<->",
        "distance",
        _PAIR,
        FLOAT8,
        asked(lambda one, other: nearest_to_segment(one, other)[0]),
        fallible=True,
    ),
    operator(
        "<->",
        "distance",
        (LSEG, POINT),
        FLOAT8,
        asked(lambda segment, point: nearest_to_point(segment, point)[0]),
        fallible=True,
    ),
    operator(
        "<->",
        "distance",
        (POINT, LSEG),
        FLOAT8,
        asked(lambda point, segment: nearest_to_point(segment, point)[0]),
        fallible=True,
    ),
)
CASTS: tuple[Cast, ...] = (cast(LSEG, POINT, EXPLICIT, made(_center), fallible=True),)
