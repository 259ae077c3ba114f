"""date, time, timestamp and timestamptz read from texts, in the four DateStyles."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from model.text.context import TextContext
from model.text.failures import datetime_range
from model.text.times.date_fields import DateFields, read_date_fields, read_time_fields
from model.text.times.date_numbers import date_order
from model.text.times.near_years import moment_of_local
from model.text.times.zones import local_to_utc, session_zone
from model.types.datum import MICROSECONDS_PER_DAY
from model.types.time_of_day import time_from_micros
from model.types.wide_time import INFINITE, AnyDate, AnyMoment, WideDate, WideMoment, date_at, day_number, moment_at

_INFINITIES = {"infinity": INFINITE, "-infinity": -INFINITE}
_ISO_DATE_LENGTH = 10
_ISO_LENGTHS = frozenset((19, *range(21, 27)))
_DATE, _TIME, _TIMESTAMP, _TIMESTAMPTZ = (
    "date",
    "time",
    "timestamp",
    "timestamp with time zone",
)


def _day(fields: DateFields) -> int:
    """Returns the date in the fields, as days since 1970."""
    numbers = fields.numbers
    return 0 if fields.special == "epoch" else day_number(numbers.year, numbers.month, numbers.day)


def _local_micros(fields: DateFields) -> int:
    """Returns the moment in the fields, without a zone, as microseconds since 1970; a day's name takes the time of day
    beside it."""
    return _day(fields) * MICROSECONDS_PER_DAY + fields.numbers.clock_micros


def date_parser(context: TextContext) -> Callable[[str], AnyDate]:
    order = date_order(context.date_style)

    def parse(text: str) -> AnyDate:
        if len(text) == _ISO_DATE_LENGTH and text[4] == "-" and text[7] == "-":
            try:
                return datetime.date.fromisoformat(text)
            except ValueError:
                pass
        fields = read_date_fields(text, _DATE, order, context)
        if (count := _INFINITIES.get(fields.special or "")) is not None:
            return WideDate(count)
        try:
            return date_at(_day(fields))
        except OverflowError:
            raise datetime_range("date", text) from None

    return parse


def time_parser(context: TextContext) -> Callable[[str], datetime.time]:
    """Returns a reader of times. A zone with rules needs a date beside it; any zone is taken and forgotten."""
    order = date_order(context.date_style)

    def parse(text: str) -> datetime.time:
        return time_from_micros(read_time_fields(text, _TIME, order, context).numbers.clock_micros)

    return parse


def _iso(text: str) -> datetime.datetime | None:
    """Returns the commonest form, read by the standard library; None when another reader must look."""
    length = len(text)
    if (
        length in _ISO_LENGTHS
        and text[10] in " T"
        and text[4] == "-"
        and text[7] == "-"
        and text[13] == text[16] == ":"
    ):
        if length > 19 and (text[19] != "." or not text[20:].isdigit()):
            return None
        try:
            return datetime.datetime.fromisoformat(text[:19] if length == 19 else text.ljust(26, "0"))
        except ValueError:
            return None
    return None


def _offset_minutes(text: str) -> tuple[str, int] | None:
    """Returns the text before `Z`, `±hh` or `±hh:mm`, and the minutes east; None for any other end."""
    if not text.isascii():
        return None
    if text[-1:] == "Z":
        return text[:-1], 0
    if text[-3:-2] in ("+", "-"):
        sign, hours, minutes, body = text[-3], text[-2:], "00", text[:-3]
    elif text[-6:-5] in ("+", "-") and text[-3] == ":":
        sign, hours, minutes, body = text[-6], text[-5:-3], text[-2:], text[:-6]
    else:
        return None
    if not (hours.isdigit() and minutes.isdigit() and hours <= "15" and minutes <= "59"):
        return None
    east = int(hours) * 60 + int(minutes)
    return body, -east if sign == "-" else east


def _iso_with_offset(text: str) -> datetime.datetime | None:
    """Parses as `_iso` does, with an offset at the end; returns the moment in UTC."""
    split = _offset_minutes(text)
    moment = _iso(split[0]) if split is not None else None
    if split is None or moment is None:
        return None
    if split[1]:
        try:
            moment -= datetime.timedelta(minutes=split[1])
        except OverflowError:
            return None
    return moment.replace(tzinfo=datetime.UTC)


def timestamp_parser(context: TextContext) -> Callable[[str], AnyMoment]:
    """Returns a reader of timestamps. A zone in the text is checked and forgotten."""
    order = date_order(context.date_style)

    def parse(text: str) -> AnyMoment:
        moment = _iso(text)
        if moment is not None:
            return moment
        fields = read_date_fields(text, _TIMESTAMP, order, context)
        if (count := _INFINITIES.get(fields.special or "")) is not None:
            return WideMoment(count)
        try:
            return moment_at(_local_micros(fields))
        except OverflowError:
            raise datetime_range("timestamp", text) from None

    return parse


def timestamptz_parser(context: TextContext) -> Callable[[str], AnyMoment]:
    """Returns a reader of timestamptz. Without a zone in the text it is a time of the session's zone."""
    order = date_order(context.date_style)
    zone = session_zone(context.time_zone)

    def parse(text: str) -> AnyMoment:
        moment = _iso_with_offset(text)
        if moment is not None:
            return moment
        moment = _iso(text)
        if moment is not None:
            try:
                return local_to_utc(moment, zone)
            except OverflowError:
                pass
        fields = read_date_fields(text, _TIMESTAMPTZ, order, context)
        if fields.special == "now" and context.now is not None:
            return context.now.astimezone(datetime.UTC)
        if (count := _INFINITIES.get(fields.special or "")) is not None:
            return WideMoment(count)
        try:
            in_zone = datetime.UTC if fields.special == "epoch" else fields.zone or zone
            return moment_of_local(_local_micros(fields), in_zone)
        except OverflowError:
            raise datetime_range("timestamp", text) from None

    return parse
