"""Applies modifiers of types to values: lengths of strings, precision and scale of numerics, decimals of seconds."""

from __future__ import annotations

import datetime
import decimal

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.coordinates.embeddings import require_dimensions
from model.text.failures import datetime_range
from model.text.numerics import with_exponent
from model.text.times.date_output import format_iso_timestamp
from model.types.arrays import map_items
from model.types.datum import Datum, Interval, ShapedArray, TimeTz
from model.types.scalar_type import ScalarType, TypeName, length_limit, precision_and_scale, type_text
from model.types.time_of_day import time_from_micros, time_to_micros
from model.types.wide_time import AnyMoment, WideMoment, infinite, micros_of, moment_at

_MICROS_OF_2000 = micros_of(datetime.datetime(2000, 1, 1))
_FULL_RANGE = 0x7FFF
_FULL_PRECISION = 0xFFFF


def apply_modifier(datum: Datum, type_: ScalarType, *, explicit: bool) -> Datum:
    """Returns `datum` as a value of `type_` (22001, 22003, 22008). Casts written out by the user (`explicit`) cut
    strings."""
    if datum is None:
        return None
    if type_.name is TypeName.ARRAY:
        element = type_.element
        if element is None or element.modifier < 0:
            return datum
        assert isinstance(datum, tuple | ShapedArray)
        return map_items(lambda item: apply_modifier(item, element, explicit=explicit), datum)
    if type_.modifier < 0:
        return datum
    match type_.name, datum:
        case TypeName.VARCHAR | TypeName.BPCHAR, str():
            return _limit_length(datum, type_, explicit)
        case TypeName.BIT, str():
            return _exact_bits(datum, type_.modifier, explicit)
        case TypeName.VARBIT, str():
            return _limit_bits(datum, type_, explicit)
        case TypeName.NUMERIC | TypeName.WIDE, decimal.Decimal():
            return _limit_numeric(datum, type_)
        case TypeName.TIME, datetime.time():
            return _round_time(datum, type_.modifier)
        case TypeName.TIMETZ, TimeTz():
            return TimeTz(datum.utc + _round_half_away(datum.local, type_.modifier) - datum.local, datum.west)
        case TypeName.TIMESTAMP, datetime.datetime() | WideMoment():
            return _round_moment(datum, type_.modifier, None)
        case TypeName.TIMESTAMPTZ, datetime.datetime() | WideMoment():
            return _round_moment(datum, type_.modifier, datetime.UTC)
        case TypeName.VECTOR, bytes():
            return require_dimensions(datum, type_.modifier)
        case TypeName.INTERVAL, Interval():
            return _limit_interval(datum, type_.modifier)
        case _:
            return datum


def _limit_length(value: str, type_: ScalarType, explicit: bool) -> str:
    limit = length_limit(type_)
    if limit is None:
        return value
    if len(value) <= limit:
        return value.ljust(limit) if type_.name is TypeName.BPCHAR else value
    if not explicit and value[limit:].strip(" "):
        raise SqlError(Sqlstate.STRING_DATA_RIGHT_TRUNCATION, f"value too long for type {type_text(type_)}")
    return value[:limit]


def _exact_bits(value: str, length: int, explicit: bool) -> str:
    """Fits a bit string to the `length` of its type: an explicit cast cuts digits on the right, or adds zeros there;
    otherwise another length is SqlError 22026."""
    if len(value) != length and not explicit:
        message = f"bit string length {len(value)} does not match type bit({length})"
        raise SqlError(Sqlstate.STRING_DATA_LENGTH_MISMATCH, message)
    return value[:length].ljust(length, "0")


def _limit_bits(value: str, type_: ScalarType, explicit: bool) -> str:
    if len(value) > type_.modifier and not explicit:
        raise SqlError(Sqlstate.STRING_DATA_RIGHT_TRUNCATION, f"bit string too long for type {type_text(type_)}")
    return value[: type_.modifier]


def _limit_numeric(value: decimal.Decimal, type_: ScalarType) -> decimal.Decimal:
    """Rounds half away from zero."""
    bounds = precision_and_scale(type_)
    if bounds is None or value.is_nan():
        return value
    precision, scale = bounds
    if not value.is_finite():
        detail = f"A field with precision {precision}, scale {scale} cannot hold an infinite value."
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "numeric field overflow", detail=detail)
    value = with_exponent(value, scale)
    if not value or value.adjusted() < precision - scale:
        return with_exponent(value if value else value.copy_abs(), max(scale, 0))
    limit = f"10^{precision - scale}" if precision != scale else "1"
    raise SqlError(
        Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE,
        "numeric field overflow",
        detail=f"A field with precision {precision}, scale {scale} must round to an absolute value less than {limit}.",
    )


def _round_half_away(micros: int, digits: int) -> int:
    unit = int(10 ** (6 - min(digits, 6)))
    rounded = (abs(micros) + unit // 2) // unit * unit
    return -rounded if micros < 0 else rounded


def _round_time(value: datetime.time, digits: int) -> datetime.time:
    return time_from_micros(_round_half_away(time_to_micros(value), digits))


def _round_moment(value: AnyMoment, digits: int, zone: datetime.tzinfo | None) -> AnyMoment:
    """Rounds half away from the start of 2000, where PostgreSQL counts from."""
    if infinite(value):
        return value
    try:
        return moment_at(_MICROS_OF_2000 + _round_half_away(micros_of(value) - _MICROS_OF_2000, digits), zone)
    except OverflowError:
        plain = value if isinstance(value, WideMoment) else value.replace(tzinfo=None)
        raise datetime_range("timestamp", format_iso_timestamp(plain)) from None


_MONTH, _YEAR, _DAY, _HOUR, _MINUTE, _SECOND = (1 << bit for bit in (1, 2, 3, 10, 11, 12))
_MICROS_KEPT = {_HOUR: 3_600_000_000, _MINUTE: 60_000_000, _SECOND: 1}


def _limit_interval(value: Interval, modifier: int) -> Interval:
    """Limits an interval to its modifier: the upper half is a mask of fields, the lower half the decimals of
    seconds."""
    mask, precision = modifier >> 16 & _FULL_RANGE, modifier & _FULL_PRECISION
    months, days, micros = value.months, value.days, value.microseconds
    if mask != _FULL_RANGE:
        if not mask & _MONTH:
            if mask & _YEAR:
                months = int(months / 12) * 12
            if not mask & (_DAY | _HOUR | _MINUTE | _SECOND):
                days = micros = 0
        else:
            days = micros = 0
        smallest = next((field for field in (_SECOND, _MINUTE, _HOUR) if mask & field), None)
        if smallest is None:
            micros = 0
        else:
            unit = _MICROS_KEPT[smallest]
            micros = abs(micros) // unit * unit * (-1 if micros < 0 else 1)
    if precision != _FULL_PRECISION:
        micros = _round_half_away(micros, precision)
    return Interval(months, days, micros)
