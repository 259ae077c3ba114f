"""What may end a statement before its time: a client's cancel request, or statement_timeout."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar

from model.errors import Severity, SqlError
from model.sqlstate import Sqlstate
from server.coordinator.long_texts import beside, is_long_text

P = ParamSpec("P")
T = TypeVar("T")


class Interruption:
    """Armed when a statement begins; each piece of its work is run through `run`."""

    def __init__(self) -> None:
        self._task: asyncio.Future[Any] | None = None
        self._deadline: float | None = None
        self._cancelled: SqlError | None = None

    def arm(self, timeout_ms: int) -> None:
        """A statement begins; 0 is no timeout."""
        self._cancelled = None
        self._deadline = asyncio.get_running_loop().time() + timeout_ms / 1000 if timeout_ms else None

    def lift_timeout(self) -> None:
        """The rest of the statement may take as long as it likes."""
        self._deadline = None

    def disarm(self) -> None:
        self._deadline = None
        self._cancelled = None

    def cancel(self, error: SqlError) -> None:
        """Ends the running piece of work, and with it the statement, in `error`; nothing happens when none runs."""
        if self._task is not None:
            self._cancelled = error
            self._task.cancel()

    async def run(self, work: Awaitable[T]) -> T:
        """Awaits `work`; SqlError when it was interrupted: 57014 after its time, else what `cancel` was given."""
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
            if self._cancelled is None:
                task.cancel()
                raise
            raise self._cancelled from None
        finally:
            self._task = outer

    async def apart(self, sql: str, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """What is done with a text: at once with a short one, beside the event loop with one that takes long."""
        if not is_long_text(sql):
            return work(*arguments, **named)
        return await self.run(beside(work, *arguments, **named))


def administrator_command() -> SqlError:
    """57P01, which ends a session."""
    message = "terminating connection due to administrator command"
    return SqlError(Sqlstate.ADMIN_SHUTDOWN, message, severity=Severity.FATAL)
