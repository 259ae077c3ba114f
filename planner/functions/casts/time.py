"""Casts among dates, times, timestamps and intervals; those between local time and UTC take the session's TimeZone."""

from __future__ import annotations

import datetime

from model.types.datum import Interval
from model.types.scalar_type import DATE, INTERVAL, MZ_TIMESTAMP, TIME, TIMESTAMP, TIMESTAMPTZ
from model.types.time_of_day import time_from_micros, time_to_micros
from model.types.wide_time import CYCLE_DAYS, AnyDate, AnyMoment, date_at, day_of, infinite, micros_of
from planner.functions.casts.record_casts import ASSIGNMENT, IMPLICIT, cast
from planner.functions.failures import datetime_overflow
from planner.functions.signature import Cast, Volatility
from planner.functions.time.moments import (
    MICROSECONDS_MAX,
    MICROSECONDS_PER_DAY,
    date_of_moment,
    from_local,
    midnight,
    moment_of,
    near_moment,
    to_local,
    to_near_local,
)
from planner.ir.scalar import SessionName

_ZONE = (SessionName.TIME_ZONE,)
_MILLISECOND = 1000
"""In microseconds."""


def milliseconds(moment: AnyMoment) -> int:
    """Returns milliseconds since 1970; a fraction of one is rounded up, so that `ts <= mz_now()` is exact at the
    millisecond. The infinities are the first and the last time, so that what is valid up to infinity always is."""
    value = nearest_milliseconds(moment)
    if not value and not infinite(moment) and micros_of(moment) <= -_MILLISECOND:
        raise datetime_overflow("timestamp")
    return value


def nearest_milliseconds(moment: AnyMoment) -> int:
    """Returns milliseconds since 1970 as `milliseconds` does; 0 for what was before."""
    micros = micros_of(moment)
    if infinite(moment):
        return MICROSECONDS_MAX if micros > 0 else 0
    return max(-(-micros // _MILLISECOND), 0)


def from_milliseconds(value: int, zone: datetime.tzinfo | None = datetime.UTC) -> AnyMoment:
    return moment_of(value * _MILLISECOND, zone)


def _time_of(moment: AnyMoment) -> datetime.time | None:
    return None if infinite(moment) else near_moment(moment)[0].time()


def _zoned_time_of(moment: AnyMoment, zone: str) -> datetime.time | None:
    return None if infinite(moment) else to_near_local(moment, zone)[0].time()


def _zoned_date_of(moment: AnyMoment, zone: str) -> AnyDate:
    """Returns the day in the zone, which may be one before all timestamps."""
    if infinite(moment):
        return date_of_moment(moment)
    local, cycles = to_near_local(moment, zone)
    try:
        return local.date() if not cycles else date_at(day_of(local.date()) + cycles * CYCLE_DAYS)
    except OverflowError:
        raise datetime_overflow("timestamp") from None


CASTS: tuple[Cast, ...] = (
    cast(DATE, TIMESTAMP, IMPLICIT, midnight, fallible=True),
    cast(
        DATE,
        TIMESTAMPTZ,
        IMPLICIT,
        lambda day, zone: from_local(midnight(day), zone),
        session=_ZONE,
        fallible=True,
        volatility=Volatility.STABLE,
    ),
    cast(TIMESTAMP, DATE, ASSIGNMENT, date_of_moment),
    cast(TIMESTAMP, TIME, ASSIGNMENT, _time_of),
    cast(TIMESTAMP, TIMESTAMPTZ, IMPLICIT, from_local, session=_ZONE, fallible=True, volatility=Volatility.STABLE),
    cast(
        TIMESTAMPTZ,
        DATE,
        ASSIGNMENT,
        _zoned_date_of,
        session=_ZONE,
        fallible=True,
        volatility=Volatility.STABLE,
    ),
    cast(
        TIMESTAMPTZ,
        TIME,
        ASSIGNMENT,
        _zoned_time_of,
        session=_ZONE,
        fallible=True,
        volatility=Volatility.STABLE,
    ),
    cast(TIMESTAMPTZ, TIMESTAMP, ASSIGNMENT, to_local, session=_ZONE, fallible=True, volatility=Volatility.STABLE),
    cast(TIME, INTERVAL, IMPLICIT, lambda time: Interval(0, 0, time_to_micros(time))),
    cast(INTERVAL, TIME, ASSIGNMENT, lambda value: time_from_micros(value.microseconds % MICROSECONDS_PER_DAY)),
    cast(DATE, MZ_TIMESTAMP, IMPLICIT, lambda day: milliseconds(midnight(day)), fallible=True),
    cast(TIMESTAMP, MZ_TIMESTAMP, IMPLICIT, milliseconds, fallible=True),
    cast(TIMESTAMPTZ, MZ_TIMESTAMP, IMPLICIT, milliseconds, fallible=True),
    cast(MZ_TIMESTAMP, TIMESTAMPTZ, ASSIGNMENT, from_milliseconds, fallible=True),
    cast(
        MZ_TIMESTAMP,
        TIMESTAMP,
        ASSIGNMENT,
        lambda value: from_milliseconds(value, None),
        fallible=True,
    ),
)
