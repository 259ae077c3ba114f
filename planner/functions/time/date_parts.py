"""extract and date_part: a field of a date, time, timestamp or interval; extract gives numeric, date_part float8."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.times.near_years import near_local
from model.text.times.zones import session_zone
from model.types.datum import Interval, TimeTz
from model.types.scalar_type import (
    DATE,
    FLOAT8,
    INTERVAL,
    NUMERIC,
    TEXT,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    TIMETZ,
    ScalarType,
    type_text,
)
from model.types.time_of_day import time_to_micros
from model.types.wide_time import (
    CYCLE_DAYS,
    CYCLE_MICROS,
    CYCLE_YEARS,
    AnyDate,
    AnyMoment,
    day_of,
    infinite,
    micros_of,
    near,
)
from planner.functions.failures import invalid_parameter
from planner.functions.numbers.decimals import SCALE_MAX, decimals_if_finite, round_to
from planner.functions.numbers.numeric_math import add, divide_whole
from planner.functions.rows import function, with_whole
from planner.functions.signature import Function, Volatility
from planner.functions.time.date_units import MICROSECOND_UNITS, unit_named
from planner.functions.time.moments import (
    EPOCH,
    MICROSECOND,
    MICROSECONDS_PER_DAY,
    midnight,
    near_moment,
    to_near_local,
)
from planner.ir.scalar import SessionName

_MILLION = 1_000_000
_JULIAN_OF_ORDINAL_ZERO = 1_721_425
_JULIAN_OF_1970 = 2_440_588
_GROWING = frozenset(("year", "decade", "century", "millennium", "julian", "isoyear", "epoch"))
_CALENDAR_ROUND = frozenset(("day", "month", "quarter", "week", "dow", "isodow", "doy"))
_DAYS_PER_YEAR_QUARTERS = 1461  # four years
_DAYS_PER_MONTH = 30


def _unsupported(unit: str, type_: ScalarType) -> SqlError:
    return SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f'unit "{unit.lower()}" not supported for type {type_text(type_)}')


def _unrecognized(unit: str, type_: ScalarType) -> SqlError:
    return invalid_parameter(f'unit "{unit.lower()}" not recognized for type {type_text(type_)}')


def _scaled(value: int, digits: int) -> Decimal:
    return Decimal(value).scaleb(-digits)


def _clock_field(micros: int, unit: str) -> Decimal | None:
    """Returns a field of the time of day, or of an interval's time; None for other units."""
    sign = -1 if micros < 0 else 1
    seconds, rest = divmod(abs(micros), _MILLION)
    in_minute = sign * ((seconds % 60) * _MILLION + rest)
    match unit:
        case "microseconds":
            return Decimal(in_minute)
        case "milliseconds":
            return _scaled(in_minute, 3)
        case "second":
            return _scaled(in_minute, 6)
        case "minute":
            return Decimal(sign * (seconds // 60 % 60))
        case "hour":
            return Decimal(sign * (seconds // 3600))
        case _:
            return None


def _date_field(day: datetime.date, unit: str, further_years: int) -> Decimal | None:
    """Returns a field of the calendar, of a day that many years later; None for other units."""
    year = day.year + further_years
    match unit:
        case "day":
            value = day.day
        case "month":
            value = day.month
        case "quarter":
            value = (day.month + 2) // 3
        case "week":
            value = day.isocalendar().week
        case "year":
            value = _without_zero(year)
        case "decade":
            value = year // 10
        case "century":
            value = _without_zero((year + 99) // 100)
        case "millennium":
            value = _without_zero((year + 999) // 1000)
        case "isoyear":
            value = _without_zero(day.isocalendar().year + further_years)
        case "dow":
            value = day.isoweekday() % 7
        case "isodow":
            value = day.isoweekday()
        case "doy":
            value = day.timetuple().tm_yday
        case _:
            return None
    return Decimal(value)


def _without_zero(count: int) -> int:
    """Counts years, centuries or millennia as people do, who have no 0: what astronomers call 0 is -1."""
    return count if count > 0 else count - 1


def _julian(moment: datetime.datetime, cycles: int) -> Decimal:
    part = divide_whole(Decimal(time_to_micros(moment.time())), Decimal(MICROSECONDS_PER_DAY))
    return add(Decimal(_julian_day(moment, cycles)), part)


def _julian_day(day: datetime.date, cycles: int) -> int:
    return day.toordinal() + _JULIAN_OF_ORDINAL_ZERO + cycles * CYCLE_DAYS


def _of_infinity(unit: str, sign: int, type_: ScalarType) -> Decimal | None:
    """Returns the field of infinity or -infinity: itself where the field grows with time; NULL where it comes round."""
    name = unit_named(unit)
    if name is None:
        raise _unrecognized(unit, type_)
    if name in _GROWING:
        return Decimal("Infinity") * sign
    if name in _CALENDAR_ROUND or (type_ != DATE and (name in MICROSECOND_UNITS or name.startswith("timezone"))):
        return None
    raise _unsupported(unit, type_)


def _of_timestamp(unit: str, moment: AnyMoment) -> Decimal | None:
    if infinite(moment):
        return _of_infinity(unit, micros_of(moment), TIMESTAMP)
    return _of_near(unit, *near_moment(moment), TIMESTAMP)


def _of_near(unit: str, moment: datetime.datetime, cycles: int, type_: ScalarType) -> Decimal:
    """Returns a field of a moment that is `cycles` of 400 years further than it says."""
    name = unit_named(unit)
    if name is None:
        raise _unrecognized(unit, type_)
    value = _date_field(moment.date(), name, cycles * CYCLE_YEARS)
    if value is None:
        value = _clock_field(time_to_micros(moment.time()), name)
    if value is None and name == "epoch":
        value = _epoch((moment - EPOCH) // MICROSECOND + cycles * CYCLE_MICROS)
    if value is None and name == "julian":
        value = _julian(moment, cycles)
    if value is None:
        raise _unsupported(unit, type_)
    return value


def offset_field(unit: str, seconds: int) -> Decimal | None:
    """Returns a part of an offset that many seconds east of UTC; None for other units."""
    sign = -1 if seconds < 0 else 1
    match unit:
        case "timezone":
            return Decimal(seconds)
        case "timezone_hour":
            return Decimal(sign * (abs(seconds) // 3600))
        case "timezone_minute":
            return Decimal(sign * (abs(seconds) // 60 % 60))
        case _:
            return None


def _epoch(micros: int) -> Decimal:
    return _scaled(micros, 6)


def _of_zoned(unit: str, moment: AnyMoment, zone: str) -> Decimal | None:
    if infinite(moment):
        return _of_infinity(unit, micros_of(moment), TIMESTAMPTZ)
    name = unit_named(unit)
    if name == "epoch":
        return _epoch(micros_of(moment))
    if name in ("timezone", "timezone_hour", "timezone_minute"):
        offset = near_local(moment, session_zone(zone))[0].utcoffset()
        assert offset is not None
        part = offset_field(name, int(offset.total_seconds()))
        assert part is not None, "the unit is a part of an offset"
        return part
    local, cycles = to_near_local(moment, zone)
    return _of_near(unit, local, cycles, TIMESTAMPTZ)


def _of_date(unit: str, day: AnyDate) -> Decimal | None:
    if infinite(day):
        return _of_infinity(unit, day_of(day), DATE)
    name = unit_named(unit)
    if name is None:
        raise _unrecognized(unit, DATE)
    if name in MICROSECOND_UNITS or name.startswith("timezone"):
        raise _unsupported(unit, DATE)
    if name == "julian":
        return Decimal(day_of(day) + _JULIAN_OF_1970)
    return _of_near(unit, *near(day_of(day) * MICROSECONDS_PER_DAY), DATE)


def _of_time(unit: str, time: datetime.time) -> Decimal:
    name = unit_named(unit)
    if name is None:
        raise _unrecognized(unit, TIME)
    micros = time_to_micros(time)
    value = _scaled(micros, 6) if name == "epoch" else _clock_field(micros, name)
    if value is None:
        raise _unsupported(unit, TIME)
    return value


def _of_timetz(unit: str, time: TimeTz) -> Decimal:
    name = unit_named(unit)
    if name is None:
        raise _unrecognized(unit, TIMETZ)
    value = _scaled(time.utc, 6) if name == "epoch" else _clock_field(time.local, name)
    if value is None:
        value = offset_field(name, -time.west)
    if value is None:
        raise _unsupported(unit, TIMETZ)
    return value


def _toward_zero(value: int, divisor: int) -> int:
    return value // divisor if value >= 0 else -(-value // divisor)


def _interval_epoch(value: Interval) -> Decimal:
    """Returns the seconds of an interval, with years of 365.25 days, months of 30."""
    years = _toward_zero(value.months, 12)
    months = value.months - 12 * years
    quarter_days = years * _DAYS_PER_YEAR_QUARTERS + 4 * (months * _DAYS_PER_MONTH + value.days)
    return _scaled(quarter_days * (86_400 // 4) * _MILLION + value.microseconds, 6)


def _of_interval(unit: str, value: Interval) -> Decimal:
    name = unit_named(unit)
    years = _toward_zero(value.months, 12)
    months = value.months - 12 * years
    fields = {
        "day": value.days,
        "month": months,
        "quarter": months // 3 + 1 if months >= 0 else _toward_zero(months, 3) + 1,
        "year": years,
        "decade": _toward_zero(years, 10),
        "century": _toward_zero(years, 100),
        "millennium": _toward_zero(years, 1000),
    }
    if name is None:
        raise _unrecognized(unit, INTERVAL)
    if name == "epoch":
        return _interval_epoch(value)
    if name in fields:
        return Decimal(fields[name])
    clock = _clock_field(value.microseconds, name)
    if clock is None:
        raise _unsupported(unit, INTERVAL)
    return clock


def _as_float(extract: Callable[..., Decimal | None]) -> Callable[..., float | None]:
    def part(*arguments: Any) -> float | None:
        value = extract(*arguments)
        return None if value is None else float(value)

    return part


def _moments_as_float(extract: Callable[..., Decimal | None]) -> Callable[..., float | None]:
    """Divides an epoch's microseconds as a double, as PostgreSQL does: in far years this is not the nearest one."""
    plain = _as_float(extract)

    def part(unit: str, moment: AnyMoment, *zone: str) -> float | None:
        if unit_named(unit) == "epoch" and not infinite(moment):
            return float(micros_of(moment)) / _MILLION
        return plain(unit, moment, *zone)

    return part


def _stored(extract: Callable[..., Decimal | None]) -> Callable[..., Decimal | None]:
    """Returns the function with as many decimals as collections hold."""

    def field(*arguments: Any) -> Decimal | None:
        value = extract(*arguments)
        return value if value is None or decimals_if_finite(value) <= SCALE_MAX else round_to(value, SCALE_MAX)

    return field


def _part_of_date(unit: str, day: AnyDate) -> Decimal | None:
    """Takes a part of a date: date_part takes a date as a timestamp, and knows its hours."""
    return _of_timestamp(unit, midnight(day))


def _rows(
    type_: ScalarType, extract: Callable[..., Decimal | None], part: Callable[..., Decimal | None]
) -> list[Function]:
    options: Any = {}
    as_float = _moments_as_float if type_ in (TIMESTAMP, TIMESTAMPTZ) else _as_float
    if type_ == TIMESTAMPTZ:
        options = {"session": (SessionName.TIME_ZONE,), "volatility": Volatility.STABLE}
    return [
        *with_whole(function("extract", (TEXT, type_), NUMERIC, _stored(extract), fallible=True, **options), extract),
        function("date_part", (TEXT, type_), FLOAT8, as_float(part), fallible=True, **options),
    ]


FUNCTIONS: tuple[Function, ...] = (
    *_rows(TIMESTAMP, _of_timestamp, _of_timestamp),
    *_rows(TIMESTAMPTZ, _of_zoned, _of_zoned),
    *_rows(DATE, _of_date, _part_of_date),
    *_rows(TIME, _of_time, _of_time),
    *_rows(TIMETZ, _of_timetz, _of_timetz),
    *_rows(INTERVAL, _of_interval, _of_interval),
)
