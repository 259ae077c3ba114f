"""What may end a statement before its time: a client's cancel request, or statement_timeout."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from model.errors import SqlError
from model.sqlstate import Sqlstate

T = TypeVar("T")


class Interruption:
    """Armed when a statement begins; each piece of its work is run through `run`."""

    def __init__(self) -> None:
        self._task: asyncio.Future[Any] | None = None
        self._deadline: float | None = None
        self._cancelled = False

    def arm(self, timeout_ms: int) -> None:
        """A statement begins; 0 is no timeout."""
        self._cancelled = False
        self._deadline = asyncio.get_running_loop().time() + timeout_ms / 1000 if timeout_ms else None

    def lift_timeout(self) -> None:
        """The rest of the statement may take as long as it likes."""
        self._deadline = None

    def disarm(self) -> None:
        self._deadline = None
        self._cancelled = False

    def cancel(self) -> None:
        """Ends the running piece of work, and with it the statement; nothing happens when none runs."""
        if self._task is not None:
            self._cancelled = True
            self._task.cancel()

    async def run(self, work: Awaitable[T]) -> T:
        """Awaits `work`; SqlError 57014 when it was interrupted."""
        task = asyncio.ensure_future(work)
        # A statement that reads from a portal runs within another piece of work.
        outer, self._task = self._task, task
        limit = asyncio.timeout_at(self._deadline)
        try:
            async with limit:
                return await task
        except TimeoutError:
            # Not told by the clock: loops fire what is due within the resolution of theirs.
            if not limit.expired():
                raise
            raise SqlError(Sqlstate.QUERY_CANCELED, "canceling statement due to statement timeout") from None
        except asyncio.CancelledError:
            if not self._cancelled:
                task.cancel()
                raise
            raise SqlError(Sqlstate.QUERY_CANCELED, "canceling statement due to user request") from None
        finally:
            self._task = outer
