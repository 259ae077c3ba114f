"""date, time, timestamp and timestamptz as text, in the four DateStyles.

A session's zone can take a moment out of the years 1 to 9999, which are all that Python's calendar holds. Its local
time is written by a day 400 years nearer, when the calendar and the clocks are the same, and by the true year.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable

from model.text.context import TextContext
from model.text.times.zones import session_zone

_CYCLE_YEARS = 400
_CYCLE = datetime.timedelta(days=146_097)
_MIDDLE_YEAR = 5000
_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def _style(context: TextContext) -> tuple[str, bool]:
    """(iso | sql | postgres | german, whether the day goes before the month)."""
    style = context.date_style.split(",")[0].strip().lower()
    return (style if style in ("sql", "postgres", "german") else "iso"), "DMY" in context.date_style.upper()


def date_formatter(context: TextContext) -> Callable[[datetime.date], str]:
    match _style(context):
        case "sql", day_first:
            return _in_order("/", day_first)
        case "postgres", day_first:
            return _in_order("-", day_first)
        case "german", _:
            return _in_order(".", True)
        case _:
            return datetime.date.isoformat


def _in_order(separator: str, day_first: bool) -> Callable[[datetime.date], str]:
    def write(value: datetime.date) -> str:
        return _ordered(value, value.year, separator, day_first)

    return write


def _ordered(value: datetime.date, year: int, separator: str, day_first: bool) -> str:
    first, second = (value.day, value.month) if day_first else (value.month, value.day)
    return f"{first:02d}{separator}{second:02d}{separator}{year:04d}"


def format_time(value: datetime.time) -> str:
    text = value.isoformat()
    return text.rstrip("0") if value.microsecond else text


def timestamp_formatter(context: TextContext) -> Callable[[datetime.datetime], str]:
    style, day_first = _style(context)
    if style == "iso":
        return format_iso_timestamp
    return lambda value: _written(value, value.year, style, day_first)


def format_iso_timestamp(value: datetime.datetime) -> str:
    text = value.isoformat(" ")
    return text.rstrip("0") if value.microsecond else text


def _written(value: datetime.datetime, year: int, style: str, day_first: bool) -> str:
    """Writes a time without zone, with `year` (1 or more) in place of its own."""
    clock = format_time(value.time())
    match style:
        case "iso":
            return f"{year:04d}-{value.month:02d}-{value.day:02d} {clock}"
        case "postgres":
            month = _MONTH_NAMES[value.month - 1]
            middle = f"{value.day:02d} {month}" if day_first else f"{month} {value.day:02d}"
            return f"{_DAY_NAMES[value.weekday()]} {middle} {clock} {year:04d}"
        case "german":
            return f"{_ordered(value, year, '.', True)} {clock}"
        case _:
            return f"{_ordered(value, year, '/', day_first)} {clock}"


def timestamptz_formatter(context: TextContext) -> Callable[[datetime.datetime], str]:
    """Returns the formatter in the session's zone."""
    zone = session_zone(context.time_zone)
    style, day_first = _style(context)

    def format_utc(value: datetime.datetime) -> str:
        return format_iso_timestamp(value.replace(tzinfo=None)) + "+00"

    def format_local(value: datetime.datetime) -> str:
        local, year = _local_time(value, zone)
        bc = ""
        if year < 1:
            year, bc = 1 - year, " BC"
        return _written(local, year, style, day_first) + _zone_text(local, style) + bc

    return format_utc if zone is datetime.UTC and style == "iso" else format_local


def _local_time(value: datetime.datetime, zone: datetime.tzinfo) -> tuple[datetime.datetime, int]:
    """Returns the time in the zone, and its year, which is 0 for 1 BC; the year within the former is true but where
    Python has none for it."""
    try:
        local = value.astimezone(zone)
    except OverflowError:
        cycles = 1 if value.year < _MIDDLE_YEAR else -1
        local = (value + cycles * _CYCLE).astimezone(zone)
        return local, local.year - cycles * _CYCLE_YEARS
    return local, local.year


def _zone_text(local: datetime.datetime, style: str) -> str:
    if style == "iso":
        return format_offset(local)
    if local.tzinfo is not datetime.UTC and isinstance(local.tzinfo, datetime.timezone):
        return " " + format_offset(local)
    return f" {local.tzname()}"


def format_offset(value: datetime.datetime) -> str:
    """`+00`, `-03:30`, `+00:19:32`."""
    offset = value.utcoffset()
    assert offset is not None
    total = int(offset.total_seconds())
    sign = "-" if total < 0 else "+"
    hours, rest = divmod(abs(total), 3600)
    minutes, seconds = divmod(rest, 60)
    text = f"{sign}{hours:02d}"
    if minutes or seconds:
        text += f":{minutes:02d}"
    return f"{text}:{seconds:02d}" if seconds else text
