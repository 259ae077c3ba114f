"""CREATE SCHEMA with objects: each is made by a statement of its own, as the owner of the schema, which stands first in
the search path.
"""

from __future__ import annotations

from catalog.nouns.names import quote
from planner.plans.objects import CreateSchemaPlan
from planner.syntax.parse import parse
from server.pgwire.backend import Command
from server.statements.definitions.ddl import sequence_ddl
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution


async def sequence_create_schema(plan: CreateSchemaPlan, execution: Execution, session: StatementSession) -> Command:
    """Makes the schema, and then the objects; if one fails, none has been made."""
    before = execution.catalog.schemas
    command = await sequence_ddl(plan, execution, session)
    created = [schema for oid, schema in execution.catalog.schemas.items() if oid not in before]
    if not plan.elements or not created:
        return command
    (schema,) = created
    transaction = session.transactions.ensure()
    transaction.several, transaction.alone, transaction.undisturbed = True, False, False
    path = f"{quote(schema.name)}, {execution.setting('search_path')}"
    maker = None if schema.owner == execution.role else schema.owner
    with session.variables.of_routine(maker, [("search_path", path)]):
        for element in plan.elements:
            (statement,) = parse(element)
            await session.execute_plan(await session.planner.planned(statement), ())
    return command
