"""Dates and times as numbers and back, between local time and UTC, and a calendar that says 22008 at its ends."""

from __future__ import annotations

import calendar
import datetime

from model.errors.sql_error import SqlError
from model.text.times.near_years import CYCLE, CYCLE_DAYS, CYCLE_MONTHS, cycles_away, near_local
from model.text.times.zones import abbreviated_zone, find_zone, local_to_utc, session_zone
from model.types.datum import Interval
from model.types.time_of_day import END_OF_DAY
from planner.functions.failures import datetime_overflow, invalid_parameter

MICROSECONDS_PER_SECOND = 1_000_000
MICROSECONDS_PER_DAY = 86_400 * MICROSECONDS_PER_SECOND
MICROSECONDS_MAX = 2**63 - 1
"""The most that PostgreSQL can count."""
MICROSECOND = datetime.timedelta(microseconds=1)
EPOCH = datetime.datetime(1970, 1, 1)
_MIDNIGHT = datetime.time()


def midnight(day: datetime.date) -> datetime.datetime:
    return datetime.datetime.combine(day, _MIDNIGHT)


def combine(day: datetime.date, time: datetime.time) -> datetime.datetime:
    """Returns the moment; 24:00:00 is midnight of the next day."""
    if time is END_OF_DAY:
        return shift_micros(midnight(day), MICROSECONDS_PER_DAY)
    return datetime.datetime.combine(day, time)


Zone = str | datetime.tzinfo
"""A session's zone by its name, or one that a user has named to a function."""


def _rules(zone: Zone) -> datetime.tzinfo:
    return session_zone(zone) if isinstance(zone, str) else zone


def to_local(moment: datetime.datetime, zone: Zone) -> datetime.datetime:
    """Returns a timestamptz as a timestamp of the named zone."""
    try:
        return moment.astimezone(_rules(zone)).replace(tzinfo=None)
    except OverflowError:
        raise datetime_overflow("timestamp") from None


def to_near_local(moment: datetime.datetime, zone: Zone) -> tuple[datetime.datetime, int]:
    """Converts a timestamptz to a timestamp of the named zone in a near year, and the cycles of 400 years to add."""
    local, cycles = near_local(moment, _rules(zone))
    return local.replace(tzinfo=None), cycles


def from_near_local(local: datetime.datetime, cycles: int, zone: Zone) -> datetime.datetime:
    """Converts a timestamp of the named zone, `cycles` of 400 years further, to a timestamptz."""
    try:
        return local_to_utc(local + cycles * CYCLE, _rules(zone))
    except OverflowError:
        return shift_micros(from_local(local, zone), cycles * CYCLE_DAYS * MICROSECONDS_PER_DAY)


def from_local(moment: datetime.datetime, zone: Zone) -> datetime.datetime:
    """Returns a timestamp of the named zone as a timestamptz."""
    try:
        return local_to_utc(moment, _rules(zone))
    except OverflowError:
        raise datetime_overflow("timestamp") from None


def zone_named(name: str) -> datetime.tzinfo:
    """Returns a zone as a user names it to a function: an abbreviation, such as CET, comes before a zone of the same
    name, and is always its offset. 22023."""
    zone = abbreviated_zone(name) or find_zone(name)
    if zone is None:
        raise invalid_parameter(f'time zone "{name}" not recognized')
    return zone


def micros_between(later: datetime.datetime, earlier: datetime.datetime) -> int:
    return (later - earlier) // MICROSECOND


def shift_months(moment: datetime.datetime, months: int) -> datetime.datetime:
    """Returns the same day of another month, or that month's last day."""
    if not months:
        return moment
    index = moment.year * 12 + moment.month - 1 + months
    year, month = index // 12, index % 12 + 1
    if not datetime.MINYEAR <= year <= datetime.MAXYEAR:
        raise datetime_overflow("timestamp")
    return moment.replace(year=year, month=month, day=min(moment.day, calendar.monthrange(year, month)[1]))


def shift_micros(moment: datetime.datetime, micros: int) -> datetime.datetime:
    try:
        return moment + datetime.timedelta(microseconds=micros)
    except OverflowError:
        raise datetime_overflow("timestamp") from None


def add_interval(moment: datetime.datetime, interval: Interval) -> datetime.datetime:
    """Months first, then days, then time: zoneless."""
    shifted = shift_months(moment, interval.months)
    if interval.days:
        shifted = shift_micros(shifted, interval.days * MICROSECONDS_PER_DAY)
    return shift_micros(shifted, interval.microseconds) if interval.microseconds else shifted


def add_interval_in_zone(moment: datetime.datetime, interval: Interval, zone: Zone) -> datetime.datetime:
    """Months and days by the zone's calendar, then time by the clock that never jumps. A local time on the way may
    lie beyond the years 1 to 9999."""
    if interval.months or interval.days:
        try:
            moment = from_local(_add_months_and_days(to_local(moment, zone), interval.months, interval.days), zone)
        except SqlError:
            moment = _added_by_near_years(moment, interval, zone)
    return shift_micros(moment, interval.microseconds)


def _add_months_and_days(local: datetime.datetime, months: int, days: int) -> datetime.datetime:
    local = shift_months(local, months)
    return shift_micros(local, days * MICROSECONDS_PER_DAY) if days else local


def _added_by_near_years(moment: datetime.datetime, interval: Interval, zone: Zone) -> datetime.datetime:
    """Adds the months and days; the calendar is reckoned in a near year, the clocks are those of the true one."""
    local, cycles = to_near_local(moment, zone)
    if not cycles:
        cycles = cycles_away(local)
        local -= cycles * CYCLE
    further_years, months = _whole_and_rest(interval.months, CYCLE_MONTHS)
    further_days, days = _whole_and_rest(interval.days, CYCLE_DAYS)
    return from_near_local(_add_months_and_days(local, months, days), cycles + further_years + further_days, zone)


def _whole_and_rest(value: int, unit: int) -> tuple[int, int]:
    """Returns the whole units in a value, and the rest, which has the sign of the value."""
    whole = abs(value) // unit * (-1 if value < 0 else 1)
    return whole, value - whole * unit


def negate(interval: Interval) -> Interval:
    return Interval(-interval.months, -interval.days, -interval.microseconds)
