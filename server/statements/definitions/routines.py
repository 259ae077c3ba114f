"""CREATE FUNCTION and ALTER FUNCTION with SET and LEAKPROOF: values that the session knows and checks."""

from __future__ import annotations

from dataclasses import replace

from catalog.facts.roles.decide import is_superuser
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.functions import AlterRoutinePlan, CreateFunctionPlan, SettingChange
from server.pgwire.backend import Command
from server.settings.variables import canonical_value, display_name, variable_named
from server.statements.definitions.ddl import sequence_ddl
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution


async def sequence_routine(
    plan: CreateFunctionPlan | AlterRoutinePlan, execution: Execution, session: StatementSession
) -> Command:
    """Raises SqlError 42501 for LEAKPROOF by others than superusers, 42704 for an unknown setting, 22023 for a value
    that it can't have."""
    leakproof = plan.rules.leakproof if isinstance(plan, CreateFunctionPlan) else plan.attributes.leakproof
    if leakproof and not is_superuser(execution.catalog, execution.role):
        message = "only superuser can define a leakproof function"
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
    settings = tuple(_kept(change, session) for change in plan.settings)
    return await sequence_ddl(replace(plan, settings=settings), execution, session)


def _kept(change: SettingChange, session: StatementSession) -> SettingChange:
    """Returns a change under the name that PostgreSQL shows, with the value that the catalog keeps."""
    if change.name is None:
        return change
    name, value = variable_named(change.name).name, change.value
    if change.current:
        value = session.variables.get(name)
    if value is not None:
        canonical_value(name, value)
    return replace(change, name=display_name(name), value=value, current=False)
