"""The held forms of point, box, lseg and circle: their numbers as doubles, most significant byte first, which is what
PostgreSQL sends of them.

    point   x, y
    box     the upper right corner, the lower left one
    lseg    one end, the other
    circle  the center, the radius

No operator of theirs is a class of equality or order, so the bytes need not sort; they keep -0 and NaN as they are.
"""

from __future__ import annotations

import struct

Numbers = tuple[float, ...]
"""Of a value; as many as its type has."""

_BY_SIZE = {8 * count: struct.Struct(f">{count}d") for count in (1, 2, 3, 4)}


def held_shape(*numbers: float) -> bytes:
    return _BY_SIZE[8 * len(numbers)].pack(*numbers)


def numbers_of_shape(held: bytes) -> Numbers:
    return _BY_SIZE[len(held)].unpack(held)


def is_less(left: float, right: float) -> bool:
    """Tells whether a number is less than another; NaN is above all others, and equal to itself."""
    return left == left and (right != right or left < right)


def is_greater(left: float, right: float) -> bool:
    return is_less(right, left)


def least(left: float, right: float) -> float:
    return left if is_less(left, right) else right


def greatest(left: float, right: float) -> float:
    return left if is_greater(left, right) else right


def held_box(high_x: float, high_y: float, low_x: float, low_y: float) -> bytes:
    """Returns a box of two opposite corners, whichever they are."""
    if is_less(high_x, low_x):
        high_x, low_x = low_x, high_x
    if is_less(high_y, low_y):
        high_y, low_y = low_y, high_y
    return held_shape(high_x, high_y, low_x, low_y)
