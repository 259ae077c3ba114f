"""Boxes: areas, what lies within, where they and others are nearest."""

from __future__ import annotations

from model.types.geometry import greatest, is_greater, least
from planner.functions.geometry.lines import (
    Nearest,
    Segment,
    ends,
    meeting,
    nearest_of,
    nearest_to_point,
    nearest_to_segment,
)
from planner.functions.geometry.near import Point, difference, is_at_most, middle
from planner.functions.numbers.float_math import float_product

Box = tuple[float, float, float, float]


def between(one: Point, other: Point) -> Box:
    """Returns the box of two opposite corners."""
    (high_x, low_x), (high_y, low_y) = ((a, b) if is_greater(a, b) else (b, a) for a, b in zip(one, other, strict=True))
    return high_x, high_y, low_x, low_y


def width(box: Box) -> float:
    return difference(box[0], box[2])


def height(box: Box) -> float:
    return difference(box[1], box[3])


def area(box: Box) -> float:
    return float_product(width(box), height(box))


def center(box: Box) -> Point:
    return middle(box[0], box[2]), middle(box[1], box[3])


def overlap(one: Box, other: Box) -> bool:
    return (
        is_at_most(one[2], other[0])
        and is_at_most(other[2], one[0])
        and is_at_most(one[3], other[1])
        and is_at_most(other[3], one[1])
    )


def common(one: Box, other: Box) -> Box | None:
    """Returns the part that two boxes share."""
    if not overlap(one, other):
        return None
    return least(one[0], other[0]), least(one[1], other[1]), greatest(one[2], other[2]), greatest(one[3], other[3])


def bound(one: Box, other: Box) -> Box:
    """Returns the smallest box around two."""
    return greatest(one[0], other[0]), greatest(one[1], other[1]), least(one[2], other[2]), least(one[3], other[3])


def box_contains_box(outer: Box, inner: Box) -> bool:
    return (
        is_at_most(inner[0], outer[0])
        and is_at_most(outer[2], inner[2])
        and is_at_most(inner[1], outer[1])
        and is_at_most(outer[3], inner[3])
    )


def box_contains_point(box: Box, point: Point) -> bool:
    """Tells whether a point lies within a box or on its border, exactly."""
    return box[2] <= point[0] <= box[0] and box[3] <= point[1] <= box[1]


def box_contains_segment(box: Box, segment: Segment) -> bool:
    return all(box_contains_point(box, end) for end in ends(segment))


def _sides(box: Box) -> tuple[Segment, Segment, Segment, Segment]:
    """Returns the four sides, in the order in which PostgreSQL looks at them."""
    right, top, left, bottom = box
    return (
        (left, bottom, left, top),
        (right, top, left, top),
        (left, bottom, right, bottom),
        (right, top, right, bottom),
    )


def touches(box: Box, segment: Segment) -> bool:
    """Tells whether a segment has a point within a box or on its border."""
    (x, y), (u, v) = ends(segment)
    around = (greatest(x, u), greatest(y, v), least(x, u), least(y, v))
    if not overlap(around, box):
        return False
    if any(box_contains_point(box, end) for end in ends(segment)):
        return True
    return any(meeting(side, segment) is not None for side in _sides(box))


def nearest_in_box_to_point(box: Box, point: Point) -> Nearest:
    """Returns the point in or on a box that is nearest to a point."""
    if box_contains_point(box, point):
        return 0.0, point
    return nearest_of(*(nearest_to_point(side, point) for side in _sides(box)))


def nearest_in_box_to_segment(box: Box, segment: Segment) -> Nearest:
    """Returns the point in or on a box that is nearest to a segment: of one that touches the box, its point that is
    nearest to the center."""
    if touches(box, segment):
        return 0.0, nearest_to_point(segment, center(box))[1]
    return _nearest_side(box, segment)


def distance_to_segment(box: Box, segment: Segment) -> float:
    return 0.0 if touches(box, segment) else _nearest_side(box, segment)[0]


def _nearest_side(box: Box, segment: Segment) -> Nearest:
    return nearest_of(*(nearest_to_segment(side, segment) for side in _sides(box)))
