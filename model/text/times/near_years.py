"""Local times in any year: beyond the years 1 to 9999, which are all that Python's calendar holds, by nearer years.

The calendar, the days of the week and the clocks' rules are the same after 400 years, so that a local time beyond the
calendar is a nearer one and a number of cycles of 400 years:

    9999-12-31 23:59+00 in Paris  =  9600-01-01 00:59+01 and 1 cycle  =  10000-01-01 00:59+01

A year is counted as astronomers do: 0 is 1 BC.
"""

from __future__ import annotations

import datetime

from model.text.times.zones import local_to_utc
from model.types.wide_time import CYCLE_DAYS, CYCLE_MICROS, AnyMoment, WideMoment, micros_of, moment_at, near

_CYCLE = datetime.timedelta(days=CYCLE_DAYS)
_MIDDLE_YEAR = 5000


def _cycles_away(moment: datetime.datetime) -> int:
    """Returns the cycle, 1 or -1, that leads from the middle of the calendar to a moment at one of its ends."""
    return -1 if moment.year < _MIDDLE_YEAR else 1


def near_local(moment: AnyMoment, zone: datetime.tzinfo) -> tuple[datetime.datetime, int]:
    """Returns the time that a zone's clocks show at a finite moment, with the zone, and the cycles to add to it: 0
    where the moment and the local time lie within the years 1 to 9999."""
    if isinstance(moment, WideMoment):
        nearby, cycles = near(moment.count)
        return nearby.replace(tzinfo=datetime.UTC).astimezone(zone), cycles
    try:
        return moment.astimezone(zone), 0
    except OverflowError:
        cycles = _cycles_away(moment)
        return (moment - cycles * _CYCLE).astimezone(zone), cycles


def moment_of_local(local_micros: int, zone: datetime.tzinfo) -> AnyMoment:
    """Returns the timestamptz of a zone's local time, given as microseconds since its 1970; raises OverflowError for
    what PostgreSQL has no timestamp."""
    local, cycles = near(local_micros)
    try:
        moment = local_to_utc(local, zone)
    except OverflowError:
        cycles = _cycles_away(local)
        moment = local_to_utc(local - cycles * _CYCLE, zone)
    return moment_at(micros_of(moment) + cycles * CYCLE_MICROS, datetime.UTC)
