"""Chooses the catalog in which a statement is planned: reads in that of the transaction's time, with the
transaction's own changes, everything else in the newest."""

from __future__ import annotations

from dataclasses import replace

from catalog.lookup.parameter_types import current_type
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.types.datum import Datum
from model.types.scalar_type import ScalarType
from planner.syntax.parse import ParsedStatement
from server.environment.environment import Environment
from server.planning.statement_plans import Planned, PlanningSession, planned_as_seen, query_at_its_time, reads_to_write
from server.reads.reading import Reader
from server.transactions.execution import Asker, Execution
from server.transactions.transaction import Transaction
from server.writes.locking.waiting import lock_tables

Declared = tuple[ScalarType | None, ...]


def planned_in_its_catalog(
    environment: Environment,
    transaction: Transaction | None,
    session: PlanningSession,
    statement: ParsedStatement,
    declared: Declared,
) -> Planned:
    """Returns the statement's plan; raises SqlError 40001 when the transaction's own changes don't fit the catalog
    that it sees."""

    def planned_in(state: CatalogState, base: CatalogState) -> Planned:
        types = tuple(None if type_ is None else current_type(state, type_) for type_ in declared)
        planned = environment.planning.describe(statement, state, session, types, cacheable=state is base)
        return planned if planned.base is base else replace(planned, base=base)

    newest = base = environment.catalog.state
    if transaction is not None and transaction.changes.catalog is not None and transaction.changes.base is not None:
        newest, base = transaction.changes.catalog, transaction.changes.base
    if transaction is None or transaction.reads.seen is None or transaction.reads.seen is base:
        return planned_in(newest, base)
    failure = None
    try:
        seen = transaction.sees()
        planned = planned_in(seen, transaction.reads.seen)
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
    """Takes the statement's table locks, and chooses its time. Tells whether it must be planned again, because its
    objects may have changed meanwhile. Raises SqlError where it can't be executed."""
    if planned.failure is not None:
        raise planned.failure
    waited = await lock_tables(planned, execution)
    return await _chose_time(planned, execution) or waited


async def _chose_time(planned: Planned, execution: Execution) -> bool:
    """Chooses the time at which the transaction reads, if the statement is the transaction's first to read. Returns
    True if the catalog at this time differs, and the statement must be planned again.
    """
    query, transaction = query_at_its_time(planned.plan), execution.transaction
    if query is None or transaction.reads.at is not None or not planned.reads.anything:
        return False
    if execution.max_staleness_ms is not None:
        return False
    await Reader(execution.environment, execution).begin(query, planned.reads)
    return transaction.reads.seen is not planned.base


def execution_of(
    planned: Planned,
    environment: Environment,
    asker: Asker,
    transaction: Transaction,
    parameters: tuple[Datum, ...],
    *,
    later: bool,
) -> Execution:
    """Returns the plan's execution, with values for its parameters."""
    writing = reads_to_write(planned.plan)
    seen, base, long = planned.seen, planned.base, planned.long
    needs = planned.statement.needs
    return Execution(environment, asker, transaction, parameters, seen, base, writing, long, later, needs)
