"""money: sums, multiples and shares of amounts, casts from and to numbers, and amounts in words (manual, 8.2)."""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.numerics import EXACT
from model.types.scalar_type import FLOAT4, FLOAT8, INT2, INT4, INT8, MONEY, NUMERIC, TEXT, ScalarType
from planner.functions.casts.record_casts import ASSIGNMENT, cast
from planner.functions.failures import division_by_zero, out_of_range
from planner.functions.rows import function, key_of, operator
from planner.functions.signature import AggregateFunction, Cast, Function

_LIMIT = 2**63
_DIGITS_MAX = 17
"""So many digits before the point at most, less one, has an amount."""
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_GROUPS = ("", " thousand ", " million ", " billion ", " trillion ", " quadrillion ")


def _held(cents: int, word: str = "money") -> int:
    if not -_LIMIT <= cents < _LIMIT:
        raise out_of_range(word)
    return cents


def _rounded(value: float) -> int:
    """Returns a number of cents, halves to even, as PostgreSQL rounds floats."""
    if value != value or not -_LIMIT <= value < _LIMIT:
        raise out_of_range("money")
    return round(value)


def _times(cents: int, factor: float) -> int:
    return _held(cents * factor) if isinstance(factor, int) else _rounded(cents * factor)


def _divided(cents: int, divisor: float) -> int:
    """Returns a share: by an integer without its part of a cent, by a float the nearest."""
    if not divisor:
        raise division_by_zero()
    if not isinstance(divisor, int):
        return _rounded(cents / divisor)
    return _held(int(Fraction(cents, divisor)))


def _ratio(left: int, right: int) -> float:
    if not right:
        raise division_by_zero()
    return float(left) / float(right)


def _of_numeric(value: Decimal) -> int:
    if not value.is_finite():
        word = "NaN" if value.is_nan() else "infinity"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f"cannot convert {word} to bigint")
    if value.adjusted() > _DIGITS_MAX:
        raise out_of_range("bigint")
    return _held(int(EXACT.scaleb(value, 2).to_integral_value(ROUND_HALF_UP, EXACT)), "bigint")


def _as_numeric(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def _number_words(number: int) -> str:
    """Returns a number below 1000 in PostgreSQL's words."""
    hundreds, rest = divmod(number, 100)
    if not rest and hundreds:
        return f"{_SMALL[hundreds]} hundred"
    if rest < 20:
        small = _SMALL[rest]
        return f"{_SMALL[hundreds]} hundred and {small}" if hundreds else small
    tens, ones = divmod(rest, 10)
    words = _TENS[tens - 2] + (f" {_SMALL[ones]}" if ones else "")
    return f"{_SMALL[hundreds]} hundred {words}" if hundreds else words


def _words(value: int) -> str:
    dollars, cents = divmod(abs(value), 100)
    written = "minus " if value < 0 else ""
    for at in range(len(_GROUPS) - 1, -1, -1):
        number = dollars // 1000**at % 1000
        written += _number_words(number) + _GROUPS[at] if number else ""
    written += "zero" if not dollars else ""
    written += " dollar and " if dollars == 1 else " dollars and "
    written += _number_words(cents) + (" cent" if cents == 1 else " cents")
    return written[0].upper() + written[1:]


def _scaled() -> list[Function]:
    """Returns the operators of an amount and a number."""
    rows: list[Function] = []
    for number in (INT2, INT4, INT8, FLOAT4, FLOAT8):
        rows += (
            operator("*", "multiply", (MONEY, number), MONEY, _times, fallible=True),
            operator(
                "*", "multiply", (number, MONEY), MONEY, lambda factor, cents: _times(cents, factor), fallible=True
            ),
            operator("/", "divide", (MONEY, number), MONEY, _divided, fallible=True),
        )
    return rows


def _sum(rows: list[tuple[Any, ...]]) -> int | None:
    return _held(sum(cents for (cents,) in rows)) if rows else None


_PAIR = (MONEY, MONEY)


def _between(symbol: str, word: str, compute: Callable[[int, int], int]) -> Function:
    return operator(symbol, word, _PAIR, MONEY, lambda left, right: _held(compute(left, right)), fallible=True)


def _from_integer(source: ScalarType) -> Cast:
    return cast(source, MONEY, ASSIGNMENT, lambda value: _held(value * 100, "bigint"), fallible=True)


FUNCTIONS: tuple[Function, ...] = (
    _between("+", "add", python.add),
    _between("-", "subtract", python.sub),
    *_scaled(),
    operator("/", "divide", _PAIR, FLOAT8, _ratio, fallible=True),
    function("cash_words", (MONEY,), TEXT, _words),
    function("cashlarger", _PAIR, MONEY, max),
    function("cashsmaller", _PAIR, MONEY, min),
)
AGGREGATES: tuple[AggregateFunction, ...] = (
    AggregateFunction(key_of("sum", (MONEY,)), "sum", (MONEY,), MONEY, _sum, fallible=True),
)
CASTS: tuple[Cast, ...] = (
    cast(NUMERIC, MONEY, ASSIGNMENT, _of_numeric, fallible=True),
    cast(MONEY, NUMERIC, ASSIGNMENT, _as_numeric),
    _from_integer(INT4),
    _from_integer(INT8),
)
