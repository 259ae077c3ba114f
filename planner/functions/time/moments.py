"""Dates and times as numbers and back, between local time and UTC, and a calendar that says 22008 at its ends.

Each function takes Python's dates and moments by Python's arithmetic, and others (`WideDate`, `WideMoment`) by numbers
and near years.
"""

from __future__ import annotations

import calendar
import datetime

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.times.near_years import moment_of_local, near_local
from model.text.times.zones import abbreviated_zone, find_zone, local_to_utc, session_zone
from model.types.datum import Interval
from model.types.time_of_day import END_OF_DAY, time_to_micros
from model.types.wide_time import (
    CYCLE_MICROS,
    CYCLE_YEARS,
    AnyDate,
    AnyMoment,
    WideDate,
    WideMoment,
    date_at,
    day_number,
    infinite,
    micros_of,
    moment_at,
    near,
)
from planner.functions.failures import datetime_overflow, invalid_parameter

MICROSECONDS_PER_SECOND = 1_000_000
MICROSECONDS_PER_DAY = 86_400 * MICROSECONDS_PER_SECOND
MICROSECONDS_MAX = 2**63 - 1
"""The most that PostgreSQL can count."""
MICROSECOND = datetime.timedelta(microseconds=1)
EPOCH = datetime.datetime(1970, 1, 1)
_MIDNIGHT = datetime.time()


def midnight(day: AnyDate) -> AnyMoment:
    """Returns the moment at which a day begins; raises SqlError 22008 for a day behind all moments."""
    if isinstance(day, WideDate):
        return WideMoment(day.count) if infinite(day) else _moment_of_day(day, 0)
    return datetime.datetime.combine(day, _MIDNIGHT)


def _moment_of_day(day: WideDate, micros: int) -> AnyMoment:
    try:
        return moment_at(day.count * MICROSECONDS_PER_DAY + micros)
    except OverflowError:
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, "date out of range for timestamp") from None


def combine(day: AnyDate, time: datetime.time) -> AnyMoment:
    """Returns the moment; 24:00:00 is midnight of the next day."""
    if isinstance(day, WideDate) or time is END_OF_DAY:
        start = midnight(day)
        return start if infinite(start) else shift_micros(start, time_to_micros(time))
    return datetime.datetime.combine(day, time)


Zone = str | datetime.tzinfo
"""A session's zone by its name, or one that a user has named to a function."""


def _rules(zone: Zone) -> datetime.tzinfo:
    return session_zone(zone) if isinstance(zone, str) else zone


def to_local(moment: AnyMoment, zone: Zone) -> AnyMoment:
    """Returns a timestamptz as a timestamp of the named zone."""
    if infinite(moment):
        return moment
    local, cycles = near_local(moment, _rules(zone))
    local = local.replace(tzinfo=None)
    return local if not cycles else moment_of(micros_of(local) + cycles * CYCLE_MICROS)


def to_near_local(moment: AnyMoment, zone: Zone) -> tuple[datetime.datetime, int]:
    """Converts a finite timestamptz to a timestamp of the named zone in a near year, and the cycles of 400 years to
    add."""
    local, cycles = near_local(moment, _rules(zone))
    return local.replace(tzinfo=None), cycles


def near_moment(moment: AnyMoment) -> tuple[datetime.datetime, int]:
    """Returns a finite timestamp in a near year, and the cycles of 400 years to add."""
    return near(moment.count) if isinstance(moment, WideMoment) else (moment, 0)


def moment_of(micros: int, zone: datetime.tzinfo | None = None) -> AnyMoment:
    """Returns the timestamp, or with UTC as `zone` the timestamptz; raises SqlError 22008 for what there is none."""
    try:
        return moment_at(micros, zone)
    except OverflowError:
        raise datetime_overflow("timestamp") from None


def date_of_moment(moment: AnyMoment) -> AnyDate:
    """Returns the day of a timestamp."""
    if isinstance(moment, WideMoment):
        return WideDate(moment.count) if infinite(moment) else date_at(moment.count // MICROSECONDS_PER_DAY)
    return moment.date()


def from_local(moment: AnyMoment, zone: Zone) -> AnyMoment:
    """Returns a timestamp of the named zone as a timestamptz."""
    if isinstance(moment, WideMoment):
        return moment if infinite(moment) else from_local_micros(moment.count, zone)
    try:
        return local_to_utc(moment, _rules(zone))
    except OverflowError:
        return from_local_micros(micros_of(moment), zone)


def from_local_micros(micros: int, zone: Zone) -> AnyMoment:
    """Returns the timestamptz of a local time of the named zone, which may lie beyond all timestamps."""
    try:
        return moment_of_local(micros, _rules(zone))
    except OverflowError:
        raise datetime_overflow("timestamp") from None


def zone_named(name: str) -> datetime.tzinfo:
    """Returns a zone as a user names it to a function: an abbreviation, such as CET, comes before a zone of the same
    name, and is always its offset. 22023."""
    zone = abbreviated_zone(name) or find_zone(name)
    if zone is None:
        raise invalid_parameter(f'time zone "{name}" not recognized')
    return zone


def micros_between(later: AnyMoment, earlier: AnyMoment) -> int:
    if isinstance(later, WideMoment) or isinstance(earlier, WideMoment):
        return micros_of(later) - micros_of(earlier)
    return (later - earlier) // MICROSECOND


def shift_months(moment: datetime.datetime, months: int) -> datetime.datetime | None:
    """Returns the same day of another month, or that month's last day; None beyond the years 1 to 9999."""
    if not months:
        return moment
    index = moment.year * 12 + moment.month - 1 + months
    year, month = index // 12, index % 12 + 1
    if not datetime.MINYEAR <= year <= datetime.MAXYEAR:
        return None
    return moment.replace(year=year, month=month, day=min(moment.day, calendar.monthrange(year, month)[1]))


def _months_later(micros: int, months: int) -> int:
    """Returns the microseconds since 1970 of the same day of another month, or that month's last day."""
    moment, cycles = near(micros)
    index = (moment.year + cycles * CYCLE_YEARS) * 12 + moment.month - 1 + months
    year, month = index // 12, index % 12 + 1
    last = calendar.monthrange(2000 + year % CYCLE_YEARS, month)[1]
    start = day_number(year, month, min(moment.day, last)) * MICROSECONDS_PER_DAY
    return start + micros % MICROSECONDS_PER_DAY


def shift_micros(moment: AnyMoment, micros: int, zone: datetime.tzinfo | None = None) -> AnyMoment:
    """Returns a moment that many microseconds later; `zone` is UTC where the moment is a timestamptz."""
    if isinstance(moment, WideMoment):
        return moment if infinite(moment) else moment_of(moment.count + micros, zone)
    try:
        return moment + datetime.timedelta(microseconds=micros)
    except OverflowError:
        return moment_of(micros_of(moment) + micros, zone)


def add_interval(moment: AnyMoment, interval: Interval) -> AnyMoment:
    """Months first, then days, then time: zoneless."""
    if isinstance(moment, WideMoment):
        if infinite(moment):
            return moment
    elif (shifted := shift_months(moment, interval.months)) is not None:
        try:
            if interval.days:
                shifted += datetime.timedelta(days=interval.days)
            return shifted + datetime.timedelta(microseconds=interval.microseconds)
        except OverflowError:
            pass
    return moment_of(_with_months_and_days(micros_of(moment), interval) + interval.microseconds)


def _with_months_and_days(micros: int, interval: Interval) -> int:
    """Adds months, then days, to a local time in microseconds since 1970; raises SqlError 22008 as soon as there is no
    timestamp."""
    if interval.months:
        micros = micros_of(moment_of(_months_later(micros, interval.months)))
    if interval.days:
        micros = micros_of(moment_of(micros + interval.days * MICROSECONDS_PER_DAY))
    return micros


def add_interval_in_zone(moment: AnyMoment, interval: Interval, zone: Zone) -> AnyMoment:
    """Months and days by the zone's calendar, then time by the clock that never jumps. A local time on the way may
    lie beyond the years 1 to 9999."""
    if infinite(moment):
        return moment
    if interval.months or interval.days:
        local, cycles = to_near_local(moment, zone)
        shifted = shift_months(local, interval.months) if not cycles else None
        try:
            if shifted is None:
                raise OverflowError
            moment = from_local(shifted + datetime.timedelta(days=interval.days), zone)
        except OverflowError:
            start = micros_of(local) + cycles * CYCLE_MICROS
            moment = from_local_micros(_with_months_and_days(start, interval), zone)
    return shift_micros(moment, interval.microseconds, datetime.UTC)


def negate(interval: Interval) -> Interval:
    return Interval(-interval.months, -interval.days, -interval.microseconds)
