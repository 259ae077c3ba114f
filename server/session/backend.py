"""Sessions for the wire: who may open one, and how one is cancelled from outside."""

from __future__ import annotations

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from server.coordinator.environment import Environment
from server.pgwire.backend import Client, StartupParameters
from server.session.session import Session

_FIRST_PID = 1000
_SECRET_BOUND = 2**31


class SessionBackend:
    """Opens sessions on one environment. Pids are its own, not the operating system's."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._next_pid = _FIRST_PID

    async def open_session(self, startup: StartupParameters, client: Client) -> Session:
        """SqlError FATAL for a database or a role that does not exist."""
        state = self._environment.catalog.state
        if state.role_named(startup.user) is None:
            raise SqlError(
                Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION,
                f'role "{startup.user}" does not exist',
                severity=Severity.FATAL,
            )
        if state.database_named(startup.database) is None:
            raise SqlError(
                Sqlstate.INVALID_CATALOG_NAME,
                f'database "{startup.database}" does not exist',
                severity=Severity.FATAL,
            )
        pid, self._next_pid = self._next_pid, self._next_pid + 1
        secret = self._environment.randomness.below(_SECRET_BOUND)
        session = Session(self._environment, pid, secret, startup, client)
        self._environment.sessions[pid] = session
        return session

    async def cancel(self, pid: int, secret: int) -> None:
        session = self._environment.sessions.get(pid)
        if isinstance(session, Session) and session.secret == secret:
            session.cancel()
