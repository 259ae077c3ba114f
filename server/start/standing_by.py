"""Answers for a standby: every client is told to go elsewhere, or to come again (57P03); and says that it is there.

After this code libpq asks the next of several hosts, whatever `target_session_attrs` says.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Clock
from server.options import ServeOptions
from server.pgwire.backend import Client, ClientSession, Credentials, StartupParameters
from server.pgwire.connection import ConnectionOptions
from server.start.entrance import Entrance
from storage.persist.location import Consensus, Indeterminate
from timeline.promotion import OwnRecord, StandbyRecord

_SAYS_S = 1.0
_HEARS_S = 0.05


class StandingBy:
    """The backend of a standby. Clients are refused before authentication, as by PostgreSQL."""

    def credentials(self, user: str) -> Credentials:
        raise _refused()

    async def open_session(self, startup: StartupParameters, client: Client) -> ClientSession:
        raise _refused()

    async def cancel(self, pid: int, secret: int) -> None:
        """Does nothing: there are no statements."""


def refusing_options(options: ServeOptions, entrance: Entrance) -> ConnectionOptions:
    """Returns how clients are heard that are all refused."""
    return ConnectionOptions(startup_timeout_s=options.authentication_timeout_ms / 1000, tls=entrance.tls)


def _refused() -> SqlError:
    return SqlError(
        Sqlstate.CANNOT_CONNECT_NOW,
        "the database system is not accepting connections",
        detail="This server stands by: another one leads, or this one is about to.",
    )


class StandbyPresence:
    """Says in consensus, all the time, that a standby is there: `begin` first, `end` last.

    `record` returns what is to be said, which is said at once when its answer is another one; `said` is told of each
    record, with its version.
    """

    def __init__(
        self,
        consensus: Consensus,
        clock: Clock,
        name: str,
        record: Callable[[], StandbyRecord],
        said: Callable[[StandbyRecord, int], None],
    ) -> None:
        self._own = OwnRecord(consensus, name)
        self._clock = clock
        self._record = record
        self._said = said
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Begins to say it, and returns at once."""
        self._task = asyncio.create_task(self._say(), name="standing by")

    async def _say(self) -> None:
        while True:
            record = self._record()
            with contextlib.suppress(Indeterminate, SqlError):
                version = await self._own.write(record)
                if version is not None:
                    self._said(record, version)
            waited_s = 0.0
            while waited_s < _SAYS_S and self._record().answer == record.answer:
                await self._clock.sleep(_HEARS_S)
                waited_s += _HEARS_S

    async def end(self) -> None:
        """Says it no more, as far as consensus can be reached."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            with contextlib.suppress(Indeterminate, SqlError):
                await self._own.forget()
