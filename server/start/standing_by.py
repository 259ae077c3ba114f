"""Answers for a standby: every client is told to go elsewhere, or to come again (57P03).

After this code libpq asks the next of several hosts, whatever `target_session_attrs` says.
"""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.options import ServeOptions
from server.pgwire.backend import Client, ClientSession, Credentials, StartupParameters
from server.pgwire.connection import ConnectionOptions
from server.start.entrance import Entrance


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
