"""Decides whether a role may change the catalog. Owners alter and drop objects; creating an object needs CREATE on the
schema, and on the cluster that runs it, and USAGE on named types, connections and secrets.

Every statement that changes the catalog comes by here; the server's own changes do not.
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.changes.change import (
    AlterComposite,
    AlterConnection,
    AlterDomain,
    AlterEnum,
    AlterRetainHistory,
    AlterSecret,
    AlterSequence,
    AlterSink,
    AlterSourceTable,
    AlterTable,
    AlterViewOptions,
    Change,
    CreateCluster,
    CreateDatabase,
    CreateItem,
    CreateReplica,
    CreateSchema,
    DropCluster,
    DropDatabase,
    DropItems,
    DropReplica,
    DropSchemas,
    ForgetSlot,
    MoveItem,
    RenameCluster,
    RenameColumn,
    RenameDatabase,
    RenameItem,
    RenameSchema,
    ReplaceFunction,
    ReplaceView,
    SetCluster,
    SetComment,
    SetConfiguration,
    SetPartitions,
    SwapClusters,
    SwapItems,
    SwapSchemas,
)
from catalog.changes.table_changes import AddedColumn, AddedForeignKey
from catalog.facts.roles.decide import (
    is_superuser,
    owns,
    require_cluster,
    require_database,
    require_item,
    require_need,
    require_owner,
    require_schema,
)
from catalog.facts.roles.predefined import known_role
from catalog.facts.roles.securables import (
    Securable,
    cluster_securable,
    database_securable,
    item_securable,
    schema_securable,
    securable,
)
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import Definition, Index, Item, MaterializedView, SequenceDefinition, Table, cluster_of
from catalog.nouns.sinks import Sink
from catalog.nouns.sources import Source, SourceTable
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.scalar_type import users_type
from planner.plans.foreign_keys import ForeignKey
from planner.privileges import REFERENCES, Need
from planner.temporary_schema import is_temporary


def require_allowed(state: CatalogState, role: int, changes: Iterable[Change]) -> None:
    """Raises SqlError 42501 for the first change that the role may not make; `state` is the catalog before."""
    if is_superuser(state, role):
        return
    made: set[GlobalId] = set()
    for change in changes:
        if isinstance(change, CreateItem):
            made.add(change.id)
        _require(state, role, change, made)


def _require(state: CatalogState, role: int, change: Change, made: set[GlobalId]) -> None:
    match change:
        case CreateDatabase():
            if not known_role(state, role).createdb:
                raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, "permission denied to create database")
        case CreateSchema(database=name, temporary=temporary):
            database = state.database_named(name)
            if database is not None:
                require_database(state, role, database.oid, "T" if temporary else "C")
        case CreateItem():
            _require_creation(state, role, change)
        case DropItems(ids=ids):
            for id_ in ids:
                _require_droppable(state, role, id_)
        case DropSchemas(oids=oids):
            for oid in oids:
                _require_owned(state, role, schema_securable(state, oid))
        case DropDatabase(oid=oid):
            _require_owned(state, role, database_securable(state, oid))
        case RenameDatabase(oid=oid):
            _require_owned(state, role, database_securable(state, oid))
            if not known_role(state, role).createdb:
                raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, "permission denied to rename database")
        case RenameSchema(oid=oid):
            _require_owned(state, role, schema_securable(state, oid))
            require_database(state, role, state.schemas[oid].database, "C")
        case SwapSchemas(oid=oid, other=other):
            for each in (oid, other):
                _require_owned(state, role, schema_securable(state, each))
                require_database(state, role, state.schemas[each].database, "C")
        case SetComment(oid=oid):
            _require_owned(state, role, securable(state, oid))
        case CreateCluster():
            raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, "permission denied to create cluster")
        case RenameCluster(oid=oid) | SetPartitions(oid=oid) | DropCluster(oid=oid):
            _require_owned(state, role, cluster_securable(state, oid))
        case CreateReplica(cluster=oid) | DropReplica(cluster=oid):
            _require_owned(state, role, cluster_securable(state, oid))
        case SwapClusters(oid=oid, other=other):
            for each in (oid, other):
                _require_owned(state, role, cluster_securable(state, each))
        case SetConfiguration() | ForgetSlot():
            raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, "permission denied: only superusers may do this")
        case _:
            _require_alteration(state, role, change, made)


def _require_alteration(state: CatalogState, role: int, change: Change, made: set[GlobalId]) -> None:
    match change:
        case RenameItem(id=id_):
            item = _owned_item(state, role, id_)
            if item is not None:
                require_schema(state, role, item.schema, "C")
        case MoveItem(id=id_, schema=schema):
            _owned_item(state, role, id_)
            if schema in state.schemas:
                require_schema(state, role, schema, "C")
        case AlterTable(id=id_, change=AddedForeignKey(key=key)):
            if id_ not in made:
                _owned_item(state, role, id_)
            if key.parent not in made:
                _require_references(state, role, key)
        case AlterTable(id=id_, change=AddedColumn(column=column)):
            if id_ not in made:
                _owned_item(state, role, id_)
            own = users_type(column.type)
            _require_usage(state, role, () if own is None else (own.id,))
        case SwapItems(id=id_, other=other):
            _owned_item(state, role, id_)
            _owned_item(state, role, other)
        case AlterConnection(id=id_, definition=definition):
            _owned_item(state, role, id_)
            _require_usage(state, role, definition.secrets)
        case SetCluster(id=id_, cluster=oid):
            _owned_item(state, role, id_)
            require_cluster(state, role, oid, "C")
        case AlterSink(id=id_, definition=definition):
            _owned_item(state, role, id_)
            _require_usage(state, role, definition.depends_on)
        case (
            ReplaceView()
            | ReplaceFunction()
            | AlterSequence()
            | AlterEnum()
            | AlterComposite()
            | AlterDomain()
            | AlterTable()
            | RenameColumn()
            | AlterRetainHistory()
            | AlterViewOptions()
            | AlterSecret()
            | AlterSourceTable()
        ):
            if change.id not in made:
                _owned_item(state, role, change.id)
        case _:
            # Roles, owners and lists are asked about where statements about them are translated; holds where they are
            # moved. What is rebuilt is what a change that was asked about has altered.
            return


def _require_owned(state: CatalogState, role: int, object_: Securable | None) -> None:
    if object_ is not None:
        require_owner(state, role, object_)


def _owned_item(state: CatalogState, role: int, id_: GlobalId) -> Item | None:
    item = state.items.get(id_)
    if item is None:
        return None
    if isinstance(item.definition, SequenceDefinition) and item.definition.owned_by is not None:
        # A column's own sequence goes with its table.
        item = state.items.get(item.definition.owned_by.table, item)
    require_owner(state, role, item_securable(state, item))
    return item


def _require_droppable(state: CatalogState, role: int, id_: GlobalId) -> None:
    """Raises 42501 unless the role owns the object, or the schema of the object."""
    item = state.items.get(id_)
    if item is None:
        return
    schema = schema_securable(state, item.schema)
    if schema is None or not owns(state, role, schema):
        require_owner(state, role, item_securable(state, item))


def _require_creation(state: CatalogState, role: int, change: CreateItem) -> None:
    if not is_temporary(change.schema):
        database = state.database_named(change.database)
        schema = None if database is None else state.schema_named(database.oid, change.schema)
        if schema is not None:
            require_schema(state, role, schema.oid, "C")
    definition = change.definition
    if isinstance(definition, Index):
        on = state.items.get(definition.on.id)
        if on is not None:
            require_owner(state, role, item_securable(state, on))
    if _runs_on_cluster(definition):
        require_cluster(state, role, cluster_of(definition) or DEFAULT_CLUSTER_OID, "C")
    created = Item(change.id, change.oid, 0, change.name, change.owner, change.created_ms, definition)
    _require_usage(state, role, created.depends_on)
    if isinstance(definition, SourceTable):
        _owned_item(state, role, definition.source_id)
    if isinstance(definition, Table):
        for key in definition.foreign_keys:
            _require_references(state, role, key)


def _runs_on_cluster(definition: Definition) -> bool:
    """Tells whether a cluster runs what is defined; a table's keys come with the table."""
    if isinstance(definition, Index):
        return definition.rule is None
    return isinstance(definition, MaterializedView | Source | Sink)


def _require_usage(state: CatalogState, role: int, ids: Iterable[GlobalId]) -> None:
    """Refuses (42501) types, connections and secrets without USAGE."""
    for id_ in sorted(ids):
        item = state.items.get(id_)
        if item is not None and (item.type is not None or isinstance(item.definition, Connection | Secret)):
            require_item(state, role, id_, "U")


def _require_references(state: CatalogState, role: int, key: ForeignKey) -> None:
    """Requires the privilege REFERENCES on the table that is referenced, or on each of the columns."""
    item = state.items.get(key.parent)
    if item is None:
        return
    numbers = frozenset(item.column_numbers(key.parent_columns))
    require_need(state, role, Need(item.id, REFERENCES, referenced=numbers))
