"""Opens sessions for the wire, if the client may have one; and cancels them from outside."""

from __future__ import annotations

import datetime

from catalog.facts.roles.decide import held
from catalog.facts.roles.securables import database_securable
from catalog.nouns.items import SUPERUSER_OID, Role
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.dispatch import parse_datum
from model.types.scalar_type import TIMESTAMPTZ
from model.types.wide_time import WideMoment
from planner.privileges import CONNECT
from server.environment.environment import Environment
from server.pgwire.backend import Client, Credentials, StartupParameters
from server.session.session import Session

_FIRST_PID = 1000
_SECRET_BOUND = 2**31


class SessionBackend:
    """Opens sessions on one environment. Pids are its own numbers, not the operating system's."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._next_pid = _FIRST_PID
        self._known: dict[str, Credentials] = {}
        self._known_in: CatalogState | None = None

    def credentials(self, user: str) -> Credentials:
        """Returns the proof that a client must give to log in as `user`."""
        state = self._environment.catalog.state
        if self._known_in is not state:
            self._known, self._known_in = {}, state
        known = self._known.get(user)
        if known is not None:
            return known
        role = state.role_named(user)
        if role is None:
            return Credentials()
        oids = state.memberships.member_of(role.oid, None)
        names = frozenset(found.name for oid in oids if (found := state.roles.get(oid)) is not None)
        made = Credentials(role.password, self._expired(role), role.oid == SUPERUSER_OID, role.superuser, names)
        if role.valid_until is None:
            # Else the passing of time changes it.
            self._known[user] = made
        return made

    def _expired(self, role: Role) -> bool:
        if role.valid_until is None:
            return False
        until = parse_datum(role.valid_until, TIMESTAMPTZ)
        now = datetime.datetime.fromtimestamp(self._environment.clock.now_ms() / 1000, datetime.UTC)
        assert isinstance(until, datetime.datetime | WideMoment)
        return until < now

    def _count(self, role: int) -> int:
        """Returns the sessions of those who have logged in as a role."""
        return sum(each.role == role for each in self._environment.clients.sessions.values())

    async def open_session(self, startup: StartupParameters, client: Client) -> Session:
        """Opens a session of the client's role and database. Raises SqlError (FATAL) for a database or a role that does
        not exist, for a role that may not log in or connect to the database, and when the role has too many
        connections."""
        state = self._environment.catalog.state
        role, database = state.role_named(startup.user), state.database_named(startup.database)
        if role is None:
            message = f'role "{startup.user}" does not exist'
            raise _refused(Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION, message)
        if not role.login:
            message = f'role "{role.name}" is not permitted to log in'
            raise _refused(Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION, message)
        if database is None:
            raise _refused(Sqlstate.INVALID_CATALOG_NAME, f'database "{startup.database}" does not exist')
        object_ = database_securable(state, database.oid)
        if object_ is not None and CONNECT not in held(state, role.oid, object_):
            message = f'permission denied for database "{database.name}"'
            detail = "User does not have CONNECT privilege."
            raise _refused(Sqlstate.INSUFFICIENT_PRIVILEGE, message, detail)
        self._require_room(role)
        pid, self._next_pid = self._next_pid, self._next_pid + 1
        secret = self._environment.randomness.below(_SECRET_BOUND)
        session = Session(self._environment, pid, secret, startup, client)
        self._environment.clients.sessions[pid] = session
        return session

    @property
    def catalog_version(self) -> int:
        """Returns the version of the catalog by which clients are let in now, and by which their sessions begin."""
        return self._environment.catalog.state.version

    def reopened(self, session: Session, version: int) -> bool:
        """Opens a session again that was untouched when it was closed. False, and nothing is done, once the catalog has
        changed since `version`, at which the session began. Raises SqlError (FATAL) when the role has too many
        connections."""
        state = self._environment.catalog.state
        if version != state.version:
            return False
        self._require_room(state.roles[session.role])
        session.begin_anew()
        return True

    def _require_room(self, role: Role) -> None:
        """Raises SqlError (FATAL) when a role has as many sessions as it may have."""
        if role.connection_limit >= 0 and not role.superuser and self._count(role.oid) >= role.connection_limit:
            raise _refused(Sqlstate.TOO_MANY_CONNECTIONS, f'too many connections for role "{role.name}"')

    async def cancel(self, pid: int, secret: int) -> None:
        session = self._environment.clients.sessions.get(pid)
        if isinstance(session, Session) and session.secret == secret:
            session.cancel()


def is_untouched(session: Session) -> bool:
    """Tells whether statements have left nothing in a session, so that a new one of the same client would be like
    it."""
    return (
        session.transactions.current is None
        and session.variables.unchanged
        and session.holdings.unnamed
        and session.asker.counters.untaken
        and not session.locks.counts
        and not session.listening_channels
    )


def _refused(sqlstate: Sqlstate, message: str, detail: str | None = None) -> SqlError:
    return SqlError(sqlstate, message, detail=detail, severity=Severity.FATAL)
