"""Statements that leave schemas to registries: these are asked, and the statement planned with the answers."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.nouns.connections import Connection
from connectors.registry.connector import access_of
from connectors.registry.schemas import latest_schema, schema_by_number
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.plans.sources import FetchSchemasPlan, WantedSchema
from planner.syntax.parse import ParsedStatement
from server.planning.statement_plans import Planned, PlanningSession
from server.statements.sources.connection_probe import answer_of
from server.transactions.execution import Execution

_TIMEOUT_S = 10.0


async def planned_with_schemas(plan: FetchSchemasPlan, execution: Execution) -> Planned:
    """Returns the statement's plan, given the registries' schemas. Raises SqlError for a missing schema, or without an
    answer."""
    found = {each.part: await _found(each, execution) for each in plan.wanted}
    return planned_again(plan.answered(found), execution)


def planned_again(statement: ParsedStatement, execution: Execution) -> Planned:
    """Returns the plan of a statement completed by answers."""
    asker = execution.asker
    session = PlanningSession(asker.database, asker.search_path, asker.user)
    return execution.environment.planning.plan(statement, execution.catalog, session, cacheable=False)


async def _found(wanted: WantedSchema, execution: Execution) -> str | None:
    item = execution.catalog.items.get(wanted.connection)
    connection = None if item is None else item.definition
    if item is None or not isinstance(connection, Connection) or connection.of != "CONFLUENT SCHEMA REGISTRY":
        message = f'connection "{"" if item is None else item.name}" is not one to CONFLUENT SCHEMA REGISTRY'
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, message)
    definition: Connection = connection

    def ask(secrets: Mapping[GlobalId, str]) -> str:
        access = access_of(dict(definition.options), secrets)
        if wanted.number is not None:
            return schema_by_number(access, wanted.number, wanted.language, _TIMEOUT_S)
        return latest_schema(access, wanted.subject, wanted.language, _TIMEOUT_S)

    try:
        return await answer_of(definition, execution, ask, None)
    except SqlError as error:
        if error.sqlstate is Sqlstate.UNDEFINED_OBJECT and not wanted.required:
            return None
        raise
