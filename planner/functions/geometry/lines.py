"""Lines, which users have no type for, and where they, segments and points meet or are nearest.

A line is (a, b, c), the points of `ax + by + c = 0`. A function that finds a nearest point returns it with its
distance, which is NaN where NaN is among the numbers.
"""

from __future__ import annotations

import math

from model.types.geometry import is_less
from planner.functions.geometry.near import (
    Point,
    difference,
    distance,
    inverse_slope,
    is_near,
    is_near_zero,
    same_point,
    slope,
)
from planner.functions.numbers.float_math import float_product, float_quotient, float_sum

Line = tuple[float, float, float]
Segment = tuple[float, float, float, float]
Nearest = tuple[float, Point]


def ends(segment: Segment) -> tuple[Point, Point]:
    return segment[:2], segment[2:]


def slope_of(segment: Segment) -> float:
    return slope(*ends(segment))


def length(segment: Segment) -> float:
    return distance(*ends(segment))


def meeting(one: Segment, other: Segment) -> Point | None:
    """Returns where two segments meet; None where they don't, or are parallel."""
    point = _on_line(one, _line(other[:2], slope_of(other)))
    return point if point is not None and lies_on(point, other) else None


def lies_on(point: Point, segment: Segment) -> bool:
    """Tells whether the ways from a point to the ends are together as long as the segment."""
    start, end = ends(segment)
    return is_near(distance(point, start) + distance(point, end), distance(start, end))


def nearest_to_point(segment: Segment, point: Point) -> Nearest:
    """Returns the point of a segment that is nearest to a point."""
    upright = _line(point, inverse_slope(*ends(segment)))
    found = _nearest_to_line(segment, upright)
    return distance(found, point), found


def nearest_to_segment(on: Segment, to: Segment) -> Nearest:
    """Returns the point of a segment that is nearest to another one: where they meet, or at an end of one of them."""
    met = meeting(on, to)
    if met is not None:
        return 0.0, met
    start, end = ends(on)
    nearest = nearest_to_point(on, to[:2])
    others = (
        nearest_to_point(on, to[2:]),
        (nearest_to_point(to, start)[0], start),
        (nearest_to_point(to, end)[0], end),
    )
    return nearest_of(nearest, *others)


def nearest_of(first: Nearest, *others: Nearest) -> Nearest:
    """Returns the first of the least distance; NaN is greater than any."""
    nearest = first
    for each in others:
        if is_less(each[0], nearest[0]):
            nearest = each
    return nearest


def _line(point: Point, tangent: float) -> Line:
    """Returns the line through a point of a slope."""
    x, y = point
    if math.isinf(tangent):
        return -1.0, 0.0, x
    if tangent == 0:
        return 0.0, -1.0, y
    return tangent, -1.0, difference(y, float_product(tangent, x)) + 0.0


def _crossing(one: Line, other: Line) -> Point | None:
    """Returns where two lines cross; None where they are parallel. With NaN among the numbers the point has NaN."""
    if is_near_zero(one[1]):
        if is_near_zero(other[1]):
            return None
        one, other = other, one
    (a, b, c), (d, e, f) = one, other
    if is_near(d, float_product(a, float_quotient(e, b))):
        return None
    x = float_quotient(
        difference(float_product(b, f), float_product(e, c)), difference(float_product(a, e), float_product(d, b))
    )
    y = float_quotient(-float_sum(float_product(a, x), c), b)
    return x + 0.0, y + 0.0


def _on_line(segment: Segment, line: Line) -> Point | None:
    """Returns where a segment meets a line: an end of it exactly, where that is near."""
    start, end = ends(segment)
    point = _crossing(_line(start, slope(start, end)), line)
    if point is None or not lies_on(point, segment):
        return None
    return start if same_point(start, point) else end if same_point(end, point) else point


def _distance_to_line(line: Line, point: Point) -> float:
    """Returns how far a point is from a line; NaN where no perpendicular meets it."""
    foot = _crossing(_line(point, _inverse(line)), line)
    return math.nan if foot is None else distance(foot, point)


def _inverse(line: Line) -> float:
    """Returns the slope of what stands upright on a line."""
    if is_near_zero(line[0]):
        return math.inf
    return 0.0 if is_near_zero(line[1]) else float_quotient(line[1], line[0])


def _nearest_to_line(segment: Segment, line: Line) -> Point:
    """Returns the point of a segment that is nearest to a line; its end where none is."""
    point = _on_line(segment, line)
    if point is not None:
        return point
    start, end = ends(segment)
    return start if _distance_to_line(line, start) < _distance_to_line(line, end) else end
