"""The arithmetic of frames in RANGE mode and of WITH TIES: checked distances and counts, and floats that may leave the
range.

Only the grammar calls these: `frame_distance(offset, starting)` and `frame_time_distance`, `frame_value(key, distance,
less)`, `frame_count(offset, starting)`, `limit_rows`, `offset_rows`.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Interval
from model.types.scalar_type import BOOL, FLOAT8, INT8, INTERVAL, NUMERIC
from planner.functions.rows import first_type, syntax
from planner.functions.signature import Function

_DAY = Interval(0, 0, 86_400_000_000)


def _distance(value: Any, starting: bool) -> Any:
    """Returns a frame's distance; raises 22004 for NULL, 22013 for a negative one."""
    if value is None:
        which = "starting" if starting else "ending"
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, f"frame {which} offset must not be null")
    if _is_negative(value):
        message = "invalid preceding or following size in window function"
        raise SqlError(Sqlstate.INVALID_PRECEDING_OR_FOLLOWING_SIZE, message)
    return value


def offset_of(value: int | None, which: str) -> int:
    """Returns a frame's offset in rows or groups; `which` is "starting" or "ending". Raises 22004 for NULL, 22013
    for a negative one."""
    if value is None:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, f"frame {which} offset must not be null")
    if value < 0:
        message = f"frame {which} offset must not be negative"
        raise SqlError(Sqlstate.INVALID_PRECEDING_OR_FOLLOWING_SIZE, message)
    return value


def _time_distance(value: Interval | None, starting: bool) -> Interval:
    """Returns a distance: between times of day only hours and less count, and a day is as far as any."""
    hours = None if value is None else Interval(0, 0, value.microseconds)
    checked: Interval = _distance(hours, starting)
    return min(checked, _DAY, key=Interval.span)


def _is_negative(value: float | Decimal | Interval) -> bool:
    match value:
        case Interval():
            return value.span() < Interval(0, 0, 0).span()
        case Decimal():
            return value.is_nan() or value < 0
        case _:
            return math.isnan(value) or value < 0


def _value(key: float, distance: float, less: bool) -> float:
    """Returns the bound's value: infinitely far from infinity, on the near side, everything is within reach."""
    if math.isinf(distance) and math.isinf(key) and (key > 0) is less:
        return -key
    return key - distance if less else key + distance


def _limit_rows(count: int) -> int:
    if count < 0:
        raise SqlError(Sqlstate.INVALID_ROW_COUNT_IN_LIMIT_CLAUSE, "LIMIT must not be negative")
    return count


def _offset_rows(count: int) -> int:
    if count < 0:
        raise SqlError(Sqlstate.INVALID_ROW_COUNT_IN_RESULT_OFFSET_CLAUSE, "OFFSET must not be negative")
    return count


FUNCTIONS: tuple[Function, ...] = (
    *(
        syntax("frame_distance", (type_, BOOL), first_type, _distance, strict=False, fallible=True)
        for type_ in (NUMERIC, FLOAT8, INTERVAL)
    ),
    syntax("frame_time_distance", (INTERVAL, BOOL), INTERVAL, _time_distance, strict=False, fallible=True),
    syntax(
        "frame_count",
        (INT8, BOOL),
        INT8,
        lambda value, starting: offset_of(value, "starting" if starting else "ending"),
        strict=False,
        fallible=True,
    ),
    syntax("limit_rows", (INT8,), INT8, _limit_rows, fallible=True),
    syntax("offset_rows", (INT8,), INT8, _offset_rows, fallible=True),
    syntax("frame_value", (FLOAT8, FLOAT8, BOOL), FLOAT8, _value),
)
