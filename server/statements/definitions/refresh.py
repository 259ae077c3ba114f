"""REFRESH MATERIALIZED VIEW: waits until the view shows everything committed before."""

from __future__ import annotations

from catalog.facts.roles.decide import require_owner
from catalog.facts.roles.securables import item_securable
from catalog.lookup.targets import named_item
from catalog.nouns.items import MaterializedView
from compute.controller.exports import Patience
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.views import RefreshPlan
from server.pgwire.backend import Command
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution


async def sequence_refresh(plan: RefreshPlan, execution: Execution, session: StatementSession) -> Command:
    environment = execution.environment
    item = named_item(execution.catalog, execution.ddl_session, plan.name)
    if not isinstance(item.definition, MaterializedView):
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f'"{item.name}" is not a materialized view')
    require_owner(execution.catalog, execution.role, item_securable(execution.catalog, item))
    committed = environment.catalog.state.items.get(item.id)
    if plan.with_data and committed is not None:
        await environment.collections.wait_for_upper(item.id, await environment.oracle.read_ts(), Patience.FAILURES)
    session.notice(
        Severity.NOTICE,
        Sqlstate.SUCCESSFUL_COMPLETION,
        f'materialized view "{item.name}" is kept as its inputs change, and needs no REFRESH',
    )
    return Command("REFRESH MATERIALIZED VIEW")
