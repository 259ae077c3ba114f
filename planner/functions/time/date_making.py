"""make_date and its kin, AT TIME ZONE, to_timestamp of seconds, isfinite."""

from __future__ import annotations

import datetime
import math

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import DEFAULT_CONTEXT
from model.text.floats import format_float8
from model.text.times.interval_output import interval_formatter
from model.text.times.zones import signed_offset
from model.types.datum import Interval
from model.types.scalar_type import BOOL, DATE, FLOAT8, INT4, INTERVAL, TEXT, TIME, TIMESTAMP, TIMESTAMPTZ
from model.types.time_of_day import time_from_micros
from model.types.wide_time import (
    INFINITE,
    AnyDate,
    AnyMoment,
    WideMoment,
    date_at,
    day_number,
    infinite,
    micros_of,
    moment_at,
)
from planner.functions.failures import invalid_parameter
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.functions.time.moments import from_local, from_local_micros, moment_of, to_local, zone_named
from planner.ir.scalar import SessionName

_DAY = 86_400_000_000


def _field_error(message: str) -> SqlError:
    return SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, message)


def make_date(year: int, month: int, day: int) -> AnyDate:
    """Returns the date of a year, counted from 1 or back from -1, which is 1 BC."""
    number = _day_number(year, month, day)
    try:
        return date_at(number)
    except OverflowError:
        raise _field_error(f"date out of range: {year}-{month:02d}-{day:02d}") from None


def _day_number(year: int, month: int, day: int) -> int:
    try:
        if not year:
            raise ValueError("there is no year 0")
        return day_number(year if year > 0 else year + 1, month, day)
    except ValueError:
        raise _field_error(f"date field value out of range: {year}-{month:02d}-{day:02d}") from None


def _seconds(value: float, shown: str) -> int:
    """Microseconds of seconds that may have a fraction."""
    if not math.isfinite(value) or not 0 <= value <= 60:
        raise _field_error(f"time field value out of range: {shown}")
    return round(value * 1_000_000)


def _time_of_day(hour: int, minute: int, second: float) -> int:
    """Microseconds since midnight, up to the next one."""
    shown = f"{hour}:{minute:02d}:" + (f"{second:02g}" if math.isfinite(second) else format_float8(second))
    total = (hour * 60 + minute) * 60_000_000 + _seconds(second, shown)
    if not (0 <= hour <= 24 and 0 <= minute <= 59 and total <= _DAY):
        raise _field_error(f"time field value out of range: {shown}")
    return total


def make_time(hour: int, minute: int, second: float) -> datetime.time:
    """Makes a time of day from its parts; raises SqlError 22008 for parts out of range."""
    return time_from_micros(_time_of_day(hour, minute, second))


def _local_micros(year: int, month: int, day: int, hour: int, minute: int, second: float) -> int:
    """Returns a local time by its fields, as microseconds since 1970."""
    return _day_number(year, month, day) * _DAY + _time_of_day(hour, minute, second)


def make_timestamp(year: int, month: int, day: int, hour: int, minute: int, second: float) -> AnyMoment:
    micros = _local_micros(year, month, day, hour, minute, second)
    try:
        return moment_at(micros)
    except OverflowError:
        shown = f"{year}-{month:02d}-{day:02d} {hour}:{minute:02d}:{second:02g}"
        raise _field_error(f"timestamp out of range: {shown}") from None


def _zone_of_numbers(text: str) -> datetime.tzinfo | None:
    """Reads a zone of numbers: `+2`, `-02:30`, `+023015` count eastward here, and must have a sign; None for what
    isn't written so."""
    if text[:1].isdigit():
        message = f'invalid input syntax for type numeric time zone: "{text}"'
        raise invalid_parameter(message, hint='Numeric time zones must have "-" or "+" as first character.')
    try:
        return signed_offset(text)
    except ValueError:
        raise invalid_parameter(f'numeric time zone "{text}" out of range') from None


def _make_zoned_by(year: int, month: int, day: int, hour: int, minute: int, second: float, name: str) -> AnyMoment:
    zone = _zone_of_numbers(name) or zone_named(name)
    return from_local_micros(_local_micros(year, month, day, hour, minute, second), zone)


def _make_zoned(year: int, month: int, day: int, hour: int, minute: int, second: float, zone: str) -> AnyMoment:
    return from_local_micros(_local_micros(year, month, day, hour, minute, second), zone)


def from_epoch(seconds: float) -> AnyMoment:
    """Returns the moment of an epoch, rounded to microseconds."""
    if seconds != seconds:
        raise _field_error("timestamp cannot be NaN")
    if math.isinf(seconds):
        return WideMoment(INFINITE if seconds > 0 else -INFINITE)
    try:
        return moment_at(round(seconds * 1e6), datetime.UTC)
    except OverflowError:
        raise _field_error(f'timestamp out of range: "{format_float8(seconds)}"') from None


def _to_utc(zone: str, moment: AnyMoment) -> AnyMoment:
    """Computes timestamp AT TIME ZONE: a local time of the zone."""
    return moment if infinite(moment) else from_local(moment, zone_named(zone))


def _in_zone(zone: str, moment: AnyMoment) -> AnyMoment:
    """Returns the local time in a zone (timestamptz AT TIME ZONE)."""
    return moment if infinite(moment) else to_local(moment, zone_named(zone))


def zone_offset(value: Interval) -> int:
    """Microseconds east of UTC, in whole seconds."""
    if value.months or value.days:
        message = f'interval time zone "{_WRITTEN(value)}" must not include months or days'
        raise invalid_parameter(message)
    return abs(value.microseconds) // 1_000_000 * 1_000_000 * (-1 if value.microseconds < 0 else 1)


def _to_utc_by_offset(offset: Interval, moment: AnyMoment) -> AnyMoment:
    return moment if infinite(moment) else moment_of(micros_of(moment) - zone_offset(offset), datetime.UTC)


def _by_offset(offset: Interval, moment: AnyMoment) -> AnyMoment:
    return moment if infinite(moment) else moment_of(micros_of(moment) + zone_offset(offset))


def _is_finite(value: AnyDate | AnyMoment) -> bool:
    return not infinite(value)


_WRITTEN = interval_formatter(DEFAULT_CONTEXT.interval_style)
_MAKE = (INT4, INT4, INT4, INT4, INT4, FLOAT8)

FUNCTIONS: tuple[Function, ...] = (
    function("make_date", (INT4, INT4, INT4), DATE, make_date, fallible=True),
    function("make_time", (INT4, INT4, FLOAT8), TIME, make_time, fallible=True),
    function("make_timestamp", _MAKE, TIMESTAMP, make_timestamp, fallible=True),
    function(
        "make_timestamptz",
        _MAKE,
        TIMESTAMPTZ,
        _make_zoned,
        fallible=True,
        session=(SessionName.TIME_ZONE,),
        volatility=Volatility.STABLE,
    ),
    function("make_timestamptz", (*_MAKE, TEXT), TIMESTAMPTZ, _make_zoned_by, fallible=True),
    function("to_timestamp", (FLOAT8,), TIMESTAMPTZ, from_epoch, fallible=True),
    function("timezone", (TEXT, TIMESTAMP), TIMESTAMPTZ, _to_utc, fallible=True),
    function("timezone", (TEXT, TIMESTAMPTZ), TIMESTAMP, _in_zone, fallible=True),
    function("timezone", (INTERVAL, TIMESTAMP), TIMESTAMPTZ, _to_utc_by_offset, fallible=True),
    function("timezone", (INTERVAL, TIMESTAMPTZ), TIMESTAMP, _by_offset, fallible=True),
    *(function("isfinite", (type_,), BOOL, _is_finite) for type_ in (DATE, TIMESTAMP, TIMESTAMPTZ)),
    function("isfinite", (INTERVAL,), BOOL, lambda value: True),
)
