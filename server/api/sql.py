"""Runs the statements of a request within a session of the request's own.

The text of `query` is one implicit transaction, like a message of the simple protocol; each of `queries` is an implicit
transaction by itself. A transaction still open at the request's end is rolled back. The first error ends the request's
statements.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import structlog

from model.errors.deep_recursion import too_deep
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.process.redaction import redacted
from planner.syntax.parse import ParsedStatement
from server.admission.places import AdmittedPlaces
from server.api.client import HttpClient
from server.api.door import Door
from server.api.origins import Origins
from server.api.sql_answers import SqlAnswer
from server.api.sql_requests import SqlQuery, SqlRequest, read_options, read_request, require_json
from server.http.exchange import ClientGone, Exchange
from server.http.request import Answer, Refused, require_method
from server.pgwire.backend import Command, CopyIn, CopyOut, EmptyQuery, Rows, StartupParameters, StatementResult
from server.pgwire.large_values import LARGE_BYTES, done
from server.pgwire.messages import Bind
from server.pgwire.parameters import KnownReceivers, parameter_context, read_parameters
from server.session.backend import SessionBackend
from server.session.session import Session

SQL = "/api/sql"
_REFUSED = {
    "declare_cursor_stmt": "DECLARE",
    "fetch_stmt": "FETCH",
    "close_portal_stmt": "CLOSE",
    "subscribe_stmt": "SUBSCRIBE",
}
_HINT = "A connection over PostgreSQL's protocol takes it."
_FORBIDDEN = (Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION, Sqlstate.INSUFFICIENT_PRIVILEGE)
_log = structlog.get_logger()


class SqlRequests:
    """Answers `POST /api/sql`."""

    def __init__(self, backend: SessionBackend, door: Door, origins: Origins, places: AdmittedPlaces) -> None:
        self._backend = backend
        self._places = places
        self._door = door
        self._origins = origins

    async def answer(self, exchange: Exchange) -> Answer | None:
        head = exchange.head
        require_method(head, "POST", of="for SQL")
        self._origins.require_own(head)
        require_json(head)
        database, options = read_options(head)
        user = await self._door.user_of(exchange, database)
        request = read_request(await exchange.body())
        client = HttpClient(exchange.abort)
        peer = exchange.peer
        startup = StartupParameters(user, database or user, options, *peer.there, peer.encryption, "http client")
        with contextlib.ExitStack() as held, exchange.cancelled_with_client():
            session = await self._opened(startup, client, held)
            answer = SqlAnswer(exchange, client)
            try:
                await _Run(session, client, answer).run(request)
            finally:
                client.close()
                # A second cancellation must not cut the release of what the session holds.
                await asyncio.shield(session.close())
            return await answer.finished()

    async def _opened(self, startup: StartupParameters, client: HttpClient, held: contextlib.ExitStack) -> Session:
        """Opens a session in a place among the server's, which `held` gives back."""
        try:
            superuser = self._backend.credentials(startup.user).superuser
            held.enter_context(self._places.held(superuser=superuser))
            return await self._backend.open_session(startup, client)
        except SqlError as error:
            if error.sqlstate is Sqlstate.TOO_MANY_CONNECTIONS:
                raise Refused(429, error.message, retry=True) from None
            raise Refused(403 if error.sqlstate in _FORBIDDEN else 400, error.message) from None


class _Run:
    """One request's statements in its session."""

    def __init__(self, session: Session, client: HttpClient, answer: SqlAnswer) -> None:
        self._session = session
        self._client = client
        self._answer = answer
        self._receivers = KnownReceivers()

    async def run(self, request: SqlRequest) -> None:
        try:
            if request.query is not None:
                await self._run_text(request.query)
            for query in request.queries or ():
                await self._run_query(query)
        except SqlError as error:
            await self._fail(error)
        except RecursionError:
            # What the grammar reads may be deeper than what can be planned.
            await self._fail(too_deep())
        except ClientGone:
            raise
        except Exception as defect:  # noqa: BLE001 - a defect fails its statement, and is told
            _log.exception("statement failed")
            told = redacted(f"internal error: {type(defect).__name__}: {defect}")
            await self._fail(SqlError(Sqlstate.INTERNAL_ERROR, told))

    async def _fail(self, error: SqlError) -> None:
        await self._session.fail(error)
        await self._answer.add_error(error)

    async def _run_text(self, sql: str) -> None:
        results = self._session.simple_query(sql, _require_answerable)
        async with contextlib.aclosing(results):
            async for result in results:
                await self._tell(result)

    async def _run_query(self, query: SqlQuery) -> None:
        session = self._session
        await session.parse("", query.query, ())
        statement = session.holdings.statement_named("").statement
        if statement is None:
            raise SqlError(Sqlstate.SYNTAX_ERROR, "each query has one statement, and this one has none")
        _require_answerable((statement,))
        texts = tuple(None if text is None else text.encode() for text in query.params)
        types = session.parameter_types("")
        context, large = parameter_context(session, types), sum(map(len, filter(None, texts))) >= LARGE_BYTES
        bind = Bind("", "", (), texts, ())
        read = partial(read_parameters, bind, types, context, session.parameter_check, self._receivers)
        await session.bind("", "", await done(read, large=large), ())
        result = await session.execute("", 0, last=True)
        opened = session.holdings.portals.get("")
        if opened is not None and isinstance(opened.result, Rows) and opened.result.live is not None:
            raise _not_answerable("SUBSCRIBE")
        await self._tell(result, session.sync)

    async def _tell(self, result: StatementResult, end: Callable[[], Awaitable[None]] | None = None) -> None:
        """Adds a result to the answer, once `end` has ended the transaction."""
        match result:
            case Rows(live=None):
                await self._answer.add_rows(result, self._session.text_context, end)
            case Rows():
                raise _not_answerable("SUBSCRIBE")
            case Command(tag=tag):
                if end is not None:
                    await end()
                await self._answer.add_command(tag)
            case EmptyQuery():
                pass
            case CopyIn():
                error = _not_answerable("COPY FROM STDIN")
                await result.receiver.fail(error)
                raise error
            case CopyOut():
                raise _not_answerable("COPY TO STDOUT")
        if self._client.ended is not None:
            raise self._client.ended


def _require_answerable(statements: Sequence[ParsedStatement]) -> None:
    """Raises 0A000 for statements whose client has to stay."""
    for statement in statements:
        if statement.kind in _REFUSED:
            raise _not_answerable(_REFUSED[statement.kind])


def _not_answerable(what: str) -> SqlError:
    return NotSupported(f"{what} over HTTP", hint=_HINT)
