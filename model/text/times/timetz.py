"""time with time zone in text: `12:34:56.5+01`, in and out."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from model.errors.sql_error import NotSupported
from model.text.context import TextContext
from model.text.times.date_fields import DateFields, read_time_fields
from model.text.times.date_numbers import date_order
from model.text.times.date_output import format_time
from model.text.times.near_years import near_local
from model.text.times.zones import session_zone
from model.types.datum import MICROSECONDS_PER_DAY, TimeTz
from model.types.time_of_day import time_from_micros
from model.types.wide_time import AnyMoment, day_number, near

_NAME = "time with time zone"
_MICROSECOND = datetime.timedelta(microseconds=1)


def timetz_parser(context: TextContext) -> Callable[[str], TimeTz]:
    """Returns a reader of timetz. A zone whose offset changes needs a date beside it; without a zone the session's is
    meant, on the text's date or today."""
    order = date_order(context.date_style)

    def parse(text: str) -> TimeTz:
        fields = read_time_fields(text, _NAME, order, context)
        micros = fields.numbers.clock_micros
        return local_timetz(micros, _offset(fields, micros, context))

    return parse


def local_timetz(micros: int, offset: int) -> TimeTz:
    """Returns the timetz of a clock that shows `micros` since midnight, `offset` seconds east of UTC."""
    return TimeTz(micros - offset * 1_000_000, -offset)


def offset_at(local: datetime.datetime, zone: datetime.tzinfo) -> int:
    """Returns the seconds east of UTC when the zone's clocks show `local`; where that happens twice, at the later
    time."""
    early = local.replace(tzinfo=zone, fold=0).utcoffset()
    late = local.replace(tzinfo=zone, fold=1).utcoffset()
    assert early is not None and late is not None
    return int(min(early, late).total_seconds())


def timetz_of(moment: AnyMoment, zone: datetime.tzinfo) -> TimeTz:
    """Returns the zone's clock at a moment."""
    local, _ = near_local(moment, zone)
    offset = local.utcoffset()
    assert offset is not None
    plain = local.replace(tzinfo=None)
    midnight = plain.replace(hour=0, minute=0, second=0, microsecond=0)
    return local_timetz((plain - midnight) // _MICROSECOND, int(offset.total_seconds()))


def _offset(fields: DateFields, micros: int, context: TextContext) -> int:
    zone = fields.zone or session_zone(context.time_zone)
    if fields.has_date:
        numbers = fields.numbers
        date, _ = near(day_number(numbers.year, numbers.month, numbers.day) * MICROSECONDS_PER_DAY)
    elif zone.utcoffset(None) is not None:
        date = datetime.datetime(2000, 1, 1)
    elif context.now is None:
        raise NotSupported("a time with time zone that doesn't say its zone here", hint="Write its offset.")
    else:
        today = context.now.astimezone(zone)
        date = datetime.datetime(today.year, today.month, today.day)
    within = min(micros, MICROSECONDS_PER_DAY - 1)
    return offset_at(date + within * _MICROSECOND, zone)


def format_timetz(value: TimeTz) -> str:
    """Writes a timetz; the offset has minutes and seconds where it needs them."""
    sign = "-" if value.west > 0 else "+"
    hours, rest = divmod(abs(value.west), 3600)
    minutes, seconds = divmod(rest, 60)
    text = f"{format_time(time_from_micros(value.local))}{sign}{hours:02d}"
    if minutes or seconds:
        text += f":{minutes:02d}"
    return f"{text}:{seconds:02d}" if seconds else text
