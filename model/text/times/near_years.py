"""Local times beyond the years 1 to 9999, which are all that Python's calendar holds, by nearer years.

A zone takes a moment at one end of the calendar out of it. The calendar, the days of the week and the clocks' rules
are the same after 400 years, so that such a local time is a nearer one and a number of cycles of 400 years:

    9999-12-31 23:59+00 in Paris  =  9600-01-01 00:59+01 and 1 cycle  =  10000-01-01 00:59+01

A year is counted as astronomers do: 0 is 1 BC.
"""

from __future__ import annotations

import datetime

CYCLE_YEARS = 400
CYCLE_MONTHS = 12 * CYCLE_YEARS
CYCLE_DAYS = 146_097
CYCLE = datetime.timedelta(days=CYCLE_DAYS)
_MIDDLE_YEAR = 5000


def cycles_away(moment: datetime.datetime) -> int:
    """Returns the cycle, 1 or -1, that leads from the middle of the calendar to a moment at one of its ends."""
    return -1 if moment.year < _MIDDLE_YEAR else 1


def near_local(moment: datetime.datetime, zone: datetime.tzinfo) -> tuple[datetime.datetime, int]:
    """Returns the time that a zone's clocks show at a moment, with the zone, and the cycles to add to it: 0 within
    the years 1 to 9999."""
    try:
        return moment.astimezone(zone), 0
    except OverflowError:
        cycles = cycles_away(moment)
        return (moment - cycles * CYCLE).astimezone(zone), cycles


def year_text(year: int) -> tuple[str, str]:
    """Returns a year's digits, at least four, and what stands behind the date: ` BC` for years before 1."""
    return (f"{year:04d}", "") if year > 0 else (f"{1 - year:04d}", " BC")
