"""Casts among dates, times, timestamps and intervals; those between local time and UTC take the session's TimeZone."""

from __future__ import annotations

import datetime

from model.types.datum import Interval
from model.types.scalar_type import DATE, INTERVAL, MZ_TIMESTAMP, TIME, TIMESTAMP, TIMESTAMPTZ
from model.types.time_of_day import time_from_micros, time_to_micros
from planner.functions.casts.rows import ASSIGNMENT, IMPLICIT, cast
from planner.functions.failures import datetime_overflow
from planner.functions.signature import Cast, Volatility
from planner.functions.time.moments import (
    MICROSECONDS_PER_DAY,
    from_local,
    midnight,
    to_local,
    to_near_local,
)
from planner.ir.scalar import SessionName

_ZONE = (SessionName.TIME_ZONE,)
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MILLISECOND = datetime.timedelta(milliseconds=1)


def milliseconds(moment: datetime.datetime) -> int:
    """Returns milliseconds since 1970; a fraction of a millisecond is rounded up, so that `ts <= mz_now()` is exact at
    the millisecond."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=datetime.UTC)
    value = -((_EPOCH - aware) // _MILLISECOND)
    if value < 0:
        raise datetime_overflow("timestamp")
    return value


def from_milliseconds(value: int) -> datetime.datetime:
    try:
        return _EPOCH + value * _MILLISECOND
    except OverflowError:
        raise datetime_overflow("timestamp") from None


CASTS: tuple[Cast, ...] = (
    cast(DATE, TIMESTAMP, IMPLICIT, midnight),
    cast(
        DATE,
        TIMESTAMPTZ,
        IMPLICIT,
        lambda day, zone: from_local(midnight(day), zone),
        session=_ZONE,
        fallible=True,
        volatility=Volatility.STABLE,
    ),
    cast(TIMESTAMP, DATE, ASSIGNMENT, datetime.datetime.date),
    cast(TIMESTAMP, TIME, ASSIGNMENT, datetime.datetime.time),
    cast(TIMESTAMP, TIMESTAMPTZ, IMPLICIT, from_local, session=_ZONE, fallible=True, volatility=Volatility.STABLE),
    cast(
        TIMESTAMPTZ,
        DATE,
        ASSIGNMENT,
        lambda moment, zone: to_local(moment, zone).date(),
        session=_ZONE,
        fallible=True,
        volatility=Volatility.STABLE,
    ),
    cast(
        TIMESTAMPTZ,
        TIME,
        ASSIGNMENT,
        lambda moment, zone: to_near_local(moment, zone)[0].time(),
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
        lambda value: from_milliseconds(value).replace(tzinfo=None),
        fallible=True,
    ),
)
