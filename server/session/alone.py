"""Runs a statement that is a transaction by itself: it commits before the client hears of it, and runs again after
losing to another commit.

Write locks keep others' commits out between its read and its own, but not rows scheduled for a time in between (INSERT
... AS OF), and they don't stop a time that mz_now() was compared with from passing. After three losses it reads and
commits while nobody else commits.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.syntax.parse import ParsedStatement
from server.cursors.holdings import Holdings
from server.ledgers.locks import SessionLocks
from server.pgwire.backend import StatementResult
from server.transactions.transaction import Transaction

_LOSSES_MAX = 3


class AloneTransactions(Protocol):
    """The transactions of a session, one after the other."""

    def ensure(self) -> Transaction: ...

    async def commit(self) -> None: ...

    async def roll_back(self) -> None: ...


class TransactionSession(Protocol):
    """A session, as far as its transaction is concerned."""

    holdings: Holdings

    @property
    def locks(self) -> SessionLocks: ...

    @property
    def transactions(self) -> AloneTransactions: ...


async def run_alone(
    session: TransactionSession, statement: ParsedStatement, run: Callable[[], Awaitable[StatementResult]]
) -> StatementResult:
    """Returns the final result of `run`, which runs `statement`, with no statement after it, in the session's
    transaction."""
    begun = session.transactions.ensure()
    if begun.explicit or begun.statements or not _may_lose(session, statement):
        return await run()
    losses, held = 0, dict(session.locks.counts)
    while True:
        transaction = session.transactions.ensure()
        transaction.alone, transaction.undisturbed = True, losses == _LOSSES_MAX
        try:
            result = await run()
            await session.transactions.commit()
            return result
        except SqlError as error:
            if error.sqlstate is not Sqlstate.SERIALIZATION_FAILURE or losses == _LOSSES_MAX:
                raise
            # A lock that was given back may be another's by now.
            if any(session.locks.counts[lock] < count for lock, count in held.items()):
                raise
        await session.transactions.roll_back()
        # Advisory locks of a session outlive its transaction; each run takes them.
        session.locks.release_beyond(held)
        losses += 1


def _may_lose(session: TransactionSession, statement: ParsedStatement) -> bool:
    if statement.executes is None:
        return statement.changes_rows
    prepared = session.holdings.statements.get(statement.executes)
    return prepared is not None and prepared.statement is not None and prepared.statement.changes_rows
