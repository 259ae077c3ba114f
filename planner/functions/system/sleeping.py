"""pg_sleep and its kin."""

from __future__ import annotations

import math

from model.types.datum import Interval
from model.types.scalar_type import FLOAT8, INTERVAL, TIMESTAMPTZ, VOID
from model.types.wide_time import AnyMoment
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.functions.system.waiting import sleep
from planner.functions.time.moments import micros_between
from planner.ir.scalar import SessionName

_SECONDS_MAX = 365 * 86_400.0
_MICROSECONDS = 1_000_000


def _sleep(seconds: float) -> str:
    seconds = 0.0 if math.isnan(seconds) else max(seconds, 0.0)
    sleep(min(seconds, _SECONDS_MAX))
    return ""


def _sleep_for(interval: Interval) -> str:
    return _sleep(interval.span() / _MICROSECONDS)


def _sleep_until(moment: AnyMoment, now: AnyMoment) -> str:
    return _sleep(micros_between(moment, now) / _MICROSECONDS)


FUNCTIONS: tuple[Function, ...] = (
    function("pg_sleep", (FLOAT8,), VOID, _sleep, fallible=True, volatility=Volatility.VOLATILE),
    function("pg_sleep_for", (INTERVAL,), VOID, _sleep_for, fallible=True, volatility=Volatility.VOLATILE),
    function(
        "pg_sleep_until",
        (TIMESTAMPTZ,),
        VOID,
        _sleep_until,
        fallible=True,
        volatility=Volatility.VOLATILE,
        session=(SessionName.CLOCK_TIME,),
    ),
)
