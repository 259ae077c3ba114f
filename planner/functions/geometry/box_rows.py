"""Boxes: made of points, compared by area, moved and turned; what lies within them, and their distances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.types.geometry import Numbers
from model.types.scalar_type import BOOL, BOX, BYTEA, CIRCLE, FLOAT8, LSEG, POINT, ScalarType
from planner.functions.casts.record_casts import EXPLICIT, cast
from planner.functions.geometry.arguments import asked, distinctions, made, parts
from planner.functions.geometry.boxes import (
    Box,
    area,
    between,
    bound,
    box_contains_box,
    box_contains_point,
    box_contains_segment,
    center,
    common,
    distance_to_segment,
    height,
    nearest_in_box_to_point,
    nearest_in_box_to_segment,
    overlap,
    touches,
    width,
)
from planner.functions.geometry.lines import Nearest
from planner.functions.geometry.near import (
    Point,
    distance,
    is_at_most,
    is_below,
    is_near,
    moved,
    moved_back,
    same_point,
    turned,
    turned_back,
)
from planner.functions.rows import function, operator
from planner.functions.signature import Cast, Function

_PAIR = (BOX, BOX)


def reachable(nearest: Nearest) -> Point | None:
    """Returns a nearest point; None where there is none, its distance being NaN."""
    return nearest[1] if nearest[0] == nearest[0] else None


def _lies(symbol: str, word: str, compute: Callable[[Box, Box], bool]) -> Function:
    return operator(symbol, word, _PAIR, BOOL, asked(compute))


def _same_area(one: Box, other: Box) -> bool:
    return is_near(area(one), area(other))


def _by_area(symbol: str, word: str, compute: Callable[[float, float], bool]) -> Function:
    evaluate = asked(lambda one, other: compute(area(one), area(other)))
    return operator(symbol, f"area_{word}", _PAIR, BOOL, evaluate, fallible=True)


def _corners(symbol: str, word: str, compute: Callable[[Point, Point], Point]) -> Function:
    """Returns an operator of a box and a point that does to both corners as it does to a point."""
    evaluate = made(lambda box, by: (*compute(box[:2], by), *compute(box[2:], by)))
    return operator(symbol, word, (BOX, POINT), BOX, evaluate, fallible=True)


def _turned_corners(symbol: str, word: str, compute: Callable[[Point, Point], Point]) -> Function:
    """Returns an operator as `_corners` does, after which the corners are others."""
    evaluate = made(lambda box, by: between(compute(box[:2], by), compute(box[2:], by)))
    return operator(symbol, word, (BOX, POINT), BOX, evaluate, fallible=True)


def _measured(name: str, compute: Callable[[Box], float]) -> Function:
    return function(name, (BOX,), FLOAT8, asked(compute), fallible=True)


def _flipped(compute: Callable[..., Any]) -> Callable[..., Any]:
    return lambda left, right: compute(right, left)


def _to_point(box: Box, point: Point) -> float:
    return nearest_in_box_to_point(box, point)[0]


def _distances() -> tuple[Function, ...]:
    """Returns the distances from boxes, and to them."""
    return tuple(
        operator("<->", "distance", arguments, FLOAT8, asked(compute), fallible=True)
        for arguments, compute in (
            (_PAIR, lambda one, other: distance(center(one), center(other))),
            ((BOX, POINT), _to_point),
            ((POINT, BOX), _flipped(_to_point)),
            ((BOX, LSEG), distance_to_segment),
            ((LSEG, BOX), _flipped(distance_to_segment)),
        )
    )


def _circumscribed(box: Box) -> Numbers:
    around = center(box)
    return (*around, distance(around, box[:2]))


def _converted(target: ScalarType, name: str, compute: Callable[[Box], Numbers]) -> tuple[Function, Cast]:
    """Returns a conversion as a function and as a cast."""
    evaluate = made(compute)
    return (
        function(name, (BOX,), target, evaluate, fallible=True),
        cast(BOX, target, EXPLICIT, evaluate, fallible=True),
    )


_TO_POINT = _converted(POINT, "point", center)
_TO_SEGMENT = _converted(LSEG, "lseg", lambda box: box)
_TO_CIRCLE = _converted(CIRCLE, "circle", _circumscribed)

FUNCTIONS: tuple[Function, ...] = (
    *(each[0] for each in (_TO_POINT, _TO_SEGMENT, _TO_CIRCLE)),
    function("box", (POINT, POINT), BOX, made(between)),
    *parts(BOX, POINT),
    *distinctions(BOX, asked(_same_area)),
    function("box_send", (BOX,), BYTEA, bytes),
    function("bound_box", _PAIR, BOX, made(bound)),
    function("diagonal", (BOX,), LSEG, bytes),
    function("center", (BOX,), POINT, made(center), fallible=True),
    operator("@@", "center_of", (BOX,), POINT, made(center), fallible=True),
    _measured("area", area),
    _measured("width", width),
    _measured("height", height),
    _lies("~=", "same_shape", lambda one, other: same_point(one[:2], other[:2]) and same_point(one[2:], other[2:])),
    _lies("&&", "overlaps", overlap),
    _lies("?#", "meets", overlap),
    _lies("@>", "contains", box_contains_box),
    _lies("<@", "contained", lambda inner, outer: box_contains_box(outer, inner)),
    _lies("<<", "left_of", lambda one, other: is_below(one[0], other[2])),
    _lies("&<", "not_right_of", lambda one, other: is_at_most(one[0], other[0])),
    _lies(">>", "right_of", lambda one, other: is_below(other[0], one[2])),
    _lies("&>", "not_left_of", lambda one, other: is_at_most(other[2], one[2])),
    _lies("<<|", "beneath", lambda one, other: is_below(one[1], other[3])),
    _lies("&<|", "not_above", lambda one, other: is_at_most(one[1], other[1])),
    _lies("|>>", "above", lambda one, other: is_below(other[1], one[3])),
    _lies("|&>", "not_beneath", lambda one, other: is_at_most(other[3], one[3])),
    _lies("<^", "downward_of", lambda one, other: is_at_most(one[1], other[3])),
    _lies(">^", "upward_of", lambda one, other: is_at_most(other[1], one[3])),
    _by_area("=", "eq", is_near),
    _by_area("<", "lt", is_below),
    _by_area("<=", "le", is_at_most),
    _by_area(">", "gt", lambda one, other: is_below(other, one)),
    _by_area(">=", "ge", lambda one, other: is_at_most(other, one)),
    operator("#", "common", _PAIR, BOX, made(common)),
    _corners("+", "add", moved),
    _corners("-", "subtract", moved_back),
    _turned_corners("*", "multiply", turned),
    _turned_corners("/", "divide", turned_back),
    operator("@>", "contains", (BOX, POINT), BOOL, asked(box_contains_point)),
    operator("<@", "contained", (POINT, BOX), BOOL, asked(_flipped(box_contains_point))),
    operator("<@", "contained", (LSEG, BOX), BOOL, asked(_flipped(box_contains_segment))),
    operator("?#", "meets", (LSEG, BOX), BOOL, asked(_flipped(touches)), fallible=True),
    *_distances(),
    operator(
        "##",
        "nearest",
        (POINT, BOX),
        POINT,
        made(lambda point, box: reachable(nearest_in_box_to_point(box, point))),
        fallible=True,
    ),
    operator(
        "##",
        "nearest",
        (LSEG, BOX),
        POINT,
        made(lambda segment, box: reachable(nearest_in_box_to_segment(box, segment))),
        fallible=True,
    ),
)
CASTS: tuple[Cast, ...] = (_TO_POINT[1], _TO_SEGMENT[1], _TO_CIRCLE[1])
