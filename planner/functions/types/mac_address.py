"""macaddr and macaddr8: casts between them, their bits, the manufacturer's part."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.addresses.mac_addresses import narrowed, widened
from model.types.scalar_type import MACADDR, MACADDR8, ScalarType
from planner.functions.casts.record_casts import IMPLICIT, cast
from planner.functions.rows import function, operator
from planner.functions.signature import Cast, Function

_LOCAL_BIT = 0x02


def _to_macaddr(value: bytes) -> bytes:
    narrow = narrowed(value)
    if narrow is None:
        raise SqlError(
            Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE,
            "macaddr8 data out of range to convert to macaddr",
            hint="Only addresses that have FF and FE as values in the 4th and 5th bytes from the left, for example "
            "xx:xx:xx:ff:fe:xx:xx:xx, are eligible to be converted from macaddr8 to macaddr.",
        )
    return narrow


def _manufacturer(value: bytes) -> bytes:
    return value[:3] + bytes(len(value) - 3)


def _of_type(type_: ScalarType) -> list[Function]:
    one, two = (type_,), (type_, type_)
    return [
        function("trunc", one, type_, _manufacturer),
        operator("~", "bit_not", one, type_, lambda value: bytes(255 - octet for octet in value)),
        operator("&", "bit_and", two, type_, lambda a, b: bytes(x & y for x, y in zip(a, b, strict=True))),
        operator("|", "bit_or", two, type_, lambda a, b: bytes(x | y for x, y in zip(a, b, strict=True))),
    ]


CASTS: tuple[Cast, ...] = (
    cast(MACADDR, MACADDR8, IMPLICIT, widened),
    cast(MACADDR8, MACADDR, IMPLICIT, _to_macaddr, fallible=True),
)

FUNCTIONS: tuple[Function, ...] = (
    *_of_type(MACADDR),
    *_of_type(MACADDR8),
    function("macaddr8_set7bit", (MACADDR8,), MACADDR8, lambda value: bytes((value[0] | _LOCAL_BIT,)) + value[1:]),
)
