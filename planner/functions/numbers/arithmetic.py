"""+ - * / % and signs of integers, and their bits: exact or 22003; division truncates toward zero or is 22012."""

from __future__ import annotations

import math
import operator as python
from collections.abc import Callable

from model.types.scalar_type import INT2, INT4, INT8, TEXT, ScalarType
from planner.functions.failures import division_by_zero, out_of_range
from planner.functions.rows import function, operator
from planner.functions.signature import Function


def _checked(bits: int, what: str) -> Callable[[int], int]:
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1

    def check(value: int) -> int:
        if low <= value <= high:
            return value
        raise out_of_range(what)

    return check


check_int2 = _checked(16, "smallint")
check_int4 = _checked(32, "integer")
check_int8 = _checked(64, "bigint")


def truncating_quotient(left: int, right: int) -> int:
    """Divides toward zero; 22012 by zero."""
    if right == 0:
        raise division_by_zero()
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def truncating_remainder(left: int, right: int) -> int:
    """Returns the remainder with the dividend's sign."""
    if right == 0:
        raise division_by_zero()
    remainder = abs(left) % abs(right)
    return -remainder if left < 0 else remainder


def _wrapped(bits: int, value: int) -> int:
    """Returns the low bits, as a signed number."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _of_type(type_: ScalarType, bits: int, check: Callable[[int], int]) -> list[Function]:
    one, pair = (type_,), (type_, type_)
    shift = (type_, INT4)
    return [
        operator("+", "add", pair, type_, lambda a, b: check(a + b), fallible=True),
        operator("-", "subtract", pair, type_, lambda a, b: check(a - b), fallible=True),
        operator("*", "multiply", pair, type_, lambda a, b: check(a * b), fallible=True),
        operator("/", "divide", pair, type_, lambda a, b: check(truncating_quotient(a, b)), fallible=True),
        operator("%", "modulo", pair, type_, truncating_remainder, fallible=True),
        function("mod", pair, type_, truncating_remainder, fallible=True),
        operator("-", "negate", one, type_, lambda a: check(-a), fallible=True),
        operator("+", "plus", one, type_, lambda a: a),
        operator("@", "absolute", one, type_, lambda a: check(abs(a)), fallible=True),
        function("abs", one, type_, lambda a: check(abs(a)), fallible=True),
        operator("&", "bit_and", pair, type_, python.and_),
        operator("|", "bit_or", pair, type_, python.or_),
        operator("#", "bit_xor", pair, type_, python.xor),
        operator("~", "bit_not", one, type_, python.invert),
        operator("<<", "shift_left", shift, type_, lambda a, n: _wrapped(bits, a << (n % max(bits, 32)))),
        operator(">>", "shift_right", shift, type_, lambda a, n: a >> (n % max(bits, 32))),
    ]


def _common_divisors(type_: ScalarType, check: Callable[[int], int]) -> list[Function]:
    pair = (type_, type_)
    return [
        function("gcd", pair, type_, lambda a, b: check(math.gcd(a, b)), fallible=True),
        function("lcm", pair, type_, lambda a, b: check(math.lcm(a, b)), fallible=True),
    ]


FUNCTIONS: tuple[Function, ...] = (
    *_of_type(INT2, 16, check_int2),
    *_of_type(INT4, 32, check_int4),
    *_of_type(INT8, 64, check_int8),
    *_common_divisors(INT4, check_int4),
    *_common_divisors(INT8, check_int8),
    function("to_hex", (INT4,), TEXT, lambda a: f"{a & 0xFFFFFFFF:x}"),
    function("to_hex", (INT8,), TEXT, lambda a: f"{a & 0xFFFFFFFFFFFFFFFF:x}"),
)
