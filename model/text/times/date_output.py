"""date, time, timestamp and timestamptz as text, in the four DateStyles; local times in any year."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from operator import methodcaller

from model.text.context import TextContext
from model.text.times.near_years import near_local
from model.text.times.zones import format_offset, session_zone, zone_text
from model.types.datum import MICROSECONDS_PER_DAY
from model.types.wide_time import (
    CYCLE_YEARS,
    AnyDate,
    AnyMoment,
    WideDate,
    WideMoment,
    infinite,
    infinity_text,
    near,
    year_text,
)

_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def _style(context: TextContext) -> tuple[str, bool]:
    """Returns (iso | sql | postgres | german, whether the day goes before the month)."""
    style = context.date_style.split(",")[0].strip().lower()
    return (style if style in ("sql", "postgres", "german") else "iso"), "DMY" in context.date_style.upper()


_ISO_DATE = methodcaller("isoformat")


def date_formatter(context: TextContext) -> Callable[[AnyDate], str]:
    match _style(context):
        case "sql", day_first:
            return _in_order("/", day_first)
        case "postgres", day_first:
            return _in_order("-", day_first)
        case "german", _:
            return _in_order(".", True)
        case _:
            return _ISO_DATE


def _in_order(separator: str, day_first: bool) -> Callable[[AnyDate], str]:
    def write(value: AnyDate) -> str:
        if isinstance(value, WideDate):
            if infinite(value):
                return infinity_text(value)
            day, cycles = near(value.count * MICROSECONDS_PER_DAY)
            year, era = year_text(day.year + cycles * CYCLE_YEARS)
            return _ordered(day, year, separator, day_first) + era
        return _ordered(value, f"{value.year:04d}", separator, day_first)

    return write


def _ordered(value: datetime.date, year: str, separator: str, day_first: bool) -> str:
    first, second = (value.day, value.month) if day_first else (value.month, value.day)
    return f"{first:02d}{separator}{second:02d}{separator}{year}"


def format_time(value: datetime.time) -> str:
    text = value.isoformat()
    return text.rstrip("0") if value.microsecond else text


def timestamp_formatter(context: TextContext) -> Callable[[AnyMoment], str]:
    style, day_first = _style(context)
    if style == "iso":
        return format_iso_timestamp

    def write(value: AnyMoment) -> str:
        if isinstance(value, WideMoment):
            return _wide(value, style, day_first)
        return _written(value, f"{value.year:04d}", style, day_first)

    return write


def _wide(value: WideMoment, style: str, day_first: bool) -> str:
    """Writes a timestamp without a zone."""
    if infinite(value):
        return infinity_text(value)
    moment, cycles = near(value.count)
    year, era = year_text(moment.year + cycles * CYCLE_YEARS)
    return _written(moment, year, style, day_first) + era


def format_iso_timestamp(value: AnyMoment) -> str:
    if isinstance(value, WideMoment):
        return _wide(value, "iso", False)
    text = value.isoformat(" ")
    return text.rstrip("0") if value.microsecond else text


def _written(value: datetime.datetime, year: str, style: str, day_first: bool) -> str:
    """Writes a time without zone, with `year` in place of its own."""
    clock = format_time(value.time())
    match style:
        case "iso":
            return f"{year}-{value.month:02d}-{value.day:02d} {clock}"
        case "postgres":
            month = _MONTH_NAMES[value.month - 1]
            middle = f"{value.day:02d} {month}" if day_first else f"{month} {value.day:02d}"
            return f"{_DAY_NAMES[value.weekday()]} {middle} {clock} {year}"
        case "german":
            return f"{_ordered(value, year, '.', True)} {clock}"
        case _:
            return f"{_ordered(value, year, '/', day_first)} {clock}"


def timestamptz_formatter(context: TextContext) -> Callable[[AnyMoment], str]:
    """Returns the formatter in the session's zone."""
    zone = session_zone(context.time_zone)
    style, day_first = _style(context)

    def format_utc(value: AnyMoment) -> str:
        if isinstance(value, WideMoment):
            return format_local(value)
        return format_iso_timestamp(value.replace(tzinfo=None)) + "+00"

    def format_local(value: AnyMoment) -> str:
        if isinstance(value, WideMoment) and infinite(value):
            return infinity_text(value)
        local, cycles = near_local(value, zone)
        year, era = year_text(local.year + cycles * CYCLE_YEARS)
        return (
            _written(local, year, style, day_first)
            + (format_offset(local) if style == "iso" else " " + zone_text(local))
            + era
        )

    return format_utc if zone is datetime.UTC and style == "iso" else format_local
