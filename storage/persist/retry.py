"""Retries reads of a consensus store that fail for a moment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.backing_off import BackOff
from model.time.clock import Clock
from storage.persist.location import Indeterminate

T = TypeVar("T")

ATTEMPTS_MAX = 40
"""Some 30 seconds."""
_BACK_OFF = BackOff(0.001, 1.0)


async def back_off(clock: Clock, attempt: int) -> None:
    """Waits before the attempt after `attempt` (from 0): longer each time, up to a second."""
    await _BACK_OFF.wait(clock, attempt + 1)


async def retried(read: Callable[[], Awaitable[T]], clock: Clock) -> T:
    """Returns the result of `read`, which is idempotent; raises SqlError (io_error) after ATTEMPTS_MAX failures."""
    for attempt in range(ATTEMPTS_MAX):
        try:
            return await read()
        except Indeterminate as error:
            last = error
        await back_off(clock, attempt)
    raise SqlError(Sqlstate.IO_ERROR, "the consensus store does not answer", detail=str(last))
