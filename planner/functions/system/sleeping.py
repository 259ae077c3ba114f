"""pg_sleep and its kin: the statement waits, and nothing else does.

Functions are evaluated where others may wait for them, so none sleeps by itself: who evaluates the query says how.
Where nobody has said so, it is 0A000.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from model.errors.sql_error import NotSupported
from model.types.datum import Interval
from model.types.scalar_type import FLOAT8, INTERVAL, TIMESTAMPTZ, VOID
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.ir.scalar import SessionName

_SECONDS_MAX = 365 * 86_400.0
_MICROSECONDS = 1_000_000

Sleep = Callable[[float], None]
"""Returns when so many seconds have passed."""

_SLEEP: ContextVar[Sleep | None] = ContextVar("how an evaluation sleeps", default=None)


@contextmanager
def sleeping_by(sleep: Sleep) -> Iterator[None]:
    """Makes evaluations within this block sleep by `sleep`."""
    token = _SLEEP.set(sleep)
    try:
        yield
    finally:
        _SLEEP.reset(token)


def _sleep(seconds: float) -> str:
    sleep = _SLEEP.get()
    if sleep is None:
        raise NotSupported("pg_sleep here")
    if not math.isnan(seconds) and seconds > 0:
        sleep(min(seconds, _SECONDS_MAX))
    return ""


def _sleep_for(interval: Interval) -> str:
    return _sleep(interval.span() / _MICROSECONDS)


def _sleep_until(moment: datetime.datetime, now: datetime.datetime) -> str:
    return _sleep((moment - now).total_seconds())


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
