"""Bit strings: their bits by number and by place, logic, shifts, pieces, and integers as bits. A varbit is a bit string
wherever one is asked for."""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from functools import reduce
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BIT, INT4, INT8, VARBIT, ScalarType
from planner.functions.casts.record_casts import EXPLICIT, IMPLICIT, cast, unchanged
from planner.functions.failures import invalid_parameter, out_of_range
from planner.functions.rows import function, key_of, operator, syntax
from planner.functions.signature import AggregateFunction, Cast, Function
from planner.functions.text.characters import overlay, substring

_Combine = Callable[[str, str], str]


def _combined(word: str, combine: Callable[[int, int], int]) -> _Combine:
    def evaluate(left: str, right: str) -> str:
        if len(left) != len(right):
            message = f"cannot {word} bit strings of different sizes"
            raise SqlError(Sqlstate.STRING_DATA_LENGTH_MISMATCH, message)
        return "".join([str(combine(int(a), int(b))) for a, b in zip(left, right, strict=True)])

    return evaluate


def _complement(value: str) -> str:
    return value.translate({ord("0"): "1", ord("1"): "0"})


def _shift_left(value: str, distance: int) -> str:
    """Shifts to the left. Zeros come in; a negative distance goes to the right."""
    length = len(value)
    if distance < 0:
        return ("0" * min(-distance, length) + value)[:length]
    return (value + "0" * min(distance, length))[-length:] if length else ""


def _shift_right(value: str, distance: int) -> str:
    return _shift_left(value, -distance)


def _check_index(value: str, index: int) -> None:
    if not 0 <= index < len(value):
        message = f"bit index {index} out of valid range (0..{len(value) - 1})"
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, message)


def _get_bit(value: str, index: int) -> int:
    _check_index(value, index)
    return int(value[index])


def _set_bit(value: str, index: int, bit: int) -> str:
    _check_index(value, index)
    if bit not in (0, 1):
        raise invalid_parameter("new bit must be 0 or 1")
    return value[:index] + str(bit) + value[index + 1 :]


def _to_integer(length: int, what: str) -> Callable[[str], int]:
    """Returns the conversion to an integer of so many bits; a bit string of that length begins with the sign."""

    def evaluate(value: str) -> int:
        if len(value) > length:
            raise out_of_range(what)
        number = int(value or "0", 2)
        return number - (1 << length) if number >> (length - 1) else number

    return evaluate


def _of_integer(value: int, length: int) -> str:
    """Returns the lowest `length` bits, one where no type has that length; its sign fills a longer string."""
    length = length if 0 < length <= _LENGTH_MAX else 1
    return f"{value & ((1 << length) - 1):0{length}b}"


_LENGTH_MAX = 8 * 10_485_760
_ONE, _TWO, _BY = (BIT,), (BIT, BIT), (BIT, INT4)
_AND = _combined("AND", python.and_)
_OR = _combined("OR", python.or_)
_XOR = _combined("XOR", python.xor)


def _aggregate(name: str, combine: _Combine) -> AggregateFunction:
    def evaluate(rows: list[tuple[Any, ...]]) -> str | None:
        return reduce(combine, (row[0] for row in rows)) if rows else None

    return AggregateFunction(key_of(name, _ONE), name, _ONE, BIT, evaluate, fallible=True)


def _integer_bits(type_: ScalarType) -> Function:
    """Returns a cast to bit(n), which takes its n with it: integers are cut on the left."""
    return syntax("bits_of", (type_, INT4), BIT, _of_integer)


CASTS: tuple[Cast, ...] = (
    cast(BIT, VARBIT, IMPLICIT, unchanged),
    cast(VARBIT, BIT, IMPLICIT, unchanged),
    cast(BIT, INT4, EXPLICIT, _to_integer(32, "integer"), fallible=True),
    cast(BIT, INT8, EXPLICIT, _to_integer(64, "bigint"), fallible=True),
)

FUNCTIONS: tuple[Function, ...] = (
    operator("||", "concat", (VARBIT, VARBIT), VARBIT, lambda left, right: left + right),
    operator("&", "bit_and", _TWO, BIT, _AND, fallible=True),
    operator("|", "bit_or", _TWO, BIT, _OR, fallible=True),
    operator("#", "bit_xor", _TWO, BIT, _XOR, fallible=True),
    operator("~", "bit_not", _ONE, BIT, _complement),
    operator("<<", "shift_left", _BY, BIT, _shift_left),
    operator(">>", "shift_right", _BY, BIT, _shift_right),
    function("length", _ONE, INT4, len),
    function("bit_length", _ONE, INT4, len),
    function("octet_length", _ONE, INT4, lambda value: -(-len(value) // 8)),
    function("bit_count", _ONE, INT8, lambda value: value.count("1")),
    function("get_bit", _BY, INT4, _get_bit, fallible=True),
    function("set_bit", (BIT, INT4, INT4), BIT, _set_bit, fallible=True),
    function("substring", _BY, BIT, substring),
    function("substring", (BIT, INT4, INT4), BIT, substring, fallible=True),
    function("overlay", (BIT, BIT, INT4), BIT, overlay, fallible=True),
    function("overlay", (BIT, BIT, INT4, INT4), BIT, overlay, fallible=True),
    # In an empty string nothing is found, not even itself; in others an empty one stands first.
    function("position", _TWO, INT4, lambda value, part: value.find(part) + 1 if value else 0),
    _integer_bits(INT4),
    _integer_bits(INT8),
)

AGGREGATES: tuple[AggregateFunction, ...] = (
    _aggregate("bit_and", _AND),
    _aggregate("bit_or", _OR),
    _aggregate("bit_xor", _XOR),
)
