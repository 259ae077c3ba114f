"""jsonpath's .datetime(): a text as a date, a time or both, by a template or in ISO's forms, and how they compare.

Beside one with a time zone, one without is a time of the session's zone, which only the functions named `_tz` know.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.times.date_output import format_iso_timestamp, format_time
from model.text.times.timetz import local_timetz, offset_at
from model.text.times.zones import session_zone
from model.types.datum import TimeTz
from model.types.scalar_type import DATE, TIME, TIMESTAMP, TIMESTAMPTZ, TIMETZ, ScalarType
from model.types.time_of_day import time_from_micros, time_to_micros
from model.types.wide_time import AnyDate, AnyMoment, WideMoment, day_of, micros_of
from planner.functions.time.date_reading import read_strictly
from planner.functions.time.moments import MICROSECONDS_PER_DAY, combine, from_local, midnight, moment_of, near_moment

_CLOCKS = tuple(
    f"HH24:MI:SS{fraction}{zone}" for zones in (("TZH:TZM", "TZH"), ("",)) for fraction in (".US", "") for zone in zones
)
_FORMS = ("yyyy-mm-dd", *_CLOCKS, *(f"yyyy-mm-dd{between}{clock}" for between in (" ", '"T"') for clock in _CLOCKS))


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time, a time with an offset, both, or both in UTC beside `offset`, seconds east of there."""

    type: ScalarType
    value: AnyDate | datetime.time | TimeTz | AnyMoment
    offset: int = 0

    def text(self) -> str:
        """Returns the moment as JSON has it."""
        match self.value:
            case TimeTz(west=west) as value:
                return format_time(time_from_micros(value.local)) + _offset_text(-west)
            case datetime.datetime() | WideMoment() as value if self.type == TIMESTAMPTZ:
                local = moment_of(micros_of(value) + self.offset * 1_000_000)
                date, era, rest = format_iso_timestamp(local).replace(" ", "T", 1).partition(" ")
                return date + _offset_text(self.offset) + era + rest
            case datetime.datetime() | WideMoment() as value:
                return format_iso_timestamp(value).replace(" ", "T", 1)
            case datetime.time() as value:
                return format_time(value)
            case value:
                return value.isoformat()


@dataclass(frozen=True, slots=True)
class SessionZone:
    """The session's time zone, and its transaction's time, by which times of day have an offset."""

    name: str
    now: datetime.datetime


def _offset_text(seconds: int) -> str:
    hours, rest = divmod(abs(seconds), 3600)
    return f"{'-' if seconds < 0 else '+'}{hours:02d}:{rest // 60:02d}"


def read_moment(text: str, template: str | None) -> Moment:
    """Reads a date or time, as a template says, or else in any of ISO's forms. Raises SqlError of class 22 for other
    text."""
    if template is not None:
        return _read(text, template)
    for form in _FORMS:
        try:
            return _read(text, form)
        except SqlError:
            continue
    message = f'datetime format is not recognized: "{text}"'
    hint = "Use a datetime template argument to specify the input data format."
    raise SqlError(Sqlstate.INVALID_ARGUMENT_FOR_SQL_JSON_DATETIME_FUNCTION, message, hint=hint)


def _read(text: str, template: str) -> Moment:
    found = read_strictly(text, template)
    if found.day is None:
        assert found.micros is not None, "what has no date has a time"
        if found.offset is None:
            return Moment(TIME, time_from_micros(found.micros))
        return Moment(TIMETZ, local_timetz(found.micros, found.offset))
    if found.micros is None:
        return Moment(DATE, found.day)
    local = day_of(found.day) * MICROSECONDS_PER_DAY + found.micros
    if found.offset is None:
        return Moment(TIMESTAMP, moment_of(local))
    return Moment(TIMESTAMPTZ, moment_of(local - found.offset * 1_000_000, datetime.UTC), found.offset)


_DATED = (DATE, TIMESTAMP, TIMESTAMPTZ)


def compare_moments(left: Moment, right: Moment, zone: SessionZone | None) -> int | None:
    """Returns -1, 0 or 1; None for a date beside a time of day. Raises 0A000 when the session's zone decides, and
    isn't known."""
    if (left.type in _DATED) != (right.type in _DATED):
        return None
    target = max(left.type, right.type, key=_RANKS.index)
    first, second = _as(left, target, zone), _as(right, target, zone)
    return int(first > second) - int(first < second)


_RANKS = (DATE, TIMESTAMP, TIMESTAMPTZ, TIME, TIMETZ)


def _as(moment: Moment, target: ScalarType, zone: SessionZone | None) -> Any:
    value = moment.value
    if moment.type == target:
        return value
    if target in (TIMESTAMPTZ, TIMETZ) and zone is None:
        message = f"cannot convert value from {moment.type.name} to {target.name} without time zone usage"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint="Use *_tz() function for time zone support.")
    if isinstance(value, datetime.time):
        assert zone is not None
        rules = session_zone(zone.name)
        today, _ = near_moment(combine(zone.now.astimezone(rules), value))
        return local_timetz(time_to_micros(value), offset_at(today, rules))
    assert not isinstance(value, TimeTz), "a time of day is not compared with a date"
    local = value if isinstance(value, datetime.datetime | WideMoment) else midnight(value)
    return local if zone is None or target == TIMESTAMP else from_local(local, zone.name)
