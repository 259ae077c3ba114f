"""A maintained item as a dataflow: inputs, computation, export."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import (
    Composite,
    Domain,
    Enum,
    FunctionDefinition,
    Index,
    Item,
    MaterializedView,
    MultirangeDefinition,
    RangeDefinition,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.sinks import Sink, SinkProgress, ViewSink
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.webhooks import WebhookSource
from catalog.state.catalog_state import CatalogState
from compute.protocol.dataflow import DataflowDescription, Export, Import, IndexExport, ShardExport
from model.ids.global_id import GlobalId, Namespace
from model.time.antichain import EMPTY, MINIMUM, Antichain
from model.time.timestamp import Timestamp
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT
from planner.ir.reads import reads_of
from planner.ir.relation import Get, Relation
from server.planning.statement_plans import Planning

ERROR_COLUMN = ColumnDesc("err", TEXT)


@dataclass(frozen=True, slots=True)
class Outline:
    """A dataflow without its as_of. `inputs` are the collections of storage it reads, `cluster` runs it."""

    collection: GlobalId
    description: DataflowDescription
    inputs: tuple[GlobalId, ...]
    cluster: int = DEFAULT_CLUSTER_OID

    def at(self, as_of: Timestamp) -> DataflowDescription:
        return replace(self.description, as_of=Antichain(as_of))


def collection_of(state: CatalogState, id_: GlobalId) -> GlobalId:
    """Returns the collection with an item's contents; a table has one id for both."""
    item = state.items.get(id_)
    match None if item is None else item.definition:
        case MaterializedView(collection=collection) | Index(collection=collection):
            return collection
        case SourceProgress(source_id=source):
            return GlobalId.remapping(source)
        case SinkProgress(sink_id=sink):
            return sink
        case _:
            return id_


def import_of(state: CatalogState, get: Get) -> Import:
    """Returns the import of a stored collection; errors of materialized views and sources lie in their shards."""
    item = state.items.get(get.id)
    definition = None if item is None else item.definition
    fallible = isinstance(definition, MaterializedView | Source | SourceTable)
    counted = get.id.namespace is Namespace.REMAPPING
    return Import(get.id, str(collection_of(state, get.id)), get.desc, fallible, counted, error_at(item, get.desc))


def error_at(item: Item | None, desc: RelationDesc) -> int | None:
    """Returns the place of the error column, for a reader who knows only the first columns; None: behind them."""
    at = item.definition.error_at if item is not None and isinstance(item.definition, SourceTable) else None
    return None if at is None or at >= desc.arity else at


def imports_of(state: CatalogState, relation: Relation) -> tuple[Import, ...]:
    """Returns the imports of a relation, by id."""
    return tuple(import_of(state, get) for _, get in sorted(reads_of(relation).collections.items()))


def shard_desc(desc: RelationDesc, error_at: int | None = None) -> RelationDesc:
    """Returns the description of a shard with errors: the columns, all NULL in an error row, and the error column,
    which may lie among them."""
    columns = tuple(ColumnDesc(column.name, column.type) for column in desc.columns)
    if error_at is None:
        return RelationDesc((*columns, ERROR_COLUMN))
    return RelationDesc((*columns[:error_at], ERROR_COLUMN, *columns[error_at + 1 :]))


def outline(state: CatalogState, item: Item, planning: Planning) -> Outline:
    """Returns the dataflow of a maintained item. Raises SqlError when its definition can no longer be planned."""
    match item.definition:
        case MaterializedView() as view:
            relation = planning.maintained_relation(state, item.id)
            shard = str(view.collection)
            export: Export = ShardExport(view.collection, item.id, shard, shard_desc(view.desc))
            return replace(_outline(state, view.collection, export, (item.id, relation)), cluster=view.cluster)
        case ViewSink(source_id=view_id, collection=collection, cluster=cluster):
            relation = planning.maintained_relation(state, view_id)
            export = ShardExport(collection, view_id, str(collection), shard_desc(state.items[view_id].desc))
            return replace(_outline(state, collection, export, (view_id, relation)), cluster=cluster)
        case Index() as index:
            key = planning.index_key(state, index)
            export = IndexExport(index.collection, index.on.id, key)
            outlined = _index_outline(state, state.items[index.on.id], index.collection, export, planning)
            return replace(outlined, cluster=index.cluster)
        case (
            Table()
            | View()
            | SequenceDefinition()
            | Source()
            | SourceTable()
            | WebhookSource()
            | SourceProgress()
            | SinkProgress()
            | Enum()
            | Domain()
            | Composite()
            | RangeDefinition()
            | MultirangeDefinition()
            | FunctionDefinition()
            | Secret()
            | Connection()
            | Sink()
        ):
            raise AssertionError(f"{item.kind.value} {item.name} is not maintained")
        case _:
            assert_never(item.definition)


def _index_outline(state: CatalogState, on: Item, collection: GlobalId, export: Export, planning: Planning) -> Outline:
    """Returns an index's dataflow: an index on a view computes the view, other indexes arrange a stored collection."""
    if isinstance(on.definition, View):
        return _outline(state, collection, export, (on.id, planning.maintained_relation(state, on.id)))
    import_ = import_of(state, Get(on.id, on.desc))
    description = DataflowDescription((import_,), (), (export,), MINIMUM, EMPTY)
    return Outline(collection, description, (collection_of(state, on.id),))


def _outline(state: CatalogState, collection: GlobalId, export: Export, built: tuple[GlobalId, Relation]) -> Outline:
    imports = imports_of(state, built[1])
    inputs = tuple(collection_of(state, each.id) for each in imports)
    return Outline(collection, DataflowDescription(imports, (built,), (export,), MINIMUM, EMPTY), inputs)
