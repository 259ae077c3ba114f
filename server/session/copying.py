"""COPY FROM STDIN as the last statement of a message: its rows are committed before the client is told of the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from model.errors.sql_error import SqlError
from server.pgwire.backend import CopyReceiver
from server.pgwire.copy.blocks import Batch


class CommittingReceiver:
    """A receiver that commits the implicit transaction at its end."""

    def __init__(self, receiver: CopyReceiver, commit: Callable[[], Awaitable[None]]) -> None:
        self._receiver = receiver
        self._commit = commit

    async def feed(self, rows: Batch) -> None:
        await self._receiver.feed(rows)

    async def finish(self) -> str:
        tag = await self._receiver.finish()
        await self._commit()
        return tag

    async def fail(self, error: SqlError) -> None:
        await self._receiver.fail(error)
