"""pg_sleep and its kin: the statement waits, and nothing else does.

Functions are evaluated on the thread that serves everybody, so none may wait there. One that has to sleep raises Pause
instead; who evaluates the query sleeps, and evaluates it again with one sleep more behind it. Where nobody has said
that he does so, as on Spark, it is 0A000.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from model.datum import Interval
from model.errors import NotSupported
from model.scalar_type import FLOAT8, INTERVAL, TIMESTAMPTZ, VOID
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.ir.scalar import SessionName

_SECONDS_MAX = 365 * 86_400.0
_MICROSECONDS = 1_000_000


class Pause(Exception):
    """`seconds` must pass before the query is evaluated again."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@dataclass(slots=True)
class _Behind:
    """How many more sleeps of an evaluation have been slept."""

    count: int


_BEHIND: ContextVar[_Behind | None] = ContextVar("sleeps that are behind an evaluation", default=None)


@contextmanager
def pausing(slept: int) -> Iterator[None]:
    """Sleeps raise Pause within, but for the first `slept`, which return at once."""
    token = _BEHIND.set(_Behind(slept))
    try:
        yield
    finally:
        _BEHIND.reset(token)


def _sleep(seconds: float) -> str:
    behind = _BEHIND.get()
    if behind is None:
        raise NotSupported("pg_sleep in a query over the rows of a collection")
    if behind.count:
        behind.count -= 1
    elif not math.isnan(seconds) and seconds > 0:
        raise Pause(min(seconds, _SECONDS_MAX))
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
