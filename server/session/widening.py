"""Statements whose numerics don't fit a table's columns: the columns become wide, and the statement runs again.

In a transaction of several statements the effects of the statement are undone, and COMMIT makes the columns wide with
all the rest. A statement that is a transaction by itself is run again once the columns are wide (`alone`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.plan import Plan
from planner.syntax.parse import ParsedStatement
from server.cursors.holdings import Holdings
from server.environment.environment import Environment
from server.pgwire.backend import StatementResult
from server.planning.statement_plans import Planned
from server.session.asking import SessionAsker
from server.session.transactions import SessionTransactions
from server.statements.definitions.widen_columns import widen_columns
from server.transactions.execution import Execution
from server.writes.unstorable import Unfitting, Unstorable, unfitting_columns

_SAVEPOINT = "\0widening"
_LOSSES_MAX = 10


class WideningSession(Protocol):
    """A session, as far as columns that become wide are concerned."""

    environment: Environment
    asker: SessionAsker
    holdings: Holdings
    transactions: SessionTransactions


async def run_with_wide_columns(
    session: WideningSession,
    statement: ParsedStatement,
    planned: Planned,
    plan: Callable[[], Awaitable[Planned]],
    run: Callable[[Planned], Awaitable[StatementResult]],
) -> StatementResult:
    """Returns the result of `run` over the planned statement, or over the plan that `plan` makes once columns are wide.
    Raises Unstorable in a transaction of this statement alone, SqlError 22003 for columns that can't become wide."""
    transaction = session.transactions.ensure()
    if transaction.alone or not (statement.changes_rows or statement.kind in ("call_stmt", "do_stmt", "execute_stmt")):
        try:
            return await run(planned)
        except SqlError as error:
            raise _located(error, planned.plan, session) from error
    while True:
        transaction.set_savepoint(_SAVEPOINT, session.holdings.open_names)
        try:
            return await run(planned)
        except SqlError as error:
            columns = unfitting_columns(error, planned.plan, session.transactions.catalog())
            if not columns:
                raise
            await session.transactions.roll_back_to(_SAVEPOINT)
            if not await widen_columns(columns, Execution(session.environment, session.asker, transaction)):
                raise
        finally:
            # Of a failed transaction no savepoint must be left to which nobody can go back.
            if any(point.name == _SAVEPOINT for point in transaction.savepoints):
                # What the statement has made of READ ONLY stays.
                read_only = transaction.read_only
                transaction.release(_SAVEPOINT)
                transaction.read_only = read_only
        planned = await plan()


def _located(error: SqlError, plan: Plan, session: WideningSession) -> SqlError:
    columns = unfitting_columns(error, plan, session.transactions.catalog())
    return Unstorable(columns) if columns else error


async def make_wide(session: WideningSession, columns: Unfitting) -> bool:
    """Makes columns wide in a separate transaction; returns whether any column was narrow. Raises SqlError 22003 for
    columns that can't become wide."""
    for _ in range(_LOSSES_MAX):
        execution = Execution(session.environment, session.asker, session.transactions.ensure())
        try:
            changed = await widen_columns(columns, execution)
            await session.transactions.commit()
            return changed
        except SqlError as error:
            await session.transactions.roll_back()
            if error.sqlstate is not Sqlstate.SERIALIZATION_FAILURE:
                raise
    return False
