"""PREPARE TRANSACTION, COMMIT PREPARED, ROLLBACK PREPARED."""

from __future__ import annotations

from functools import partial

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.session import PreparedTransactionPlan
from server.pgwire.backend import Command
from server.statements.session.transactions import NO_TRANSACTION, require_alive
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.writes.preparing import finish_prepared, prepare_transaction


async def sequence_prepared(plan: PreparedTransactionPlan, execution: Execution, session: StatementSession) -> Command:
    """Prepares the session's transaction, and ends the transaction for the session in any case; or ends a prepared
    transaction, outside of any block (SqlError 25001)."""
    transaction = execution.transaction
    if plan.command == "PREPARE TRANSACTION":
        if not transaction.explicit:
            session.notice(Severity.WARNING, Sqlstate.NO_ACTIVE_SQL_TRANSACTION, NO_TRANSACTION)
        if not transaction.explicit or transaction.failed:
            await session.transactions.roll_back()
            return Command("ROLLBACK")
        await _prepare(plan.name, session)
        return Command(plan.command)
    require_alive(transaction)
    if transaction.explicit or transaction.several:
        message = f"{plan.command} cannot run inside a transaction block"
        raise SqlError(Sqlstate.ACTIVE_SQL_TRANSACTION, message)
    await finish_prepared(execution, plan.name, commit=plan.command == "COMMIT PREPARED")
    return Command(plan.command)


async def _prepare(gid: str, session: StatementSession) -> None:
    if any(cursor.hold for cursor in session.holdings.cursors.values()):
        await session.transactions.roll_back()
        message = "cannot PREPARE a transaction that has created a cursor WITH HOLD"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    await session.transactions.commit(partial(prepare_transaction, gid=gid))
