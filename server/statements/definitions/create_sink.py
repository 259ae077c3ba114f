"""CREATE SINK: checks the input and the destination table before the sink exists. A key that is not unique, and a
column that would round values, are errors at once.
"""

from __future__ import annotations

from catalog.lookup.planner_view import table_keys
from catalog.nouns.connections import Connection
from catalog.nouns.items import Item, Table
from catalog.nouns.names import quote, quote_all
from catalog.nouns.sinks import Sink
from catalog.nouns.sources import Source, SourceTable
from catalog.nouns.webhooks import WebhookSource
from connectors.sinks.documents import key_violation
from connectors.systems import destination_of
from connectors.unreachable import Unreachable
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import rows_to_arrow
from model.process.redaction import redacted
from planner.plans.sinks import CreateSinkPlan
from server.objects.sinks.deliveries import sink_description
from server.pgwire.backend import Command
from server.secrets.stored import secrets_of
from server.statements.definitions.ddl import sequence_ddl
from server.statements.sources.connection_probe import in_probe
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.writes.constraints.existing_rows import first_row

_DATA_EXCEPTIONS = "22"
_ASKED_S = 5
_SHOWN_LENGTH_MAX = 500


async def sequence_create_sink(plan: CreateSinkPlan, execution: Execution, session: StatementSession) -> Command:
    """Creates the sink. Raises SqlError 42501 for files and programs that are switched off; raises 42804 for a table
    there that does not hold what is written; 23505 or 23502 for committed keys that are not unique, or NULL. Changes
    between the check and the sink's beginning are the sink's to report."""
    if (refused := execution.environment.outside.access.to_sink(plan.target)) is not None:
        raise refused
    before = execution.catalog
    committed = before is execution.environment.catalog.state
    done = await sequence_ddl(plan, execution, session)
    demanding = plan.key is not None and plan.enforced and plan.policy.snapshot and not plan.sums
    for id_, item in execution.catalog.items.items():
        if id_ not in before.items and isinstance(item.definition, Sink):
            await _require_fit(execution, item, item.definition, session)
            if demanding and committed:
                await _require_unique(execution, item, plan)
    return done


async def _require_fit(execution: Execution, item: Item, sink: Sink, session: StatementSession) -> None:
    """Asks a destination database whether its columns fit the sink's. A destination that does not answer now doesn't
    prevent the sink: the sink reports its destination's silence, and begins once there is an answer.
    """
    description = sink_description(item, execution.catalog)
    ask = destination_of(description.place).examine
    if ask is None:
        return
    secrets: dict[GlobalId, str] = {}
    for id_ in sink.connections:
        connection = execution.catalog.items[id_].definition
        assert isinstance(connection, Connection)
        secrets |= secrets_of(execution.environment.outside.keyring, execution.catalog, connection)
    try:
        await in_probe(lambda: ask(description, description.place, secrets, _ASKED_S), execution)
    except Unreachable as failure:
        session.notice(
            Severity.WARNING,
            Sqlstate.SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION,
            "the destination could not be asked whether what is written fits",
            detail=f"{redacted(failure.reason)[:_SHOWN_LENGTH_MAX]}. The sink begins once it can.",
        )


async def _require_unique(execution: Execution, sink: Item, plan: CreateSinkPlan) -> None:
    assert plan.key is not None, "it has a key"
    source = execution.catalog.items[plan.source]
    columns = [source.desc.columns[plan.columns[place]] for place in plan.key]
    if isinstance(source.definition, Source | SourceTable | WebhookSource) or _held(execution, source, plan):
        return
    name, keys = execution.catalog.full_name(source), [quote(column.name) for column in columns]
    listed, absent = ", ".join(keys), " OR ".join(f"{key} IS NULL" for key in keys)
    # As of a time of its own: the transaction relies on nothing that it reads here.
    tail = f"HAVING count(*) > 1 OR {absent} ORDER BY {listed} LIMIT 1 AS OF AT LEAST 0"
    query = f"SELECT {listed} FROM {quote_all(name.schema, name.name)} GROUP BY {listed} {tail}"
    try:
        found = await first_row(query, execution)
    except SqlError as error:
        if error.sqlstate.value.startswith(_DATA_EXCEPTIONS):
            return  # an error of the view's, which the sink waits for to heal
        raise
    if found is not None:
        keyed = sink_description(sink, execution.catalog).of_keys
        raise key_violation(rows_to_arrow([found[0]], found[1]), keyed)


def _held(execution: Execution, source: Item, plan: CreateSinkPlan) -> bool:
    """Returns whether a key of the table makes the sink's unique, or the table is empty."""
    if not isinstance(source.definition, Table):
        return False
    places = {plan.columns[place] for place in plan.key or ()}
    nullable = any(source.desc.columns[place].nullable for place in places)
    keys = (key.columns for key in table_keys(execution.catalog, source.id))
    if not nullable and any(columns is not None and places >= set(columns) for columns in keys):
        return True
    return execution.environment.storage.reads.empty(source.id)
