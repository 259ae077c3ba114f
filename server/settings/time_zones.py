"""The variable TimeZone: a zone's name, hours east of UTC, or an interval east of UTC.

A number is hours, as SQL wants it, and not the POSIX form that AT TIME ZONE sees in the same text: that counts
westward.
"""

from __future__ import annotations

import re
import zoneinfo

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.dispatch import parse_datum
from model.text.times.zones import named_zone, offset_name, posix_zone
from model.types.datum import Interval
from model.types.scalar_type import INTERVAL

_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?")
_INTERVAL = re.compile(r"interval\s+'(.*)'", re.IGNORECASE)
_MICROS_PER_SECOND = 1_000_000
_SECONDS_PER_HOUR = 3600
_SECONDS_MAX = 24 * _SECONDS_PER_HOUR
"""A zone of Python's lies nearer to UTC than a day."""


def canonical_time_zone(value: str) -> str:
    """Returns the name that SHOW prints for a zone; raises SqlError 22023 for an unknown one."""
    seconds = _seconds_east(value)
    if seconds is not None:
        if abs(seconds) >= _SECONDS_MAX:
            raise _invalid(value)
        return offset_name(seconds)
    if value.lower() in ("utc", "gmt", "z", "default", "local"):
        return "UTC" if value.lower() != "gmt" else "GMT"
    by_lower = {name.lower(): name for name in zoneinfo.available_timezones()}
    name = by_lower.get(value.lower(), value)
    if named_zone(name) is not None:
        return name
    if posix_zone(name) is None:
        raise _invalid(value)
    return name.upper()


def _seconds_east(value: str) -> int | None:
    """Returns the offset of a number or an interval; None for anything else."""
    written = _INTERVAL.fullmatch(value)
    if written is not None:
        return _interval_seconds(written[1])
    if _NUMBER.fullmatch(value) is None:
        return None
    hours = float(value)
    return int(hours * _SECONDS_PER_HOUR) if abs(hours) < _SECONDS_MAX else _SECONDS_MAX


def _interval_seconds(text: str) -> int:
    interval = parse_datum(text, INTERVAL)
    assert isinstance(interval, Interval)
    for part, count in (("months", interval.months), ("days", interval.days)):
        if count:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"Cannot specify {part} in time zone interval.")
    whole = abs(interval.microseconds) // _MICROS_PER_SECOND
    return whole if interval.microseconds > 0 else -whole


def _invalid(value: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'invalid value for parameter "TimeZone": "{value}"')
