"""Numbers that are equal within a millionth, distances, points and their arithmetic. Nothing is near NaN."""

from __future__ import annotations

import math

from planner.functions.failures import float_overflow, float_underflow
from planner.functions.numbers.float_math import float_product, float_quotient, float_sum

Point = tuple[float, float]

_NEAR = 1.0e-6


def is_near_zero(number: float) -> bool:
    return abs(number) <= _NEAR


def is_near(left: float, right: float) -> bool:
    return left == right or abs(left - right) <= _NEAR


def is_far(left: float, right: float) -> bool:
    """Tells whether two numbers differ by more; beside NaN neither this nor `is_near` is true."""
    return left != right and abs(left - right) > _NEAR


def is_below(left: float, right: float) -> bool:
    return left + _NEAR < right


def is_at_most(left: float, right: float) -> bool:
    return left <= right + _NEAR


def difference(left: float, right: float) -> float:
    return float_sum(left, -right)


def hypotenuse(x: float, y: float) -> float:
    """Returns the root of the sum of squares; raises 22003 where no double holds it. It is computed as PostgreSQL
    does, so that the last digits are the same."""
    if math.isinf(x) or math.isinf(y):
        return math.inf
    if math.isnan(x) or math.isnan(y):
        return math.nan
    less, more = sorted((abs(x), abs(y)))
    if less == 0:
        return more
    ratio = less / more
    length = more * math.sqrt(1.0 + ratio * ratio)
    if math.isinf(length):
        raise float_overflow()
    if length == 0:
        raise float_underflow()
    return length


def distance(one: Point, other: Point) -> float:
    return hypotenuse(difference(one[0], other[0]), difference(one[1], other[1]))


def same_point(one: Point, other: Point) -> bool:
    """Tells whether two points are near each other in both directions; with NaN among them, whether they are equal."""
    if any(map(math.isnan, (*one, *other))):
        return all(a == b or (a != a and b != b) for a, b in zip(one, other, strict=True))
    return is_near(one[0], other[0]) and is_near(one[1], other[1])


def middle(one: float, other: float) -> float:
    return float_quotient(float_sum(one, other), 2.0)


def moved(point: Point, by: Point) -> Point:
    return float_sum(point[0], by[0]), float_sum(point[1], by[1])


def moved_back(point: Point, by: Point) -> Point:
    return difference(point[0], by[0]), difference(point[1], by[1])


def turned(point: Point, by: Point) -> Point:
    """Returns the product of two points as complex numbers."""
    return (
        difference(float_product(point[0], by[0]), float_product(point[1], by[1])),
        float_sum(float_product(point[0], by[1]), float_product(point[1], by[0])),
    )


def turned_back(point: Point, by: Point) -> Point:
    """Returns the quotient of two points as complex numbers."""
    divisor = float_sum(float_product(by[0], by[0]), float_product(by[1], by[1]))
    return (
        float_quotient(float_sum(float_product(point[0], by[0]), float_product(point[1], by[1])), divisor),
        float_quotient(difference(float_product(point[1], by[0]), float_product(point[0], by[1])), divisor),
    )


def slope(one: Point, other: Point) -> float:
    """Returns the slope from one point to another; infinity for a vertical one and for the same point."""
    if is_near(one[0], other[0]):
        return math.inf
    if is_near(one[1], other[1]):
        return 0.0
    return float_quotient(difference(one[1], other[1]), difference(one[0], other[0]))


def inverse_slope(one: Point, other: Point) -> float:
    """Returns the slope of what stands upright on the way from one point to another; 0 for the same point."""
    if is_near(one[0], other[0]):
        return 0.0
    if is_near(one[1], other[1]):
        return math.inf
    return float_quotient(difference(one[0], other[0]), difference(other[1], one[1]))
