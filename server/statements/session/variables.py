"""SET, RESET, SHOW, DISCARD."""

from __future__ import annotations

from catalog.changes.temporary import discard
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import relation_desc
from model.types.scalar_type import TEXT
from planner.plans.session import DiscardPlan, SetVariablePlan, ShowVariablePlan
from server.ledgers.notifications import ListeningChange
from server.pgwire.backend import Command, Rows
from server.settings.known_values import require_known
from server.settings.variables import VARIABLES, display_name, variable_named
from server.statements.results import rows_result
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.transactions.modes import change_mode


def sequence_set(plan: SetVariablePlan, execution: Execution, session: StatementSession) -> Command:
    transaction = session.transactions.ensure()
    if plan.local and not transaction.lasts:
        # It is set all the same: what comes with it in a pipeline is of the same transaction.
        session.notice(
            Severity.WARNING,
            Sqlstate.NO_ACTIVE_SQL_TRANSACTION,
            "SET LOCAL can only be used in transaction blocks",
        )
    require_known(plan.name, plan.value, execution.catalog)
    change_mode(transaction, plan.name, plan.value)
    transaction.undo.append(session.variables.set(plan.name, plan.value, local=plan.local))
    return Command("RESET" if plan.reset else "SET")


def sequence_reset_all(session: StatementSession) -> Command:
    session.transactions.ensure().undo.extend(session.variables.reset_all())
    return Command("RESET")


def sequence_show(plan: ShowVariablePlan, session: StatementSession) -> Rows:
    if plan.name.lower() == "all":
        desc = relation_desc(("name", TEXT), ("setting", TEXT), ("description", TEXT))
        rows = [
            (display_name(name), session.variables.get(name), variable.description)
            for name, variable in sorted(VARIABLES.items())
        ]
        return rows_result(desc, rows, "SHOW")
    variable = variable_named(plan.name)
    desc = relation_desc((display_name(variable.name), TEXT))
    return rows_result(desc, [(session.variables.get(variable.name),)], "SHOW")


async def sequence_discard(plan: DiscardPlan, execution: Execution, session: StatementSession) -> Command:
    if plan.target == "all":
        if session.transactions.ensure().explicit:
            raise SqlError(Sqlstate.ACTIVE_SQL_TRANSACTION, "DISCARD ALL cannot run inside a transaction block")
        await session.holdings.close_cursors()
        session.holdings.statements.clear()
        session.variables.reset_all()
        execution.asker.locks.release_all()
        session.transactions.ensure().notes.changes.append(ListeningChange(None, begins=False))
    if plan.target in ("all", "sequences"):
        execution.asker.counters.forget()
    if plan.target in ("all", "temp"):
        asker = execution.asker
        if changes := discard(execution.catalog, asker.temporary_schema):
            execution.buffer_changes(changes)
    return Command(f"DISCARD {plan.target.upper()}")
