"""BEGIN, COMMIT, ROLLBACK, SAVEPOINT and its family, SET TRANSACTION.

Every isolation level is as strong as strict serializable; the level asked for is remembered for SHOW.
"""

from __future__ import annotations

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.session import (
    BeginPlan,
    CommitPlan,
    ImportSnapshotPlan,
    RollbackPlan,
    SavepointPlan,
    SetTransactionPlan,
)
from server.pgwire.backend import Command
from server.reads.reading import Reader
from server.statements.statement_session import ROUTINE_DEPTH, StatementSession
from server.transactions.execution import Execution
from server.transactions.modes import require_before_queries
from server.transactions.snapshots import imported_snapshot
from server.transactions.transaction import Transaction, failed_transaction

NO_TRANSACTION = "there is no transaction in progress"


def _set_modes(transaction: Transaction, session: StatementSession, plan: BeginPlan | SetTransactionPlan) -> None:
    if plan.isolation is not None:
        transaction.isolation = plan.isolation
        transaction.undo.append(session.variables.set("transaction_isolation", plan.isolation, local=True))
    if plan.read_only is not None:
        transaction.read_only = plan.read_only
        value = "on" if plan.read_only else "off"
        transaction.undo.append(session.variables.set("transaction_read_only", value, local=True))
    if plan.deferrable is not None:
        transaction.deferrable = plan.deferrable
        value = "on" if plan.deferrable else "off"
        transaction.undo.append(session.variables.set("transaction_deferrable", value, local=True))


def _modes(transaction: Transaction) -> BeginPlan:
    return BeginPlan(transaction.isolation, transaction.read_only, transaction.deferrable)


def require_alive(transaction: Transaction) -> None:
    """Raises SqlError 25P02 in a failed transaction."""
    if transaction.failed:
        raise failed_transaction()


def sequence_begin(plan: BeginPlan, session: StatementSession) -> Command:
    transaction = session.transactions.ensure()
    require_alive(transaction)
    if transaction.explicit:
        session.notice(Severity.WARNING, Sqlstate.ACTIVE_SQL_TRANSACTION, "there is already a transaction in progress")
    transaction.explicit = True
    # The defaults are the session's at this moment, whatever they become before the transaction ends.
    _set_modes(transaction, session, _modes(transaction))
    require_before_queries(transaction, plan)
    _set_modes(transaction, session, plan)
    return Command(plan.words)


async def sequence_commit(plan: CommitPlan, session: StatementSession) -> Command:
    transaction = session.transactions.current
    assert transaction is not None
    _require_chainable("COMMIT", plan.chain, transaction)
    if not transaction.explicit:
        session.notice(Severity.WARNING, Sqlstate.NO_ACTIVE_SQL_TRANSACTION, NO_TRANSACTION)
    failed = transaction.failed
    if failed:
        await session.transactions.roll_back()
    else:
        await session.transactions.commit()
    _chain(plan.chain, transaction, session)
    return Command("ROLLBACK" if failed else "COMMIT")


async def sequence_rollback(plan: RollbackPlan, session: StatementSession) -> Command:
    transaction = session.transactions.current
    assert transaction is not None
    _require_chainable("ROLLBACK", plan.chain, transaction)
    if not transaction.explicit:
        session.notice(Severity.WARNING, Sqlstate.NO_ACTIVE_SQL_TRANSACTION, NO_TRANSACTION)
    await session.transactions.roll_back()
    _chain(plan.chain, transaction, session)
    return Command("ROLLBACK")


def _require_chainable(command: str, chain: bool, transaction: Transaction) -> None:
    """Raises SqlError 25P01 before anything ends, so that a failing statement commits nothing."""
    if chain and not transaction.explicit:
        message = f"{command} AND CHAIN can only be used in transaction blocks"
        raise SqlError(Sqlstate.NO_ACTIVE_SQL_TRANSACTION, message)


def _chain(chain: bool, ended: Transaction, session: StatementSession) -> None:
    if not chain:
        return
    following = session.transactions.ensure()
    following.explicit = True
    _set_modes(following, session, _modes(ended))


async def sequence_savepoint(plan: SavepointPlan, session: StatementSession) -> Command:
    transaction = session.transactions.ensure()
    words = {"savepoint": "SAVEPOINT", "release": "RELEASE SAVEPOINT", "rollback_to": "ROLLBACK TO SAVEPOINT"}
    if not transaction.explicit:
        raise SqlError(
            Sqlstate.NO_ACTIVE_SQL_TRANSACTION, f"{words[plan.action]} can only be used in transaction blocks"
        )
    if plan.action != "rollback_to":
        require_alive(transaction)
    match plan.action:
        case "savepoint":
            transaction.set_savepoint(plan.name, session.holdings.open_names)
            return Command("SAVEPOINT")
        case "release":
            transaction.release(plan.name)
            value = "on" if transaction.read_only else "off"
            transaction.undo.append(session.variables.set("transaction_read_only", value, local=True))
            return Command("RELEASE")
        case "rollback_to":
            await session.transactions.roll_back_to(plan.name)
            return Command("ROLLBACK")


def sequence_import_snapshot(plan: ImportSnapshotPlan, execution: Execution, session: StatementSession) -> Command:
    """Runs SET TRANSACTION SNAPSHOT."""
    if not execution.transaction.lasts:
        _tell_no_block(session)
    found = imported_snapshot(execution, plan.identifier)
    Reader(execution.environment, execution).begin_at(found.at)
    return Command("SET")


def _tell_no_block(session: StatementSession) -> None:
    message = "SET TRANSACTION can only be used in transaction blocks"
    session.notice(Severity.WARNING, Sqlstate.NO_ACTIVE_SQL_TRANSACTION, message)


def sequence_set_transaction(plan: SetTransactionPlan, session: StatementSession) -> Command:
    if plan.session:
        words = {None: None, True: "on", False: "off"}
        defaults = {
            "isolation": plan.isolation,
            "read_only": words[plan.read_only],
            "deferrable": words[plan.deferrable],
        }
        undo = session.transactions.ensure().undo
        for name, value in defaults.items():
            if value is not None:
                undo.append(session.variables.set(f"default_transaction_{name}", value, local=False))
        return Command("SET")
    transaction = session.transactions.ensure()
    if not (transaction.lasts or ROUTINE_DEPTH.get()):
        # It is set all the same: what comes with it in a pipeline is of the same transaction.
        _tell_no_block(session)
    require_before_queries(transaction, plan)
    _set_modes(transaction, session, plan)
    return Command("SET")
