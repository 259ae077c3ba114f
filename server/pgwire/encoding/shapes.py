"""point, box, lseg and circle in binary format: their numbers as doubles, which is how they are held."""

from __future__ import annotations

from collections.abc import Callable

from model.types.geometry import held_box, numbers_of_shape
from server.pgwire.encoding.failures import bad_binary, check_width

_BOX, _CIRCLE = 32, 24


def shape_receiver(width: int) -> Callable[[bytes], bytes]:
    """Returns the receiver of a shape of so many bytes; it raises 08P01 and 22P03 for another number of them."""

    def receive(data: bytes) -> bytes:
        check_width(data, width)
        return bytes(data)

    return receive


def receive_box(data: bytes) -> bytes:
    check_width(data, _BOX)
    return held_box(*numbers_of_shape(data))


def receive_circle(data: bytes) -> bytes:
    """Decodes a circle; raises 22P03 for a negative radius."""
    check_width(data, _CIRCLE)
    if numbers_of_shape(data)[2] < 0:
        raise bad_binary('invalid radius in external "circle" value')
    return bytes(data)
