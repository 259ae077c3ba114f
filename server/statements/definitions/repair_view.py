"""ALTER MATERIALIZED VIEW … REPAIR: builds a materialized view anew where rows and definition differ.

The replica corrects the rows of the view's collection. The collection of a view of constants ends once the rows are
written, and takes no rows any more: the commit gives the view, and everything maintained over the view, new
collections.
"""

from __future__ import annotations

from catalog.changes.apply import apply
from catalog.facts.roles.decide import require_owner
from catalog.facts.roles.securables import item_securable
from catalog.nouns.items import Item, MaterializedView
from compute.controller.exports import Patience
from compute.protocol.response import DataflowPhase
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.plans.views import RepairViewPlan
from server.environment.environment import Environment
from server.objects.maintained.redefined import rebuilding
from server.pgwire.backend import Command
from server.statements.definitions.check_view import differing_rows
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.writes.writing import item_of

_TAG = "ALTER MATERIALIZED VIEW"
_ATTEMPTS = 3
_PAUSE_S = 0.1
_PAUSES_MAX = 300
"""A replica that was started anew meanwhile knows nothing of the request."""


async def sequence_repair_view(plan: RepairViewPlan, execution: Execution, session: StatementSession) -> Command:
    """Compares the view's rows with the definition, and has the view built anew as long as the two differ. Raises
    SqlError 25001 within a transaction, where the view is read at a single time; XX001 when the view is never right."""
    transaction, item = execution.transaction, item_of(execution.catalog, plan.check.target)
    transaction.require_writable(_TAG)
    require_owner(execution.catalog, execution.role, item_securable(execution.catalog, item))
    if transaction.explicit or transaction.reads.at is not None:
        raise SqlError(Sqlstate.ACTIVE_SQL_TRANSACTION, f"{_TAG} … REPAIR cannot run inside a transaction block")
    definition = item.definition
    assert isinstance(definition, MaterializedView)
    for _ in range(_ATTEMPTS):
        wrong = await _what_is_wrong(plan, execution)
        if wrong is None:
            return Command(_TAG)
        message = f'"{item.name}" {wrong}: it is built anew'
        session.notice(Severity.NOTICE, Sqlstate.SUCCESSFUL_COMPLETION, message)
        if execution.environment.storage.frontiers(definition.collection).upper.time is None:
            _replace_collection(item, execution)
            return Command(_TAG)
        await _build_anew(definition.collection, execution.environment)
    raise SqlError(
        Sqlstate.DATA_CORRUPTED,
        f'"{item.name}" differs from its definition however often it is built anew',
        hint="CHECK MATERIALIZED VIEW shows the rows.",
    )


async def _what_is_wrong(plan: RepairViewPlan, execution: Execution) -> str | None:
    try:
        rows = await differing_rows(plan.check, execution)
    except SqlError as error:
        if error.sqlstate is not Sqlstate.DATA_CORRUPTED:
            raise
        return f"can't be read ({error.message})"
    return f"differs from its definition by {rows} rows" if rows else None


def _replace_collection(item: Item, execution: Execution) -> None:
    """Buffers the change by which COMMIT builds the view, and everything maintained over the view, anew."""
    catalog, environment = execution.catalog, execution.environment
    changes = rebuilding([item, *catalog.maintained_dependents(item.id)], environment.catalog.allocator)
    after = apply(catalog, changes)
    execution.transaction.changes.add(environment.catalog.state, after, changes, execution.asker.session_user)


async def _build_anew(collection: GlobalId, environment: Environment) -> None:
    """Returns once the replica has built the view anew. NotMaintained when the dataflow fails."""
    controller = environment.dataflows.controller
    before, pauses = _times_built(collection, environment), 0
    controller.rebuild(collection)
    while _times_built(collection, environment) == before:
        hindered = controller.progress.hindrance(collection, patience=Patience.HYDRATION)
        if hindered is not None:
            raise hindered
        await environment.clock.sleep(_PAUSE_S)
        pauses = 0 if controller.reports.status(collection).phase is DataflowPhase.HYDRATING else pauses + 1
        if pauses == _PAUSES_MAX:
            pauses = 0
            controller.rebuild(collection)


def _times_built(collection: GlobalId, environment: Environment) -> int:
    measures = environment.dataflows.measures(collection)
    return 0 if measures is None or measures.repairs is None else measures.repairs.built
