"""to_date and to_timestamp: a text read by a template, the fields that it has made a day and a time."""

from __future__ import annotations

import datetime
from calendar import isleap
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import DATE, TEXT, TIMESTAMPTZ
from model.types.wide_time import CYCLE_DAYS, CYCLE_YEARS, AnyDate, AnyMoment, date_at, day_of
from planner.functions.failures import datetime_overflow
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.functions.time.date_scanning import ScannedFields, Scanner
from planner.functions.time.date_templates import parse_template
from planner.functions.time.moments import MICROSECONDS_PER_DAY, from_local_micros, moment_of
from planner.ir.scalar import SessionName

_ORDINAL_OF_JULIAN_ZERO = -1_721_425
_ORDINAL_OF_1970 = 719_163
_ZONE_HOURS_MAX = 15


@dataclass(slots=True)
class _Day:
    """Year 0 is 1 BC, in which PostgreSQL is where nothing tells the year. Days count on past the ends of months."""

    year: int = 0
    month: int = 1
    day: int = 1

    def ordinal(self) -> int:
        """Returns the ordinal as datetime.date does, also for years beyond its range: 1 for the first day of the
        year 1."""
        years = self.year - 1
        start = 365 * years + years // 4 - years // 100 + years // 400
        return start + sum(_month_lengths(self.year)[: self.month - 1]) + self.day

    def move_to(self, ordinal: int) -> None:
        """Moves to a day of any year."""
        cycles, rest = divmod(ordinal - 1, CYCLE_DAYS)
        found = datetime.date.fromordinal(rest + 1)
        self.year, self.month, self.day = found.year + cycles * CYCLE_YEARS, found.month, found.day


def _month_lengths(year: int) -> list[int]:
    return [31, 29 if isleap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def _outside(text: str) -> SqlError:
    return SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f'date/time field value out of range: "{text}"')


def _year_of(fields: ScannedFields) -> int | None:
    """Returns the year from a century and a short year, a year, or a century, in this order; None when there is none
    of them."""
    century = -fields["century"] if fields["bc"] else fields["century"]
    if fields["year"] and century and fields.short_year:
        within = fields["year"] % (100 if fields["year"] > 0 else -100)
        if within:
            return (century - 1) * 100 + within if century >= 0 else (century + 1) * 100 - within + 1
        return century * 100 + (century < 0)
    if fields["year"]:
        year = -fields["year"] if fields["bc"] else fields["year"]
        return year + 1 if year < 0 else year
    if century:
        return (century - 1) * 100 + 1 if century >= 0 else century * 100 + 1
    return None


def _day_of(fields: ScannedFields, text: str) -> AnyDate:
    """Finds the day: later kinds of fields decide over earlier ones: Julian days, ISO weeks, days and months, days of
    the year."""
    day = _Day()
    year = _year_of(fields)
    day.year = year or 0
    known = {"year"} if year is not None else set()
    if fields["julian"]:
        day.move_to(fields["julian"] + _ORDINAL_OF_JULIAN_ZERO)
        known = {"year", "month", "day"}
    yearday, monthday = fields["yearday"], fields["day"]
    if fields["week"] and fields.iso:
        _go_to_week(day, fields["week"], fields["weekday"])
        known = {"year", "month", "day"}
    elif fields["week"]:
        yearday = (fields["week"] - 1) * 7 + 1
    if fields["monthweek"]:
        monthday = (fields["monthweek"] - 1) * 7 + 1
    if monthday:
        day.day = monthday
        known.add("day")
    if fields["month"]:
        day.month = fields["month"]
        known.add("month")
    if yearday and (day.month <= 1 or day.day <= 1):
        if not day.year and not fields["bc"]:
            message = "cannot calculate day of year without year information"
            raise SqlError(Sqlstate.INVALID_DATETIME_FORMAT, message)
        known |= _go_to_yearday(day, yearday, bool(fields.iso))
    _check_day(day, known, text)
    try:
        return date_at(day.ordinal() - _ORDINAL_OF_1970)
    except OverflowError:
        raise datetime_overflow("date") from None


def _first_of_iso_year(year: int) -> int:
    """Returns the ordinal of the Monday of the week that has the fourth of January in it."""
    fourth = _Day(year, 1, 4).ordinal()
    return fourth - (fourth - 1) % 7


def _go_to_week(day: _Day, week: int, weekday: int) -> None:
    """Goes to a week's day; `weekday` counts from Sunday, 1; 0 means Monday."""
    place = 0 if not weekday else weekday - 2 if weekday > 1 else 6
    day.move_to(_first_of_iso_year(day.year) + 7 * (week - 1) + place)


def _go_to_yearday(day: _Day, yearday: int, iso: bool) -> set[str]:
    """Goes to a day of the year; only what is at its beginning moves: a month or a day that is told stays."""
    if iso:
        day.move_to(_first_of_iso_year(day.year) + yearday - 1)
        return {"year", "month", "day"}
    passed, month = 0, 1
    for length in _month_lengths(day.year):
        if yearday <= passed + length:
            break
        passed, month = passed + length, month + 1
    if day.month <= 1:
        day.month = month
    if day.day <= 1:
        day.day = yearday - passed
    return {"month", "day"}


def _check_day(day: _Day, known: set[str], text: str) -> None:
    """Raises 22008 for a day that a month has not; how long a month is counts where the year is known too."""
    if "month" in known and not 1 <= day.month <= 12:
        raise _outside(text)
    if "day" in known and not 1 <= day.day <= 31:
        raise _outside(text)
    if known == {"year", "month", "day"} and day.day > _month_lengths(day.year)[day.month - 1]:
        raise _outside(text)


def _clock_of(fields: ScannedFields, text: str) -> int:
    """Microseconds since midnight."""
    hour, rest = divmod(fields["seconds"], 3600)
    minute, second = divmod(rest, 60)
    hour, minute = fields["hour"] or hour, fields["minute"] or minute
    second = fields["second"] or second
    if fields.twelve_hours:
        if not 1 <= hour <= 12:
            message = f'hour "{hour}" is invalid for the 12-hour clock'
            hint = "Use the 24-hour clock, or give an hour between 1 and 12."
            raise SqlError(Sqlstate.INVALID_DATETIME_FORMAT, message, hint=hint)
        hour = hour % 12 + 12 * fields["pm"]
    micros = fields["millis"] * 1000 + fields["micros"]
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60 and 0 <= micros < 1_000_000):
        raise _outside(text)
    return ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros


def _rounded(micros: int, decimals: int) -> int:
    unit = int(10 ** (6 - decimals))
    return (micros + unit // 2) // unit * unit


def _offset_of(fields: ScannedFields, text: str) -> int | None:
    """Returns the seconds east of UTC; None when the text has none."""
    if not fields.zone_sign:
        return None
    hours, minutes = fields["zone_hours"], fields["zone_minutes"]
    if not (0 <= hours <= _ZONE_HOURS_MAX and 0 <= minutes < 60):
        message = f'time zone displacement out of range: "{text}"'
        raise SqlError(Sqlstate.INVALID_TIME_ZONE_DISPLACEMENT_VALUE, message)
    return fields.zone_sign * (hours * 3600 + minutes * 60)


@dataclass(frozen=True, slots=True)
class StrictlyRead:
    """The result of reading a text by a template; None for a part that the template doesn't have. `offset` is in
    seconds."""

    day: AnyDate | None
    micros: int | None
    offset: int | None


_STRICT_SEPARATORS = frozenset("-./,':; ")
_ZONED = frozenset(("TZ", "TZH", "TZM", "OF"))
_TIMED = frozenset(("HH", "HH12", "HH24", "MI", "SS", "SSSS", "SSSSS", "MS", "US", "AM", "PM", "A.M.", "P.M.")) | {
    f"FF{digits}" for digits in range(1, 7)
}


def read_strictly(text: str, template: str) -> StrictlyRead:
    """Reads by SQL's rules for templates: each separator must match, and nothing may be left over; raises 22007."""
    nodes = parse_template(template)
    for node in nodes:
        if node.pattern is None and not node.quoted and node.written not in _STRICT_SEPARATORS:
            raise _malformed(f'invalid datetime format separator: "{node.written}"')
    fields = Scanner(text, nodes, strict=True).fields() if nodes else ScannedFields()
    patterns = {node.pattern for node in nodes if node.pattern not in (None, "FX")}
    zoned, timed = not patterns.isdisjoint(_ZONED), not patterns.isdisjoint(_TIMED)
    dated = not patterns <= _ZONED | _TIMED
    if not dated and not timed:
        raise _malformed("datetime format is not dated and not timed")
    if zoned and not timed:
        raise _malformed("datetime format is zoned but not timed")
    return StrictlyRead(
        _day_of(fields, text) if dated else None,
        _clock_of(fields, text) if timed else None,
        (_offset_of(fields, text) or 0) if zoned else None,
    )


def _malformed(message: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_DATETIME_FORMAT, message)


def to_date(text: str, template: str) -> AnyDate:
    """Reads a date by a template. Fields that the template doesn't name are the first of their kind; without a year,
    22008."""
    fields = Scanner(text, parse_template(template), strict=False).fields()
    _clock_of(fields, text)
    _offset_of(fields, text)
    return _day_of(fields, text)


def to_timestamp(text: str, template: str, zone: str) -> AnyMoment:
    """Returns a time of the session's zone unless the text has an offset."""
    fields = Scanner(text, parse_template(template), strict=False).fields()
    clock, offset = _clock_of(fields, text), _offset_of(fields, text)
    local = day_of(_day_of(fields, text)) * MICROSECONDS_PER_DAY + _rounded(clock, fields.decimals)
    if offset is not None:
        return moment_of(local - offset * 1_000_000, datetime.UTC)
    return from_local_micros(local, zone)


FUNCTIONS: tuple[Function, ...] = (
    function("to_date", (TEXT, TEXT), DATE, to_date, fallible=True, volatility=Volatility.STABLE),
    function(
        "to_timestamp",
        (TEXT, TEXT),
        TIMESTAMPTZ,
        to_timestamp,
        fallible=True,
        session=(SessionName.TIME_ZONE,),
        volatility=Volatility.STABLE,
    ),
)
