"""Dates and times in binary format: days and microseconds since the start of 2000."""

from __future__ import annotations

import datetime
import struct

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import MICROSECONDS_PER_DAY, Interval, TimeTz
from model.types.time_of_day import time_from_micros, time_to_micros
from model.types.wide_time import (
    INFINITE,
    AnyDate,
    AnyMoment,
    WideDate,
    WideMoment,
    date_at,
    infinite,
    micros_of,
    moment_at,
)
from server.pgwire.encoding.failures import bad_binary, check_width

_EPOCH_DATE = datetime.date(2000, 1, 1).toordinal()
_EPOCH = datetime.datetime(2000, 1, 1)
_EPOCH_UTC = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)
_MICROS_TO_2000 = micros_of(_EPOCH)
_DAYS_TO_2000 = _MICROS_TO_2000 // MICROSECONDS_PER_DAY
_DATE_ENDS = (-(2**31), 2**31 - 1)
_MOMENT_ENDS = (-(2**63), 2**63 - 1)
"""-infinity and infinity."""
_DATE = struct.Struct(">i")
_MICROS = struct.Struct(">q")
_TIMETZ = struct.Struct(">qi")
_INTERVAL = struct.Struct(">qii")
_OFFSET_END = 16 * 3600


def _out_of_range(what: str) -> SqlError:
    return SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f"{what} out of range")


def send_date(value: AnyDate) -> bytes:
    if isinstance(value, WideDate):
        return _DATE.pack(_DATE_ENDS[value.count > 0] if infinite(value) else value.count - _DAYS_TO_2000)
    return _DATE.pack(value.toordinal() - _EPOCH_DATE)


def receive_date(data: bytes) -> AnyDate:
    check_width(data, _DATE.size)
    days: int = _DATE.unpack(data)[0]
    if days in _DATE_ENDS:
        return WideDate(INFINITE if days > 0 else -INFINITE)
    try:
        return date_at(days + _DAYS_TO_2000)
    except OverflowError:
        raise _out_of_range("date") from None


def send_time(value: datetime.time) -> bytes:
    return _MICROS.pack(time_to_micros(value))


def receive_time(data: bytes) -> datetime.time:
    check_width(data, _MICROS.size)
    micros = _MICROS.unpack(data)[0]
    if not 0 <= micros <= MICROSECONDS_PER_DAY:
        raise _out_of_range("time")
    return time_from_micros(micros)


def send_timetz(value: TimeTz) -> bytes:
    return _TIMETZ.pack(value.local, value.west)


def receive_timetz(data: bytes) -> TimeTz:
    check_width(data, _TIMETZ.size)
    micros, west = _TIMETZ.unpack(data)
    if not 0 <= micros <= MICROSECONDS_PER_DAY:
        raise _out_of_range("time")
    if not -_OFFSET_END < west < _OFFSET_END:
        raise SqlError(Sqlstate.INVALID_TIME_ZONE_DISPLACEMENT_VALUE, "time zone displacement out of range")
    return TimeTz(micros + west * 1_000_000, west)


def send_timestamp(value: AnyMoment) -> bytes:
    if isinstance(value, WideMoment):
        return _pack_wide(value)
    return _pack_since(value - _EPOCH)


def send_timestamptz(value: AnyMoment) -> bytes:
    if isinstance(value, WideMoment):
        return _pack_wide(value)
    return _pack_since(value - _EPOCH_UTC)


def _pack_wide(value: WideMoment) -> bytes:
    return _MICROS.pack(_MOMENT_ENDS[value.count > 0] if infinite(value) else value.count - _MICROS_TO_2000)


def _pack_since(delta: datetime.timedelta) -> bytes:
    return _MICROS.pack((delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds)


def receive_timestamp(data: bytes) -> AnyMoment:
    return _received(data, None)


def receive_timestamptz(data: bytes) -> AnyMoment:
    return _received(data, datetime.UTC)


def _received(data: bytes, zone: datetime.tzinfo | None) -> AnyMoment:
    check_width(data, _MICROS.size)
    micros: int = _MICROS.unpack(data)[0]
    try:
        return (_EPOCH if zone is None else _EPOCH_UTC) + micros * _MICROSECOND
    except OverflowError:
        pass
    if micros in _MOMENT_ENDS:
        return WideMoment(INFINITE if micros > 0 else -INFINITE)
    try:
        return moment_at(micros + _MICROS_TO_2000, zone)
    except OverflowError:
        raise _out_of_range("timestamp") from None


def send_interval(value: Interval) -> bytes:
    try:
        return _INTERVAL.pack(value.microseconds, value.days, value.months)
    except struct.error:
        raise bad_binary("interval out of range") from None


def receive_interval(data: bytes) -> Interval:
    check_width(data, _INTERVAL.size)
    micros, days, months = _INTERVAL.unpack(data)
    return Interval(months, days, micros)
