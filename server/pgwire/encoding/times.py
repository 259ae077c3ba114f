"""Dates and times in binary format: days and microseconds since the start of 2000."""

from __future__ import annotations

import datetime
import struct

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import MICROSECONDS_PER_DAY, Interval, TimeTz
from model.types.time_of_day import time_from_micros, time_to_micros
from server.pgwire.encoding.failures import bad_binary, check_width

_EPOCH_DATE = datetime.date(2000, 1, 1).toordinal()
_EPOCH = datetime.datetime(2000, 1, 1)
_EPOCH_UTC = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)
_DATE = struct.Struct(">i")
_MICROS = struct.Struct(">q")
_TIMETZ = struct.Struct(">qi")
_INTERVAL = struct.Struct(">qii")
_OFFSET_END = 16 * 3600


def _out_of_range(what: str) -> SqlError:
    return SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, f"{what} out of range")


def send_date(value: datetime.date) -> bytes:
    return _DATE.pack(value.toordinal() - _EPOCH_DATE)


def receive_date(data: bytes) -> datetime.date:
    check_width(data, _DATE.size)
    ordinal = _DATE.unpack(data)[0] + _EPOCH_DATE
    if not 1 <= ordinal <= datetime.date.max.toordinal():
        raise _out_of_range("date")
    return datetime.date.fromordinal(ordinal)


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


def send_timestamp(value: datetime.datetime) -> bytes:
    return _pack_since(value - _EPOCH)


def send_timestamptz(value: datetime.datetime) -> bytes:
    return _pack_since(value - _EPOCH_UTC)


def _pack_since(delta: datetime.timedelta) -> bytes:
    return _MICROS.pack((delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds)


def receive_timestamp(data: bytes) -> datetime.datetime:
    check_width(data, _MICROS.size)
    micros: int = _MICROS.unpack(data)[0]
    try:
        return _EPOCH + micros * _MICROSECOND
    except OverflowError:
        raise _out_of_range("timestamp") from None


def receive_timestamptz(data: bytes) -> datetime.datetime:
    return receive_timestamp(data).replace(tzinfo=datetime.UTC)


def send_interval(value: Interval) -> bytes:
    try:
        return _INTERVAL.pack(value.microseconds, value.days, value.months)
    except struct.error:
        raise bad_binary("interval out of range") from None


def receive_interval(data: bytes) -> Interval:
    check_width(data, _INTERVAL.size)
    micros, days, months = _INTERVAL.unpack(data)
    return Interval(months, days, micros)
