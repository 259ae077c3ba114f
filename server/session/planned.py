"""In which catalog a session's statements are planned: what only reads in that of its transaction's time, with the
transaction's own changes, everything else in the newest."""

from __future__ import annotations

from dataclasses import replace

from catalog.lookup.parameter_types import current_type
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.types.datum import Datum
from model.types.scalar_type import ScalarType
from planner.syntax.parse import ParsedStatement
from server.coordinator.environment import Environment
from server.coordinator.execution import Asker, Execution
from server.coordinator.locking.waiting import lock_tables
from server.coordinator.planning import Planned, PlanningSession, planned_as_seen, query_at_its_time, reads_to_write
from server.coordinator.reading import Reader
from server.session.transaction import Transaction

Declared = tuple[ScalarType | None, ...]


def planned_in_its_catalog(
    environment: Environment,
    transaction: Transaction | None,
    session: PlanningSession,
    statement: ParsedStatement,
    declared: Declared,
) -> Planned:
    """The statement's plan; SqlError 40001 when the transaction's own changes don't fit what it sees."""

    def planned_in(state: CatalogState, base: CatalogState) -> Planned:
        types = tuple(None if type_ is None else current_type(state, type_) for type_ in declared)
        planned = environment.planning.describe(statement, state, session, types, cacheable=state is base)
        return planned if planned.base is base else replace(planned, base=base)

    newest = base = environment.catalog.state
    if transaction is not None and transaction.catalog is not None and transaction.base is not None:
        newest, base = transaction.catalog, transaction.base
    if transaction is None or transaction.seen is None or transaction.seen is base:
        return planned_in(newest, base)
    failure = None
    try:
        seen = transaction.sees()
        planned = planned_in(seen, transaction.seen)
        if planned_as_seen(planned.plan):
            return replace(planned, seen=seen)
    except SqlError as error:
        failure = error
    planned = planned_in(newest, base)
    # What reads nothing, such as nextval(), has no time.
    if failure is not None and planned.reads.anything and query_at_its_time(planned.plan) is not None:
        raise failure
    return planned


async def begin_statement(planned: Planned, execution: Execution) -> bool:
    """Takes the statement's locks on tables, and chooses when it reads; whether it has to be planned again,
    since what it names may have changed by then. SqlError where it can't be executed."""
    if planned.failure is not None:
        raise planned.failure
    waited = await lock_tables(planned, execution)
    return await _chose_time(planned, execution) or waited


async def _chose_time(planned: Planned, execution: Execution) -> bool:
    """Chooses the time at which the transaction reads, where the statement is its first that does so; whether the
    catalog has changed by then, so that the statement is to be planned again."""
    query, transaction = query_at_its_time(planned.plan), execution.transaction
    if query is None or transaction.read_ts is not None or not planned.reads.anything:
        return False
    if execution.max_staleness_ms is not None:
        return False
    await Reader(execution.environment, execution).begin(query, planned.reads)
    return transaction.seen is not planned.base


def execution_of(
    planned: Planned,
    environment: Environment,
    asker: Asker,
    transaction: Transaction,
    parameters: tuple[Datum, ...],
    *,
    later: bool,
) -> Execution:
    """The plan's execution, with values for its parameters."""
    writing = reads_to_write(planned.plan)
    seen, base, long = planned.seen, planned.base, planned.long
    needs = planned.statement.needs
    return Execution(environment, asker, transaction, parameters, seen, base, writing, long, later, needs)
