"""Interrupts statements: by a client's cancel request, or statement_timeout."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from server.planning.long_texts import apart

P = ParamSpec("P")
T = TypeVar("T")
_PIECES_A_TURN = 32


class Interruption:
    """Armed when a statement begins; each piece of its work is run through `run`."""

    def __init__(self) -> None:
        self._task: asyncio.Task[Any] | None = None
        self._deadline: float | None = None
        self._cancelled: SqlError | None = None
        self._requests = 0
        self._pieces = 0

    def arm(self, timeout_ms: int) -> None:
        """Arms the timeout, since a statement begins; 0 is no timeout."""
        self._cancelled = None
        self._deadline = asyncio.get_running_loop().time() + timeout_ms / 1000 if timeout_ms else None

    def lift_timeout(self) -> None:
        """Lifts the timeout: the rest of the statement may take as long as it likes."""
        self._deadline = None

    def disarm(self) -> None:
        """Disarms the timeout: the work on a message ends, or that on all up to a Sync."""
        self._pieces = 0
        self._deadline = None
        self._cancelled = None

    def cancel(self, error: SqlError) -> None:
        """Ends the running piece of work, and with it the statement, in `error`; nothing happens when none runs."""
        if self._task is not None:
            self._cancelled = error
            self._requests += 1
            self._task.cancel()

    async def run(self, work: Awaitable[T]) -> T:
        """Awaits `work`; raises SqlError when it is interrupted: 57014 after the timeout, else the error passed to
        `cancel`."""
        task = asyncio.current_task()
        assert task is not None, "a session's statements run in its connection's task"
        if task.cancelling() > self._requests:
            # A COMMIT under way is not told of the end of its connection, and nothing more is begun after it.
            _close(work)
            raise asyncio.CancelledError
        # A statement that reads from a portal runs within another piece of work.
        outer, self._task = self._task, task
        try:
            self._pieces += 1
            if self._pieces % _PIECES_A_TURN == 0:
                await _let_others_go_on(work)
            result = await (work if self._deadline is None else _until(self._deadline, work))
            if self._requests:
                # Work that has cancelled its own session, and waited for nothing since, has not been told yet.
                await asyncio.sleep(0)
            return result
        except asyncio.CancelledError:
            if self._cancelled is None or self._answered(task):
                raise
            raise self._cancelled from None
        finally:
            if self._requests:
                # Work that was nearly done has ended all the same.
                self._answered(task)
            self._task = outer

    def _answered(self, task: asyncio.Task[Any]) -> bool:
        """Withdraws the cancellations that `cancel` has requested of the task, which goes on with its next
        statement; tells whether the task is being cancelled for another reason, such as the end of its connection."""
        while self._requests:
            self._requests -= 1
            task.uncancel()
        return task.cancelling() > 0

    async def apart(self, sql: str, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Runs work on a text: at once where it takes few steps, else outside of the event loop."""
        return await self.run(apart(sql, work, *arguments, **named))


async def _let_others_go_on(work: Awaitable[Any]) -> None:
    """Lets other tasks run before more work, because small pieces in sequence may never wait."""
    try:
        await asyncio.sleep(0)
    except asyncio.CancelledError:
        _close(work)
        raise


def _close(work: Awaitable[Any]) -> None:
    """Gives up work that has not begun."""
    if isinstance(work, Coroutine):
        work.close()


async def _until(deadline: float, work: Awaitable[T]) -> T:
    """Awaits `work`; raises SqlError 57014 when that is not done by the loop's time `deadline`."""
    limit = asyncio.timeout_at(deadline)
    try:
        async with limit:
            return await work
    except TimeoutError:
        # Not told by the clock: loops fire what is due within the resolution of theirs.
        if not limit.expired():
            raise
        raise SqlError(Sqlstate.QUERY_CANCELED, "canceling statement due to statement timeout") from None


def administrator_command() -> SqlError:
    """Returns the error 57P01, which ends a session."""
    message = "terminating connection due to administrator command"
    return SqlError(Sqlstate.ADMIN_SHUTDOWN, message, severity=Severity.FATAL)
