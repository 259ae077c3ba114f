"""Arithmetic of intervals: months, days and time apart; fractions of months fall to days, of days to time."""

from __future__ import annotations

import math

from model.types.datum import Interval
from model.types.scalar_type import FLOAT8, INT4, INTERVAL
from planner.functions.failures import datetime_overflow, division_by_zero
from planner.functions.rows import function, operator
from planner.functions.signature import Function
from planner.functions.time.moments import MICROSECONDS_PER_DAY, negate

_DAYS_PER_MONTH = 30
_MONTHS_PER_YEAR = 12
_INT4_END = 1 << 31
_INT8_END = 1 << 63


def checked(interval: Interval) -> Interval:
    """Returns the interval; raises SqlError 22008 when one of its parts is outside of its range."""
    if (
        -_INT4_END <= interval.months < _INT4_END
        and -_INT4_END <= interval.days < _INT4_END
        and -_INT8_END <= interval.microseconds < _INT8_END
    ):
        return interval
    raise datetime_overflow("interval")


def add_intervals(left: Interval, right: Interval) -> Interval:
    return checked(Interval(left.months + right.months, left.days + right.days, left.microseconds + right.microseconds))


def _subtract(left: Interval, right: Interval) -> Interval:
    return add_intervals(left, negate(right))


def _rounded_fraction(value: float) -> float:
    """Rounds to a millionth, as PostgreSQL's TSROUND does against noise from binary fractions."""
    return round(value * 1e6) / 1e6


def _whole_micros(value: float) -> int:
    if not abs(value) < _INT8_END:
        raise datetime_overflow("interval")
    return round(value)


def scale_interval(interval: Interval, factor: float) -> Interval:
    """Multiplies each part by `factor`; what a part can't hold falls to the next smaller one."""
    if not math.isfinite(factor):
        raise datetime_overflow("interval")
    return _of_exact(interval.months * factor, interval.days * factor, interval.microseconds * factor)


def divide_interval(interval: Interval, divisor: float) -> Interval:
    """Divides each part by `divisor`; what a part can't hold falls to the next smaller one."""
    if divisor == 0:
        raise division_by_zero()
    return _of_exact(interval.months / divisor, interval.days / divisor, interval.microseconds / divisor)


def _of_exact(months_exact: float, days_exact: float, micros_exact: float) -> Interval:
    """Returns the interval of parts with fractions; raises 22008 for parts that are too large."""
    if not (abs(months_exact) < _INT4_END and abs(days_exact) < _INT4_END):
        raise datetime_overflow("interval")
    months, days = math.trunc(months_exact), math.trunc(days_exact)
    month_rest = _rounded_fraction((months_exact - months) * _DAYS_PER_MONTH)
    second_rest = _rounded_fraction((days_exact - days + month_rest - math.trunc(month_rest)) * 86_400.0)
    if abs(second_rest) >= 86_400.0:
        days += math.trunc(second_rest / 86_400.0)
        second_rest -= math.trunc(second_rest / 86_400.0) * 86_400.0
    days += math.trunc(month_rest)
    return checked(Interval(months, days, _whole_micros(micros_exact + second_rest * 1e6)))


def _carry(amount: int, unit: int) -> tuple[int, int]:
    """Returns whole units and the rest, both of the sign of the amount."""
    whole = abs(amount) // unit
    whole = -whole if amount < 0 else whole
    return whole, amount - whole * unit


def justify_hours(interval: Interval) -> Interval:
    """Turns 24 hours into a day; days and time have one sign."""
    carried, micros = _carry(interval.microseconds, MICROSECONDS_PER_DAY)
    days = interval.days + carried
    if days > 0 > micros:
        micros, days = micros + MICROSECONDS_PER_DAY, days - 1
    elif days < 0 < micros:
        micros, days = micros - MICROSECONDS_PER_DAY, days + 1
    return checked(Interval(interval.months, days, micros))


def justify_days(interval: Interval) -> Interval:
    """Turns 30 days into a month; months and days have one sign."""
    carried, days = _carry(interval.days, _DAYS_PER_MONTH)
    months = interval.months + carried
    if months > 0 > days:
        days, months = days + _DAYS_PER_MONTH, months - 1
    elif months < 0 < days:
        days, months = days - _DAYS_PER_MONTH, months + 1
    return checked(Interval(months, days, interval.microseconds))


def justify_interval(interval: Interval) -> Interval:
    """Turns hours into days and days into months, with all signs alike."""
    months, days, micros = interval.months, interval.days, interval.microseconds
    carried, micros = _carry(micros, MICROSECONDS_PER_DAY)
    days += carried
    carried, days = _carry(days, _DAYS_PER_MONTH)
    months += carried
    if months > 0 and (days < 0 or (days == 0 and micros < 0)):
        days, months = days + _DAYS_PER_MONTH, months - 1
    elif months < 0 and (days > 0 or (days == 0 and micros > 0)):
        days, months = days - _DAYS_PER_MONTH, months + 1
    if days > 0 > micros:
        micros, days = micros + MICROSECONDS_PER_DAY, days - 1
    elif days < 0 < micros:
        micros, days = micros - MICROSECONDS_PER_DAY, days + 1
    return checked(Interval(months, days, micros))


def make_interval(
    years: int = 0,
    months: int = 0,
    weeks: int = 0,
    days: int = 0,
    hours: int = 0,
    minutes: int = 0,
    seconds: float = 0.0,
) -> Interval:
    if not math.isfinite(seconds):
        raise datetime_overflow("interval")
    if abs(seconds) > _SECONDS_MAX:
        raise datetime_overflow("interval")
    micros = (hours * 60 + minutes) * 60_000_000 + round(seconds * 1e6)
    return checked(Interval(years * _MONTHS_PER_YEAR + months, weeks * 7 + days, micros))


_SECONDS_MAX = 1e13
"""More than the microseconds that an interval counts."""
_ONE, _TWO = (INTERVAL,), (INTERVAL, INTERVAL)
_MAKE = (INT4, INT4, INT4, INT4, INT4, INT4, FLOAT8)

FUNCTIONS: tuple[Function, ...] = (
    operator("+", "add", _TWO, INTERVAL, add_intervals, fallible=True),
    operator("-", "subtract", _TWO, INTERVAL, _subtract, fallible=True),
    operator("-", "negate", _ONE, INTERVAL, lambda value: checked(negate(value)), fallible=True),
    operator("*", "multiply", (INTERVAL, FLOAT8), INTERVAL, scale_interval, fallible=True),
    operator("*", "multiply", (FLOAT8, INTERVAL), INTERVAL, lambda f, i: scale_interval(i, f), fallible=True),
    operator("/", "divide", (INTERVAL, FLOAT8), INTERVAL, divide_interval, fallible=True),
    function("justify_hours", _ONE, INTERVAL, justify_hours, fallible=True),
    function("justify_days", _ONE, INTERVAL, justify_days, fallible=True),
    function("justify_interval", _ONE, INTERVAL, justify_interval, fallible=True),
    *(
        function("make_interval", _MAKE[:count], INTERVAL, make_interval, fallible=True)
        for count in range(len(_MAKE) + 1)
    ),
)
