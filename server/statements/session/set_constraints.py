"""SET CONSTRAINTS: sets when deferrable keys and foreign keys are checked in this transaction."""

from __future__ import annotations

from catalog.facts.constraints import TableConstraint, constraints_of, timing_of
from catalog.facts.visibility import effective_path
from catalog.nouns.items import Schema, Table
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.session import SetConstraintsPlan
from planner.temporary_schema import own_name
from server.pgwire.backend import Command
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.writes.constraints.deferred_checks import hold_deferred


async def sequence_set_constraints(
    plan: SetConstraintsPlan, execution: Execution, session: StatementSession
) -> Command:
    transaction = execution.transaction
    if not transaction.explicit:
        message = "SET CONSTRAINTS can only be used in transaction blocks"
        session.notice(Severity.WARNING, Sqlstate.NO_ACTIVE_SQL_TRANSACTION, message)
    deferred = transaction.deferred
    if plan.names is None:
        deferred.every = plan.deferred
        deferred.modes.clear()
    for name in plan.names or ():
        deferred.modes.update((each.oid, plan.deferred) for each in _named(name, execution))
    if not plan.deferred:
        await hold_deferred(execution, at_commit=False)
    return Command("SET CONSTRAINTS")


def _named(parts: tuple[str, ...], execution: Execution) -> list[TableConstraint]:
    """Returns all constraints of the name in the first schema that has any. Raises 42704 for none, 42809 for one not
    deferrable, 3F000 for a schema that is named and isn't there."""
    searched = execution.asker.search_path
    path = tuple(own_name(schema, searched) for schema in parts[-2:-1]) or effective_path(searched)
    if parts[:-1] and _schema_named(path[0], execution) is None:
        raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{parts[-2]}" does not exist')
    for schema in path:
        found = [each for each in _constraints_in(schema, execution) if each.name == parts[-1]]
        if not found:
            continue
        if not all(timing_of(each)[0] for each in found):
            raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'constraint "{parts[-1]}" is not deferrable')
        return found
    raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'constraint "{parts[-1]}" does not exist')


def _constraints_in(schema: str, execution: Execution) -> list[TableConstraint]:
    catalog, found = execution.catalog, _schema_named(schema, execution)
    items = () if found is None else catalog.items_in(found.oid)
    return [each for item in items if isinstance(item.definition, Table) for each in constraints_of(catalog, item)]


def _schema_named(name: str, execution: Execution) -> Schema | None:
    database = execution.catalog.database_named(execution.asker.database)
    return None if database is None else execution.catalog.schema_named(database.oid, name)
