"""time with time zone: casts, arithmetic with dates and intervals, AT TIME ZONE, OVERLAPS."""

from __future__ import annotations

import datetime

from model.text.times.timetz import local_timetz, offset_at, timetz_of
from model.text.times.zones import session_zone
from model.types.datum import MICROSECONDS_PER_DAY, Interval, TimeTz
from model.types.scalar_type import BOOL, DATE, INTERVAL, TEXT, TIME, TIMESTAMPTZ, TIMETZ
from model.types.time_of_day import time_from_micros, time_to_micros
from model.types.wide_time import AnyDate, AnyMoment, infinite, micros_of
from planner.functions.casts.record_casts import ASSIGNMENT, IMPLICIT, cast
from planner.functions.rows import function, operator
from planner.functions.signature import Cast, Function, Volatility
from planner.functions.time.date_making import zone_offset
from planner.functions.time.date_rounding import overlap
from planner.functions.time.moments import combine, midnight, moment_of, near_moment, negate, zone_named
from planner.ir.scalar import SessionName

_NOW = (SessionName.TIME_ZONE, SessionName.NOW)
_STABLE = Volatility.STABLE


def _of_time(time: datetime.time, zone: str, now: datetime.datetime) -> TimeTz:
    """Returns a time with the offset that the session's zone has at this time today."""
    rules = session_zone(zone)
    return local_timetz(time_to_micros(time), offset_at(near_moment(combine(now.astimezone(rules), time))[0], rules))


def _of_moment(moment: AnyMoment, zone: str) -> TimeTz | None:
    return None if infinite(moment) else timetz_of(moment, session_zone(zone))


def _to_time(value: TimeTz) -> datetime.time:
    return time_from_micros(value.local)


def _shift(value: TimeTz, interval: Interval) -> TimeTz:
    """Shifts a time around the clock; months and days don't matter."""
    return local_timetz((value.local + interval.microseconds) % MICROSECONDS_PER_DAY, -value.west)


def _shift_back(value: TimeTz, interval: Interval) -> TimeTz:
    return _shift(value, negate(interval))


def _moment(day: AnyDate, time: TimeTz) -> AnyMoment:
    start = midnight(day)
    return start if infinite(start) else moment_of(micros_of(start) + time.utc, datetime.UTC)


def _at_offset(value: TimeTz, offset: int) -> TimeTz:
    """Returns the same time on a clock that is `offset` seconds east of UTC."""
    return local_timetz((value.utc + offset * 1_000_000) % MICROSECONDS_PER_DAY, offset)


def _in_zone(name: str, value: TimeTz, now: datetime.datetime) -> TimeTz:
    """Converts a time to a zone, by the zone's present offset."""
    offset = now.astimezone(zone_named(name)).utcoffset()
    assert offset is not None
    return _at_offset(value, int(offset.total_seconds()))


def _by_offset(offset: Interval, value: TimeTz) -> TimeTz:
    return _at_offset(value, zone_offset(offset) // 1_000_000)


CASTS: tuple[Cast, ...] = (
    cast(TIME, TIMETZ, IMPLICIT, _of_time, session=_NOW, volatility=_STABLE),
    cast(
        TIMESTAMPTZ,
        TIMETZ,
        ASSIGNMENT,
        _of_moment,
        session=(SessionName.TIME_ZONE,),
        fallible=True,
        volatility=_STABLE,
    ),
    cast(TIMETZ, TIME, ASSIGNMENT, _to_time),
)

FUNCTIONS: tuple[Function, ...] = (
    operator("+", "add", (TIMETZ, INTERVAL), TIMETZ, _shift),
    operator("+", "add", (INTERVAL, TIMETZ), TIMETZ, lambda interval, value: _shift(value, interval)),
    operator("-", "subtract", (TIMETZ, INTERVAL), TIMETZ, _shift_back),
    operator("+", "add", (DATE, TIMETZ), TIMESTAMPTZ, _moment, fallible=True),
    operator("+", "add", (TIMETZ, DATE), TIMESTAMPTZ, lambda time, day: _moment(day, time), fallible=True),
    function("timestamptz", (DATE, TIMETZ), TIMESTAMPTZ, _moment, fallible=True),
    function(
        "timezone",
        (TEXT, TIMETZ),
        TIMETZ,
        _in_zone,
        fallible=True,
        session=(SessionName.NOW,),
        volatility=_STABLE,
    ),
    function("timezone", (INTERVAL, TIMETZ), TIMETZ, _by_offset, fallible=True),
    function("overlaps", (TIMETZ, TIMETZ, TIMETZ, TIMETZ), BOOL, overlap, strict=False),
)
