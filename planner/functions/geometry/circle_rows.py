"""Circles: made of a center and a radius, compared by area, moved and turned; what lies within them, and how far they
are from others."""

from __future__ import annotations

import math
from collections.abc import Callable

from model.types.geometry import Numbers, held_shape, numbers_of_shape
from model.types.scalar_type import BOOL, BOX, BYTEA, CIRCLE, FLOAT8, POINT
from planner.functions.casts.record_casts import EXPLICIT, cast
from planner.functions.geometry.arguments import asked, distinctions, made
from planner.functions.geometry.near import (
    Point,
    difference,
    distance,
    hypotenuse,
    is_at_most,
    is_below,
    is_far,
    is_near,
    moved,
    moved_back,
    same_point,
    turned,
    turned_back,
)
from planner.functions.numbers.float_math import float_product, float_quotient, float_sum
from planner.functions.rows import function, operator
from planner.functions.signature import Cast, Function

Circle = tuple[float, float, float]

_ONE, _PAIR = (CIRCLE,), (CIRCLE, CIRCLE)


def _area(circle: Circle) -> float:
    return float_product(float_product(circle[2], circle[2]), math.pi)


def _center(circle: Circle) -> Point:
    return circle[:2]


def _high(circle: Circle, axis: int) -> float:
    """Returns how far a circle reaches to the right, on axis 0, or upwards, on axis 1."""
    return float_sum(circle[axis], circle[2])


def _low(circle: Circle, axis: int) -> float:
    return difference(circle[axis], circle[2])


def _same(one: Circle, other: Circle) -> bool:
    both_unknown = math.isnan(one[2]) and math.isnan(other[2])
    return (both_unknown or is_near(one[2], other[2])) and same_point(one[:2], other[:2])


def _contains(outer: Circle, inner: Circle) -> bool:
    return is_at_most(distance(outer[:2], inner[:2]), difference(outer[2], inner[2]))


def _contains_point(circle: Circle, point: Point) -> bool:
    return distance(circle[:2], point) <= circle[2]


def _apart(one: Circle, other: Circle) -> float:
    gap = difference(distance(one[:2], other[:2]), float_sum(one[2], other[2]))
    return 0.0 if gap < 0 else gap


def _from_point(point: Point, circle: Circle) -> float:
    gap = difference(distance(point, circle[:2]), circle[2])
    return 0.0 if gap < 0 else gap


def _inscribed(circle: Circle) -> Numbers:
    """Returns the square whose corners are on the circle."""
    x, y, radius = circle
    half = float_quotient(radius, math.sqrt(2.0))
    return float_sum(x, half), float_sum(y, half), difference(x, half), difference(y, half)


def _lies(symbol: str, word: str, compute: Callable[[Circle, Circle], bool]) -> Function:
    return operator(symbol, word, _PAIR, BOOL, asked(compute), fallible=True)


def _same_area(one: Circle, other: Circle) -> bool:
    return is_near(_area(one), _area(other))


def _by_area(symbol: str, word: str, compute: Callable[[float, float], bool]) -> Function:
    return _lies(symbol, f"area_{word}", lambda one, other: compute(_area(one), _area(other)))


def _moved(symbol: str, word: str, compute: Callable[[Point, Point], Point]) -> Function:
    evaluate = made(lambda circle, by: (*compute(circle[:2], by), circle[2]))
    return operator(symbol, word, (CIRCLE, POINT), CIRCLE, evaluate, fallible=True)


def _turned(
    symbol: str, word: str, compute: Callable[[Point, Point], Point], scale: Callable[[float, float], float]
) -> Function:
    evaluate = made(lambda circle, by: (*compute(circle[:2], by), scale(circle[2], hypotenuse(*by))))
    return operator(symbol, word, (CIRCLE, POINT), CIRCLE, evaluate, fallible=True)


def _measured(name: str, compute: Callable[[Circle], float]) -> Function:
    return function(name, _ONE, FLOAT8, asked(compute), fallible=True)


FUNCTIONS: tuple[Function, ...] = (
    function("circle", (POINT, FLOAT8), CIRCLE, lambda center, radius: held_shape(*numbers_of_shape(center), radius)),
    *distinctions(CIRCLE, asked(_same_area)),
    function("circle_send", _ONE, BYTEA, bytes),
    function("point", _ONE, POINT, made(_center)),
    function("center", _ONE, POINT, made(_center)),
    operator("@@", "center_of", _ONE, POINT, made(_center)),
    function("box", _ONE, BOX, made(_inscribed), fallible=True),
    _measured("area", _area),
    _measured("diameter", lambda circle: float_product(circle[2], 2.0)),
    _measured("radius", lambda circle: circle[2]),
    _lies("~=", "same_shape", _same),
    _lies("&&", "overlaps", lambda one, other: is_at_most(distance(one[:2], other[:2]), float_sum(one[2], other[2]))),
    _lies("@>", "contains", _contains),
    _lies("<@", "contained", lambda inner, outer: _contains(outer, inner)),
    _lies("<<", "left_of", lambda one, other: is_below(_high(one, 0), _low(other, 0))),
    _lies("&<", "not_right_of", lambda one, other: is_at_most(_high(one, 0), _high(other, 0))),
    _lies(">>", "right_of", lambda one, other: is_below(_high(other, 0), _low(one, 0))),
    _lies("&>", "not_left_of", lambda one, other: is_at_most(_low(other, 0), _low(one, 0))),
    _lies("<<|", "beneath", lambda one, other: is_below(_high(one, 1), _low(other, 1))),
    _lies("&<|", "not_above", lambda one, other: is_at_most(_high(one, 1), _high(other, 1))),
    _lies("|>>", "above", lambda one, other: is_below(_high(other, 1), _low(one, 1))),
    _lies("|&>", "not_beneath", lambda one, other: is_at_most(_low(other, 1), _low(one, 1))),
    _by_area("=", "eq", is_near),
    _by_area("<>", "ne", is_far),
    _by_area("<", "lt", is_below),
    _by_area("<=", "le", is_at_most),
    _by_area(">", "gt", lambda one, other: is_below(other, one)),
    _by_area(">=", "ge", lambda one, other: is_at_most(other, one)),
    _moved("+", "add", moved),
    _moved("-", "subtract", moved_back),
    _turned("*", "multiply", turned, float_product),
    _turned("/", "divide", turned_back, float_quotient),
    operator("@>", "contains", (CIRCLE, POINT), BOOL, asked(_contains_point), fallible=True),
    operator(
        "<@",
        "contained",
        (POINT, CIRCLE),
        BOOL,
        asked(lambda point, circle: _contains_point(circle, point)),
        fallible=True,
    ),
    operator("<->", "distance", _PAIR, FLOAT8, asked(_apart), fallible=True),
    operator("<->", "distance", (POINT, CIRCLE), FLOAT8, asked(_from_point), fallible=True),
    operator(
        "<->",
        "distance",
        (CIRCLE, POINT),
        FLOAT8,
        asked(lambda circle, point: _from_point(point, circle)),
        fallible=True,
    ),
)
CASTS: tuple[Cast, ...] = (
    cast(CIRCLE, POINT, EXPLICIT, made(_center)),
    cast(CIRCLE, BOX, EXPLICIT, made(_inscribed), fallible=True),
)
