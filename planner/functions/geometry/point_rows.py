"""Points: made of numbers, compared, moved and turned."""

from __future__ import annotations

from collections.abc import Callable

from model.types.geometry import held_shape
from model.types.scalar_type import BOOL, BOX, BYTEA, FLOAT8, POINT
from planner.functions.casts.record_casts import ASSIGNMENT, cast
from planner.functions.geometry.arguments import asked, made, parts
from planner.functions.geometry.near import (
    Point,
    distance,
    is_below,
    is_near,
    moved,
    moved_back,
    same_point,
    slope,
    turned,
    turned_back,
)
from planner.functions.rows import function, operator
from planner.functions.signature import Cast, Function

_PAIR = (POINT, POINT)


def _lies(symbol: str, word: str, compute: Callable[[Point, Point], bool]) -> Function:
    return operator(symbol, word, _PAIR, BOOL, asked(compute))


def _arithmetic(symbol: str, word: str, compute: Callable[[Point, Point], Point]) -> Function:
    return operator(symbol, word, _PAIR, POINT, made(compute), fallible=True)


def _is_above(one: Point, other: Point) -> bool:
    return is_below(other[1], one[1])


def _is_beneath(one: Point, other: Point) -> bool:
    return is_below(one[1], other[1])


def _is_upright(one: Point, other: Point) -> bool:
    return is_near(one[0], other[0])


def _is_level(one: Point, other: Point) -> bool:
    return is_near(one[1], other[1])


FUNCTIONS: tuple[Function, ...] = (
    function("point", (FLOAT8, FLOAT8), POINT, held_shape),
    *parts(POINT, FLOAT8),
    function("point_send", (POINT,), BYTEA, bytes),
    function("slope", _PAIR, FLOAT8, asked(slope), fallible=True),
    function("isvertical", _PAIR, BOOL, asked(_is_upright)),
    function("ishorizontal", _PAIR, BOOL, asked(_is_level)),
    function("box", (POINT,), BOX, lambda point: point + point),
    _lies("~=", "same_shape", same_point),
    _lies("<>", "unlike_shape", lambda one, other: not same_point(one, other)),
    _lies("<<", "left_of", lambda one, other: is_below(one[0], other[0])),
    _lies(">>", "right_of", lambda one, other: is_below(other[0], one[0])),
    _lies("|>>", "above", _is_above),
    _lies(">^", "upward_of", _is_above),
    _lies("<<|", "beneath", _is_beneath),
    _lies("<^", "downward_of", _is_beneath),
    _lies("?|", "upright", _is_upright),
    _lies("?-", "level", _is_level),
    _arithmetic("+", "add", moved),
    _arithmetic("-", "subtract", moved_back),
    _arithmetic("*", "multiply", turned),
    _arithmetic("/", "divide", turned_back),
    operator("<->", "distance", _PAIR, FLOAT8, asked(distance), fallible=True),
)
CASTS: tuple[Cast, ...] = (cast(POINT, BOX, ASSIGNMENT, lambda point: point + point),)
