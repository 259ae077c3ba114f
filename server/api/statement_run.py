"""Runs the statements of a request in its client's session, and tells an answer the result of each.

The text of `query` is one implicit transaction, like a message of the simple protocol; each of `queries` is an implicit
transaction by itself. The first error ends the request's statements.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

import structlog

from model.errors.deep_recursion import too_deep
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.process.redaction import redacted
from model.text.context import TextContext
from planner.syntax.parse import ParsedStatement
from server.api.sql_requests import SqlQuery, SqlRequest
from server.http.request import ClientGone
from server.pgwire.backend import Command, CopyIn, CopyOut, EmptyQuery, Rows, StatementResult
from server.pgwire.large_values import LARGE_BYTES, done
from server.pgwire.messages import Bind
from server.pgwire.parameters import KnownReceivers, parameter_context, read_parameters
from server.session.session import Session

_HINT = "A connection over PostgreSQL's protocol takes it."
_log = structlog.get_logger()
Ending = Callable[[], Awaitable[None]]


class StatementAnswer(Protocol):
    """The answer to a client about a request's statements."""

    async def add_command(self, tag: str) -> None:
        """Tells of a statement without rows."""
        ...

    async def add_rows(self, result: Rows, context: TextContext, end: Ending | None, *, live: bool) -> None:
        """Tells rows as they come, and the tag once `end` has ended the transaction. `live`: they go on without an
        end."""
        ...

    async def add_error(self, error: SqlError) -> None:
        """Tells the error that ends the request's statements."""
        ...


class StatementRun:
    """One request's statements. `refused`: kinds of statements that this client can't have, with their names; among
    them SUBSCRIBE, unless the client `stays`. `ended` tells why the session was ended from outside, if ever. `require`
    raises SqlError for further statements that are not to be run."""

    def __init__(
        self,
        session: Session,
        answer: StatementAnswer,
        ended: Callable[[], SqlError | None],
        refused: Mapping[str, str],
        *,
        stays: bool,
        require: Callable[[ParsedStatement], None] = lambda statement: None,
    ) -> None:
        self._session = session
        self._require = require
        self._answer = answer
        self._ended = ended
        self._refused = refused
        self._stays = stays
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
        results = self._session.simple_query(sql, self._require_answerable)
        async with contextlib.aclosing(results):
            async for result in results:
                await self._tell(result)

    async def _run_query(self, query: SqlQuery) -> None:
        session = self._session
        await session.parse("", query.query, ())
        statement = session.holdings.statement_named("").statement
        if statement is None:
            raise SqlError(Sqlstate.SYNTAX_ERROR, "each query has one statement, and this one has none")
        self._require_answerable((statement,))
        texts = tuple(None if text is None else text.encode() for text in query.params)
        types = session.parameter_types("")
        context, large = parameter_context(session, types), sum(map(len, filter(None, texts))) >= LARGE_BYTES
        bind = Bind("", "", (), texts, ())
        read = partial(read_parameters, bind, types, context, session.parameter_check, self._receivers)
        await session.bind("", "", await done(read, large=large), ())
        result = await session.execute("", 0, last=True)
        opened = session.holdings.portals.get("")
        live = opened is not None and isinstance(opened.result, Rows) and opened.result.live is not None
        await self._tell(result, session.sync, live=live)

    async def _tell(self, result: StatementResult, end: Ending | None = None, *, live: bool = False) -> None:
        """Adds a result to the answer, once `end` has ended the transaction."""
        match result:
            case Rows():
                live = live or result.live is not None
                if live and not self._stays:
                    raise _not_answerable("SUBSCRIBE")
                await self._answer.add_rows(result, self._session.text_context, end, live=live)
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
        ended = self._ended()
        if ended is not None:
            raise ended

    def _require_answerable(self, statements: Sequence[ParsedStatement]) -> None:
        """Raises 0A000 for statements that this client can't have."""
        for statement in statements:
            if statement.kind in self._refused:
                raise _not_answerable(self._refused[statement.kind])
            self._require(statement)


def _not_answerable(what: str) -> SqlError:
    return NotSupported(f"{what} over HTTP", hint=_HINT)
