"""make_date and its kin, AT TIME ZONE, to_timestamp of seconds, isfinite."""

from __future__ import annotations

import datetime
import math

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import DEFAULT_CONTEXT
from model.text.floats import format_float8
from model.text.times.interval_output import interval_formatter
from model.text.times.zones import local_to_utc, signed_offset
from model.types.datum import Interval
from model.types.scalar_type import BOOL, DATE, FLOAT8, INT4, INTERVAL, TEXT, TIME, TIMESTAMP, TIMESTAMPTZ
from model.types.time_of_day import time_from_micros
from planner.functions.failures import datetime_overflow, invalid_parameter
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.functions.time.moments import from_local, shift_micros, zone_named
from planner.ir.scalar import SessionName

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_DAY = 86_400_000_000


def _field_error(message: str) -> SqlError:
    return SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, message)


def make_date(year: int, month: int, day: int) -> datetime.date:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        message = f"date field value out of range: {year}-{month:02d}-{day:02d}"
        raise _field_error(message) from None


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


def make_timestamp(year: int, month: int, day: int, hour: int, minute: int, second: float) -> datetime.datetime:
    try:
        start = datetime.datetime(year, month, day)
    except ValueError:
        raise _field_error(f"date field value out of range: {year}-{month:02d}-{day:02d}") from None
    return shift_micros(start, _time_of_day(hour, minute, second))


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


def _make_zoned_by(
    year: int, month: int, day: int, hour: int, minute: int, second: float, name: str
) -> datetime.datetime:
    zone = _zone_of_numbers(name) or zone_named(name)
    try:
        return local_to_utc(make_timestamp(year, month, day, hour, minute, second), zone)
    except OverflowError:
        raise datetime_overflow("timestamp") from None


def _make_zoned(year: int, month: int, day: int, hour: int, minute: int, second: float, zone: str) -> datetime.datetime:
    return from_local(make_timestamp(year, month, day, hour, minute, second), zone)


def from_epoch(seconds: float) -> datetime.datetime:
    """Returns the moment of an epoch, rounded to microseconds."""
    if seconds != seconds:
        raise _field_error("timestamp cannot be NaN")
    if math.isinf(seconds):
        raise datetime_overflow("timestamp")
    try:
        return _EPOCH + datetime.timedelta(microseconds=round(seconds * 1e6))
    except OverflowError:
        raise datetime_overflow("timestamp") from None


def _to_utc(zone: str, moment: datetime.datetime) -> datetime.datetime:
    """Computes timestamp AT TIME ZONE: a local time of the zone."""
    try:
        return local_to_utc(moment, zone_named(zone))
    except OverflowError:
        raise datetime_overflow("timestamp") from None


def _in_zone(zone: str, moment: datetime.datetime) -> datetime.datetime:
    """Returns the local time in a zone (timestamptz AT TIME ZONE)."""
    try:
        return moment.astimezone(zone_named(zone)).replace(tzinfo=None)
    except OverflowError:
        raise datetime_overflow("timestamp") from None


def zone_offset(value: Interval) -> int:
    """Microseconds east of UTC, in whole seconds."""
    if value.months or value.days:
        message = f'interval time zone "{_WRITTEN(value)}" must not include months or days'
        raise invalid_parameter(message)
    return abs(value.microseconds) // 1_000_000 * 1_000_000 * (-1 if value.microseconds < 0 else 1)


def _to_utc_by_offset(offset: Interval, moment: datetime.datetime) -> datetime.datetime:
    return shift_micros(moment, -zone_offset(offset)).replace(tzinfo=datetime.UTC)


def _by_offset(offset: Interval, moment: datetime.datetime) -> datetime.datetime:
    return shift_micros(moment, zone_offset(offset)).replace(tzinfo=None)


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
    *(function("isfinite", (type_,), BOOL, lambda value: True) for type_ in (DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL)),
)
