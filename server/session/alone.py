"""Runs a statement that is a transaction by itself: it commits before the client hears of it, and runs again after
losing to another commit, or once columns are wide.

Write locks keep others' commits out between its read and its own, but not rows scheduled for a time in between (INSERT
... AS OF), and they don't stop a time that mz_now() was compared with from passing. After three losses it reads and
commits while nobody else commits.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.syntax.parse import ParsedStatement
from server.ledgers.locks import SessionLocks
from server.pgwire.backend import Rows, StatementResult
from server.session.notices import Notices
from server.session.widening import WideningSession, make_wide
from server.writes.unstorable import Unstorable

_LOSSES_MAX = 3
_ROUTINE_LOSSES_MAX = 20
"""Of procedures and functions of statements, in whose midst others may commit at any time: each loss is another's gain.
"""


class TransactionSession(WideningSession, Protocol):
    """A session, as far as its transaction is concerned."""

    @property
    def locks(self) -> SessionLocks: ...

    @property
    def notices(self) -> Notices: ...


async def run_alone(
    session: TransactionSession, statement: ParsedStatement, run: Callable[[], Awaitable[StatementResult]]
) -> StatementResult:
    """Returns the final result of `run`, which runs `statement`, with no statement after it, in the session's
    transaction."""
    begun = session.transactions.ensure()
    told = _told(session, statement)
    if begun.explicit or begun.statements or told is None or not _may_lose(session, told):
        return await run()
    try:
        return await _repeated(session, told, run)
    finally:
        session.notices.release()


async def _repeated(
    session: TransactionSession, told: ParsedStatement, run: Callable[[], Awaitable[StatementResult]]
) -> StatementResult:
    """Runs `run`, again after each loss, and commits; the notices of the last run are held."""
    routine = not told.changes_rows
    most = _ROUTINE_LOSSES_MAX if routine else _LOSSES_MAX
    losses, held, touched = 0, dict(session.locks.counts), frozenset[GlobalId]()
    while True:
        session.notices.hold()
        transaction = session.transactions.ensure()
        transaction.alone, transaction.undisturbed = True, losses == most
        transaction.claims = touched if losses else frozenset()
        try:
            result = await run()
            touched |= transaction.touched
            if routine and isinstance(result, Rows) and result.whole is None and told.kind == "select_stmt":
                # A query that ran nothing after all.
                return result
            await session.transactions.commit()
            return result
        except SqlError as error:
            wide = error.columns if isinstance(error, Unstorable) else None
            if wide is None and (error.sqlstate is not Sqlstate.SERIALIZATION_FAILURE or losses == most):
                raise
            # A lock that was given back may be another's by now.
            if any(session.locks.counts[lock] < count for lock, count in held.items()):
                raise
        await session.transactions.roll_back()
        # Advisory locks of a session outlive its transaction; each run takes them.
        session.locks.release_beyond(held)
        if wide is None:
            losses += 1
        elif not await make_wide(session, wide):
            # Another session has made them wide, or nothing can be done: the next run tells.
            losses += 1
            if losses > most:
                raise Unstorable(wide)


def _runs_function(session: TransactionSession, statement: ParsedStatement) -> bool:
    """Tells whether a query may be there to run a function of statements."""
    running = session.transactions.catalog().functions_of_statements
    return bool(running) and not {item.name for item in running}.isdisjoint(statement.single_calls.values())


def _told(session: TransactionSession, statement: ParsedStatement) -> ParsedStatement | None:
    """Returns the statement that is run: for EXECUTE the prepared one, None if there is none."""
    if statement.executes is None:
        return statement
    prepared = session.holdings.statements.get(statement.executes)
    return None if prepared is None else prepared.statement


def _may_lose(session: TransactionSession, statement: ParsedStatement) -> bool:
    return statement.changes_rows or statement.kind in ("call_stmt", "do_stmt") or _runs_function(session, statement)
