"""Opens a session for one call of a tool, and runs statements in it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.errors.deep_recursion import too_deep
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.time.uninterrupted import finish_uninterrupted
from planner.syntax.parse import ParsedStatement
from server.admission.places import AdmittedPlaces
from server.agents.limited_answer import LimitedAnswer
from server.api.client import HttpClient
from server.api.sql_requests import SqlQuery, SqlRequest
from server.api.statement_run import StatementRun
from server.http.request import HttpPeer
from server.pgwire.backend import StartupParameters
from server.session.backend import SessionBackend
from server.session.session import Session

_KINDS_OF_WRITES = ("select_stmt", "insert_stmt", "update_stmt", "delete_stmt", "merge_stmt")


@dataclass(frozen=True, slots=True)
class Caller:
    """The authenticated user of a call, the database and the session variables that the request's path names, and the
    client's connection, which `abort` closes."""

    user: str
    database: str
    options: Mapping[str, str]
    peer: HttpPeer
    abort: Callable[[], None]


class AgentSession:
    """A session with its client, which runs statements for tools."""

    def __init__(self, session: Session, client: HttpClient) -> None:
        self.session = session
        self._client = client

    @property
    def ended(self) -> SqlError | None:
        """Returns the error with which the server ended the session; None while the session goes on."""
        return self._client.ended

    def when_ended(self, act: Callable[[], None]) -> None:
        """Has `act` called as soon as the server ends the session."""
        self._client.when_ended = act

    async def run(
        self,
        queries: Sequence[SqlQuery],
        rows_max: int,
        require: Callable[[ParsedStatement], None],
        *,
        whole: bool = False,
    ) -> LimitedAnswer:
        """Runs statements one after the other, up to the first error, and returns their answers."""
        answer = LimitedAnswer(self._client, rows_max, whole=whole)
        run = StatementRun(self.session, answer, lambda: self._client.ended, {}, stays=False, require=require)
        await run.run(SqlRequest(queries=tuple(queries)))
        return answer

    async def require_alone(self, sql: str, require: Callable[[ParsedStatement], None]) -> None:
        """Raises SqlError unless the text is exactly one statement and `require` accepts the statement."""
        try:
            await self.session.parse("", sql, ())
        except RecursionError:
            raise too_deep() from None
        statement = self.session.holdings.statement_named("").statement
        if statement is None:
            raise SqlError(Sqlstate.SYNTAX_ERROR, "a statement is missing")
        require(statement)

    async def close(self) -> None:
        """Ends the session; an open transaction is rolled back."""
        self._client.close()
        # A second cancellation must not cut the release of what the session holds.
        await finish_uninterrupted(self.session.close())


class AgentSessions:
    """Opens sessions of callers."""

    def __init__(self, backend: SessionBackend, places: AdmittedPlaces) -> None:
        self._backend = backend
        self._places = places

    async def opened(
        self, caller: Caller, held: contextlib.ExitStack, options: Mapping[str, str], *, reads_only: bool
    ) -> AgentSession:
        """Opens a session, which counts as one of the server's connections until `held` is closed. The session's
        statements may only read and write rows; with `reads_only`, only read. Raises SqlError when the server has no
        connection left."""
        peer, superuser = caller.peer, self._backend.credentials(caller.user).superuser
        held.enter_context(self._places.held(superuser=superuser))
        # Names of variables are equal in any case.
        given = {name: value for name, value in caller.options.items() if name.lower() not in options}
        startup = StartupParameters(
            caller.user,
            caller.database,
            {**given, **options},
            *peer.there,
            peer.encryption,
            "agent",
            reads_only=reads_only,
            effectless=True,
            server=peer.here,
        )
        client = HttpClient(caller.abort)
        return AgentSession(await self._backend.open_session(startup, client), client)

    @contextlib.asynccontextmanager
    async def reading(
        self, caller: Caller, timeout_ms: int, search_path: str | None = None
    ) -> AsyncIterator[AgentSession]:
        """Opens a session that may only read, for as long as the block runs."""
        options = {"statement_timeout": str(timeout_ms)} | ({} if search_path is None else {"search_path": search_path})
        with contextlib.ExitStack() as held:
            session = await self.opened(caller, held, options, reads_only=True)
            try:
                yield session
            finally:
                await session.close()

    async def rows(
        self,
        caller: Caller,
        query: SqlQuery,
        rows_max: int,
        timeout_ms: int,
        require: Callable[[ParsedStatement], None],
    ) -> dict[str, Any]:
        """Returns the rows of one statement, run in a session that may only read. Raises SqlError when the statement
        fails."""
        async with self.reading(caller, timeout_ms) as session:
            return only_result(await session.run((query,), rows_max, require))


def only_result(answer: LimitedAnswer) -> dict[str, Any]:
    """Returns the result of a call's only statement; raises SqlError when the statement has failed."""
    if answer.error is not None:
        raise answer.error
    (result,) = answer.results
    return result


def require_select(statement: ParsedStatement) -> None:
    """Raises SqlError 0A000 unless the statement is a query that writes no rows and locks none."""
    if statement.kind != "select_stmt" or statement.changes_rows or statement.node.locking_clause:
        raise NotSupported("any statement but one SELECT without locks in this tool")


def require_change(statement: ParsedStatement) -> None:
    """Raises SqlError 0A000 unless the statement is a query or changes rows."""
    if statement.kind not in _KINDS_OF_WRITES or (statement.kind == "select_stmt" and _makes_table(statement)):
        raise NotSupported("any statement but SELECT, INSERT, UPDATE and DELETE in this tool")


def _makes_table(statement: ParsedStatement) -> bool:
    return bool(statement.node.HasField("into_clause"))


def anything(statement: ParsedStatement) -> None:
    """Takes each statement: for statements that a tool has written itself."""
