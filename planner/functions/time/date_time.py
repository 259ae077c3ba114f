"""+ and - of dates, times, timestamps and intervals. Days and months of timestamptz are those of the session's zone."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Interval
from model.types.scalar_type import DATE, INT4, INTERVAL, TEXT, TIME, TIMESTAMP, TIMESTAMPTZ
from model.types.time_of_day import time_from_micros, time_to_micros
from model.types.wide_time import AnyDate, AnyMoment, WideDate, date_at, day_of, infinite
from planner.functions.failures import datetime_overflow
from planner.functions.rows import function, operator
from planner.functions.signature import Function, Volatility
from planner.functions.time.moments import (
    MICROSECONDS_MAX,
    MICROSECONDS_PER_DAY,
    add_interval,
    add_interval_in_zone,
    combine,
    from_local,
    micros_between,
    midnight,
    negate,
    zone_named,
)
from planner.ir.scalar import SessionName


def add_days(day: AnyDate, count: int) -> AnyDate:
    if infinite(day):
        return day
    try:
        return date_at(day_of(day) + count)
    except OverflowError:
        raise datetime_overflow("date") from None


def days_between(later: AnyDate, earlier: AnyDate) -> int:
    if isinstance(later, WideDate) or isinstance(earlier, WideDate):
        if infinite(later) or infinite(earlier):
            raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, "cannot subtract infinite dates")
        return day_of(later) - day_of(earlier)
    return (later - earlier).days


def difference(later: AnyMoment, earlier: AnyMoment) -> Interval:
    """Subtracts: whole days, and the rest as time."""
    if infinite(later) or infinite(earlier):
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, "cannot subtract infinite timestamps")
    micros = micros_between(later, earlier)
    if not -MICROSECONDS_MAX <= micros <= MICROSECONDS_MAX:
        raise datetime_overflow("interval")
    days = abs(micros) // MICROSECONDS_PER_DAY
    if micros < 0:
        days = -days
    return Interval(0, days, micros - days * MICROSECONDS_PER_DAY)


def shift_time(time: datetime.time, interval: Interval) -> datetime.time:
    """Shifts a time around the clock; months and days don't matter."""
    return time_from_micros((time_to_micros(time) + interval.microseconds) % MICROSECONDS_PER_DAY)


def _swapped(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    return lambda left, right, *session: evaluate(right, left, *session)


def _subtract_in_zone(moment: AnyMoment, interval: Interval, zone: str) -> AnyMoment:
    return add_interval_in_zone(moment, negate(interval), zone)


def _add_in_named_zone(moment: AnyMoment, interval: Interval, zone: str) -> AnyMoment:
    return add_interval_in_zone(moment, interval, zone_named(zone))


def _subtract_in_named_zone(moment: AnyMoment, interval: Interval, zone: str) -> AnyMoment:
    return _add_in_named_zone(moment, negate(interval), zone)


def _both_ways(word: str, left: Any, right: Any, result: Any, evaluate: Callable[..., Any]) -> list[Function]:
    return [
        operator("+", word, (left, right), result, evaluate, fallible=True),
        operator("+", word, (right, left), result, _swapped(evaluate), fallible=True),
    ]


_ZONE = (SessionName.TIME_ZONE,)

FUNCTIONS: tuple[Function, ...] = (
    *_both_ways("add", DATE, INT4, DATE, add_days),
    *_both_ways("add", DATE, TIME, TIMESTAMP, combine),
    function("timestamp", (DATE, TIME), TIMESTAMP, combine, fallible=True),
    function(
        "timestamptz",
        (DATE, TIME),
        TIMESTAMPTZ,
        lambda day, time, zone: from_local(combine(day, time), zone),
        fallible=True,
        session=_ZONE,
        volatility=Volatility.STABLE,
    ),
    *_both_ways("add", DATE, INTERVAL, TIMESTAMP, lambda day, interval: add_interval(midnight(day), interval)),
    *_both_ways("add", TIMESTAMP, INTERVAL, TIMESTAMP, add_interval),
    *_both_ways("add", TIME, INTERVAL, TIME, shift_time),
    operator(
        "+",
        "add",
        (TIMESTAMPTZ, INTERVAL),
        TIMESTAMPTZ,
        add_interval_in_zone,
        fallible=True,
        session=_ZONE,
        volatility=Volatility.STABLE,
    ),
    operator(
        "+",
        "add",
        (INTERVAL, TIMESTAMPTZ),
        TIMESTAMPTZ,
        _swapped(add_interval_in_zone),
        fallible=True,
        session=_ZONE,
        volatility=Volatility.STABLE,
    ),
    operator(
        "-",
        "subtract",
        (TIMESTAMPTZ, INTERVAL),
        TIMESTAMPTZ,
        _subtract_in_zone,
        fallible=True,
        session=_ZONE,
        volatility=Volatility.STABLE,
    ),
    *(
        function(
            name,
            (TIMESTAMPTZ, INTERVAL),
            TIMESTAMPTZ,
            evaluate,
            fallible=True,
            session=_ZONE,
            volatility=Volatility.STABLE,
        )
        for name, evaluate in (("date_add", add_interval_in_zone), ("date_subtract", _subtract_in_zone))
    ),
    function("date_add", (TIMESTAMPTZ, INTERVAL, TEXT), TIMESTAMPTZ, _add_in_named_zone, fallible=True),
    function("date_subtract", (TIMESTAMPTZ, INTERVAL, TEXT), TIMESTAMPTZ, _subtract_in_named_zone, fallible=True),
    operator("-", "subtract", (DATE, INT4), DATE, lambda day, count: add_days(day, -count), fallible=True),
    operator("-", "subtract", (DATE, DATE), INT4, days_between, fallible=True),
    operator(
        "-",
        "subtract",
        (DATE, INTERVAL),
        TIMESTAMP,
        lambda day, interval: add_interval(midnight(day), negate(interval)),
        fallible=True,
    ),
    operator(
        "-",
        "subtract",
        (TIMESTAMP, INTERVAL),
        TIMESTAMP,
        lambda moment, interval: add_interval(moment, negate(interval)),
        fallible=True,
    ),
    operator("-", "subtract", (TIMESTAMP, TIMESTAMP), INTERVAL, difference, fallible=True),
    operator("-", "subtract", (TIMESTAMPTZ, TIMESTAMPTZ), INTERVAL, difference, fallible=True),
    operator("-", "subtract", (TIME, INTERVAL), TIME, lambda time, interval: shift_time(time, negate(interval))),
    operator(
        "-",
        "subtract",
        (TIME, TIME),
        INTERVAL,
        lambda later, earlier: Interval(0, 0, time_to_micros(later) - time_to_micros(earlier)),
    ),
)
