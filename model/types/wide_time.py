"""Dates and moments beyond the years 1 to 9999, which are all that Python's calendar holds, and the infinities.

A datum of type date is a datetime.date where Python has one, and a WideDate elsewhere; a datum of type timestamp or
timestamptz is a datetime.datetime, or a WideMoment. Each value has exactly one form, so that equal values are of one
class, and a value of ours is less or more than all of Python's by its sign alone:

    date '4713-01-01 BC'     WideDate(-2440550)     days since 1970
    date 'infinity'          WideDate(INFINITE)
    timestamp '-infinity'    WideMoment(-INFINITE)  microseconds since 1970

What reckons with the calendar takes a near year and a number of cycles of 400 years (`near`, `moment_of_near`): the
Gregorian calendar has 146,097 days in 400 years, which are whole weeks.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

INFINITE: Final = 1 << 64
"""The count of infinity, beyond what 64 bits hold; that of -infinity is its negative."""
_DAY = 86_400_000_000
CYCLE_YEARS = 400
CYCLE_DAYS = 146_097
CYCLE_MICROS = CYCLE_DAYS * _DAY
_EPOCH = datetime.datetime(1970, 1, 1)
_EPOCH_UTC = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_EPOCH_ORDINAL = datetime.date(1970, 1, 1).toordinal()
_MICROSECOND = datetime.timedelta(microseconds=1)
DAY_MIN, DAY_MAX = -2_440_588, 2_145_042_905
"""4714-11-24 BC and 5874897-12-31."""
MICROS_MIN, MICROS_END = DAY_MIN * _DAY, 9_224_318_016_000_000_000
"""4714-11-24 BC, and 294277-01-01, which no timestamp reaches."""
_PYTHON_DAY_MIN, _PYTHON_DAY_MAX = 1 - _EPOCH_ORDINAL, datetime.date.max.toordinal() - _EPOCH_ORDINAL
_PYTHON_MIN, _PYTHON_END = _PYTHON_DAY_MIN * _DAY, (_PYTHON_DAY_MAX + 1) * _DAY
PYTHON_DAYS, PYTHON_MICROS = (_PYTHON_DAY_MIN, _PYTHON_DAY_MAX), (_PYTHON_MIN, _PYTHON_END - 1)
"""The first and the last that Python's calendar has."""
_NEAR_PAST = (datetime.date(400, 1, 1).toordinal() - _EPOCH_ORDINAL) * _DAY
_NEAR_FUTURE = (datetime.date(9200, 1, 1).toordinal() - _EPOCH_ORDINAL) * _DAY
"""Where the near years begin: in times in which zones have their first, or their last rules."""


@dataclass(frozen=True, slots=True)
class WideDate:
    """A date beyond Python's, as days since 1970."""

    count: int

    def isoformat(self) -> str:
        """Writes the date as PostgreSQL does in its style ISO, as datetime.date does for its own."""
        if abs(self.count) == INFINITE:
            return infinity_text(self)
        day, cycles = near(self.count * _DAY)
        year, era = year_text(day.year + cycles * CYCLE_YEARS)
        return f"{year}-{day.month:02d}-{day.day:02d}{era}"

    def __lt__(self, other: object) -> bool:
        return self.count < other.count if isinstance(other, WideDate) else self.count < 0

    def __le__(self, other: object) -> bool:
        return self.count <= other.count if isinstance(other, WideDate) else self.count < 0

    def __gt__(self, other: object) -> bool:
        return self.count > other.count if isinstance(other, WideDate) else self.count > 0

    def __ge__(self, other: object) -> bool:
        return self.count >= other.count if isinstance(other, WideDate) else self.count > 0


@dataclass(frozen=True, slots=True)
class WideMoment:
    """A timestamp, or a timestamptz in UTC, beyond Python's, as microseconds since 1970."""

    count: int

    def __lt__(self, other: object) -> bool:
        return self.count < other.count if isinstance(other, WideMoment) else self.count < 0

    def __le__(self, other: object) -> bool:
        return self.count <= other.count if isinstance(other, WideMoment) else self.count < 0

    def __gt__(self, other: object) -> bool:
        return self.count > other.count if isinstance(other, WideMoment) else self.count > 0

    def __ge__(self, other: object) -> bool:
        return self.count >= other.count if isinstance(other, WideMoment) else self.count > 0


BEFORE_ALL: Final = WideMoment(MICROS_MIN - 1)
BEHIND_ALL: Final = WideMoment(MICROS_END)
"""What a date is that lies outside of all finite moments, compared with a moment."""

AnyDate = datetime.date | WideDate
AnyMoment = datetime.datetime | WideMoment


def infinite(value: object) -> bool:
    """Tells whether a date or moment is infinity or -infinity."""
    return isinstance(value, WideDate | WideMoment) and abs(value.count) == INFINITE


def infinity_text(value: WideDate | WideMoment) -> str:
    return "infinity" if value.count > 0 else "-infinity"


def year_text(year: int) -> tuple[str, str]:
    """Returns the digits of a year counted as astronomers do, at least four, and what stands behind the date: ` BC`
    for years before 1."""
    return (f"{year:04d}", "") if year > 0 else (f"{1 - year:04d}", " BC")


def date_at(day: int) -> AnyDate:
    """Returns the date so many days after 1970-01-01; raises OverflowError for what PostgreSQL has no date."""
    if _PYTHON_DAY_MIN <= day <= _PYTHON_DAY_MAX:
        return datetime.date.fromordinal(day + _EPOCH_ORDINAL)
    if DAY_MIN <= day <= DAY_MAX:
        return WideDate(day)
    raise OverflowError("date out of range")


def day_of(date: AnyDate) -> int:
    """Returns the days since 1970-01-01; INFINITE, or its negative, for the infinities."""
    return date.count if isinstance(date, WideDate) else date.toordinal() - _EPOCH_ORDINAL


def moment_at(micros: int, zone: datetime.tzinfo | None = None) -> AnyMoment:
    """Returns the timestamp, or with UTC as `zone` the timestamptz, so many microseconds after 1970; raises
    OverflowError for what PostgreSQL has no timestamp."""
    if _PYTHON_MIN <= micros < _PYTHON_END:
        # A multiplication of a timedelta is slower than its constructor.
        delta = datetime.timedelta(microseconds=micros)
        return _EPOCH + delta if zone is None else _EPOCH_UTC + delta
    if MICROS_MIN <= micros < MICROS_END:
        return WideMoment(micros)
    raise OverflowError("timestamp out of range")


def micros_of(moment: AnyMoment) -> int:
    """Returns the microseconds since 1970, in UTC if the moment has a zone; INFINITE, or its negative, for the
    infinities."""
    if isinstance(moment, WideMoment):
        return moment.count
    return (moment - (_EPOCH if moment.tzinfo is None else _EPOCH_UTC)) // _MICROSECOND


def near(micros: int) -> tuple[datetime.datetime, int]:
    """Returns a moment within the years 400 to 9599, and the cycles of 400 years from there to the one meant."""
    if _PYTHON_MIN <= micros < _PYTHON_END:
        return _EPOCH + datetime.timedelta(microseconds=micros), 0
    cycles, rest = divmod(micros - (_NEAR_FUTURE if micros > 0 else _NEAR_PAST), CYCLE_MICROS)
    start = _NEAR_FUTURE if micros > 0 else _NEAR_PAST
    return _EPOCH + datetime.timedelta(microseconds=start + rest), cycles


def day_number(year: int, month: int, day: int) -> int:
    """Returns the days from 1970-01-01 to a day of any year, counted as astronomers do: 0 is 1 BC."""
    cycles, rest = divmod(year - 1, CYCLE_YEARS)
    return datetime.date(rest + 1, month, day).toordinal() - _EPOCH_ORDINAL + cycles * CYCLE_DAYS
