"""CREATE SOURCE: creates the source and its progress relation."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

from catalog.changes.change import Change
from catalog.facts.upstream_tables import left_out_notices
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
from catalog.nouns.connections import Connection
from catalog.nouns.items import Item
from catalog.nouns.names import quote
from catalog.nouns.notices import Notice, skipping
from catalog.nouns.sources import (
    Source,
    SourceProgress,
    SourceTable,
    Transactions,
    new_source_table,
)
from catalog.nouns.webhooks import WebhookSource
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.create_webhook import translate_create_webhook
from connectors.gauge import Gauge
from connectors.postgres.publication import PostgresPublication
from connectors.sources.decode.schema_fields import require_readable
from connectors.systems import system_of_source
from connectors.upstream import UpstreamRecords
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.generators import UpstreamTable
from model.external.records import Envelope, RecordEncoding, RecordFormat, SchemaFields, SchemaLanguage
from model.ids.global_id import GlobalId
from model.types.decimals_columns import with_decimals_columns
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType, TypeName
from planner.catalog_view import QualifiedName
from planner.plans.sources import (
    CreateSourcePlan,
    CreateWebhookPlan,
)

CreateSourceItem = Callable[[QualifiedName, Source | SourceProgress | SourceTable | WebhookSource, GlobalId], Change]
"""The change that creates an item of a name under an id."""
_READ_AT = ColumnDesc("mz_timestamp", ScalarType(TypeName.MZ_TIMESTAMP), nullable=False)
_TOLD = {"status", "id", "data_collections"}
"""What Debezium's topic of transactions has."""


def translate_create_source(
    plan: CreateSourcePlan | CreateWebhookPlan, state: CatalogState, allocator: IdAllocator, create: CreateSourceItem
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    if plan.if_not_exists and state.find(plan.name) is not None:
        return (), (skipping(Sqlstate.DUPLICATE_TABLE, f'relation "{plan.name.name}" already exists'),)
    if isinstance(plan, CreateWebhookPlan):
        return translate_create_webhook(plan, allocator, create)
    upstream = plan.upstream
    if isinstance(plan.encoding, RecordEncoding):
        require_readable(plan.encoding)
    _require_connection(upstream, state)
    transactions = _transactions(plan, state)
    source = Source(
        with_decimals_columns(plan.desc),
        upstream,
        plan.encoding,
        plan.interval_ms,
        plan.retain_history_ms,
        plan.rest,
        transactions,
        plan.records_max,
        plan.bytes_max,
        _cluster(plan, state, transactions),
    )
    for own, _, _ in plan.tables if isinstance(upstream, PostgresPublication) else ():
        _require_free(own, state)
    id_ = allocator.user_id()
    progress = SourceProgress(id_, progress_desc(source.gauge))
    name = plan.progress or free_progress_name(state, plan.name)
    tables = (
        create(own, new_source_table(desc, id_, UpstreamTable(of), plan.retain_history_ms), allocator.user_id())
        for own, of, desc in plan.tables
    )
    published = upstream.publication.tables if isinstance(upstream, PostgresPublication) else ()
    changes = create(plan.name, source, id_), create(name, progress, allocator.user_id()), *tables
    return changes, left_out_notices(published)


def _cluster(plan: CreateSourcePlan, state: CatalogState, transactions: Transactions | None) -> int:
    """Returns the oid of the cluster that runs a source: one ingestion binds it and the source that tells of its
    transactions. Raises SqlError 0A000 where these are to be in two clusters."""
    if transactions is None:
        return DEFAULT_CLUSTER_OID if plan.cluster is None else plan.cluster
    head = state.items[transactions.source]
    assert isinstance(head.definition, Source), "it tells of transactions"
    together = head.definition.cluster
    if plan.cluster not in (None, together):
        where = quote(state.clusters[together].name)
        message = "sources that are bound together run in one cluster"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, detail=f'"{head.name}" is in the cluster {where}.')
    return together


def _require_free(name: QualifiedName, state: CatalogState) -> None:
    """Raises 42710 for a table of upstream's whose name is taken."""
    if state.find(name) is not None:
        hint = "FOR TABLES (a AS b, …) gives tables other names."
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, f'relation "{name.name}" already exists', hint=hint)


def _require_connection(records: UpstreamRecords, state: CatalogState) -> None:
    """Raises 42809 for a connection to another system than the one that leads to the records."""
    if records.connection is not None:
        kind = system_of_source(records).connection
        assert kind is not None, "a connection leads to the system"
        require_connection_to(kind, state.items[records.connection])


def require_connection_to(of: str, connection: Item) -> Connection:
    """Returns the definition of a connection to a system `of`. Raises SqlError 42809 for a connection to another
    system."""
    definition = connection.definition
    if not isinstance(definition, Connection) or definition.of != of:
        message = f'connection "{connection.name}" is not one to {of}'
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, message)
    return definition


def _transactions(plan: CreateSourcePlan, state: CatalogState) -> Transactions | None:
    """Returns the source of the transactions' topic; raises 42809 where the named source can't be one."""
    if plan.transactions is None:
        return None
    item = state.items[plan.transactions.source]
    told = item.definition
    assert isinstance(told, Source)
    if not _tells_of_transactions(told.encoding) or told.transactions is not None:
        message = f'source "{item.name}" can\'t tell of transactions'
        hint = "Read the topic of transactions by a source of FORMAT JSON, or of Debezium's AVRO, ENVELOPE NONE."
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, message, hint=hint)
    return Transactions(plan.transactions.source, plan.transactions.counted_as)


def _tells_of_transactions(encoding: RecordEncoding | UpstreamTable) -> bool:
    """Tells whether records of this encoding may describe transactions, as far as that shows before any has arrived."""
    if not isinstance(encoding, RecordEncoding) or encoding.envelope is not Envelope.NONE:
        return False
    if isinstance(encoding.value, SchemaFields):
        fields = {column.name for column in encoding.value.columns}
        return encoding.value.language is SchemaLanguage.AVRO and fields >= _TOLD
    return encoding.value is RecordFormat.JSON


def progress_desc(gauge: Gauge) -> RelationDesc:
    """Returns the columns of a source progress relation."""
    return RelationDesc((_READ_AT, *gauge.shown))


def free_progress_name(state: CatalogState, source: QualifiedName) -> QualifiedName:
    """Returns the first of `<source>_progress`, `<source>_progress1`, … that is free (source: seed 3)."""
    for number in itertools.count():
        name = replace(source, name=f"{source.name}_progress{number or ''}")
        if state.find(name) is None:
            return name
    raise AssertionError("there is always a greater number")
