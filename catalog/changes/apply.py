"""`apply(state, changes)` returns the next state, or raises the error that PostgreSQL gives.

Validation is complete here: a change that was validated when a transaction buffered it is validated again at commit,
against the state at that time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

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
    ChangeOfNames,
    CreateCluster,
    CreateDatabase,
    CreateItem,
    CreateReadHold,
    CreateReplica,
    CreateSchema,
    DropCluster,
    DropDatabase,
    DropItems,
    DropReadHold,
    DropReplica,
    DropSchemas,
    ForgetSlot,
    MoveItem,
    RebuildItems,
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
    TransferReadHold,
)
from catalog.changes.clusters import require_clusters, with_cluster_change, with_set_cluster
from catalog.changes.commenting import commented, with_present_comments
from catalog.changes.composites import require_free_row_type, require_no_member, with_fields
from catalog.changes.domains import altered_domain
from catalog.changes.drops import dropped_with, require_no_others, without_dropped
from catalog.changes.enums import changed_labels, with_present_types, with_type
from catalog.changes.functions import replaced_function, require_free_signature
from catalog.changes.moving import with_moved_item
from catalog.changes.policies import with_renamed_column
from catalog.changes.read_holds import create_read_hold, read_hold_named
from catalog.changes.references import require_one_primary_key, require_references, require_secrets
from catalog.changes.replace_view import check_replacement
from catalog.changes.retyped_column import with_names_moved, with_retyped_column, with_retyped_definitions
from catalog.changes.roles.applying import with_present_acls, with_role_change
from catalog.changes.table_changes import (
    AddedColumn,
    RetypedColumn,
    WidenedColumn,
    altered_table,
    require_no_system_column,
)
from catalog.changes.temporary import confined
from catalog.facts.roles.default_acls import acl_of_new
from catalog.facts.roles.row_security import require_unbound_keepers
from catalog.facts.roles.securables import first_acl_of_public, list_kind
from catalog.facts.type_texts import with_present_type_names
from catalog.nouns.acl import Acl
from catalog.nouns.items import (
    PUBLIC_OWNER_OID,
    AccessObject,
    Composite,
    Computed,
    Database,
    Definition,
    Enum,
    FunctionDefinition,
    Index,
    Item,
    MaterializedView,
    Schema,
    SequenceDefinition,
    Table,
    Type,
    View,
)
from catalog.nouns.names import quote
from catalog.nouns.sinks import SinkProgress
from catalog.nouns.sources import SourceProgress
from catalog.nouns.system_schemas import reserved, system_schema_named
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from catalog.state.left_slots import with_left_slots
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId, Namespace
from model.types.decimals_columns import is_reserved_name, visible_layout
from model.types.relation_desc import ColumnDesc, RelationDesc
from planner.syntax.renamed_text import with_new_columns

Watcher = Callable[[CatalogState, CatalogState, Change], None]
"""Is told of a change, with the state before and after it."""


def apply(state: CatalogState, changes: Iterable[Change], watcher: Watcher | None = None) -> CatalogState:
    """Returns the state after all of `changes`, in order, one version later (the same state when there are none)."""
    after, shared = state, False
    for change in changes:
        before = after
        shared = shared or not confined(before, change)
        after = _apply_one(before, change)
        if watcher is not None:
            watcher(before, after, change)
    if after is state:
        return state
    after = with_left_slots(state, with_present_acls(with_present_comments(after)))
    require_unbound_keepers(after)
    version = state.version + 1
    return replace(after, version=version, shared_version=version if shared else state.shared_version)


def _apply_one(state: CatalogState, change: Change) -> CatalogState:
    match change:
        case CreateDatabase():
            return _create_database(state, change)
        case CreateSchema():
            return _create_schema(state, change)
        case CreateItem():
            return _create_item(state, change)
        case ReplaceView() | ReplaceFunction():
            return _replace(state, change)
        case RebuildItems():
            return _rebuild_items(state, change)
        case DropItems():
            return _drop_items(state, change)
        case DropSchemas():
            return _drop_schemas(state, change)
        case DropDatabase(oid):
            return _drop_database(state, oid)
        case AlterSequence(id, definition):
            return edits.with_item(state, replace(_item(state, id), definition=definition))
        case AlterEnum() | AlterComposite():
            return _alter_type(state, change)
        case AlterDomain(id, change_):
            return altered_domain(state, _item(state, id), change_)
        case AlterTable():
            return _alter_table(state, change)
        case (
            RenameItem() | MoveItem() | SwapItems() | RenameColumn() | RenameSchema() | SwapSchemas() | RenameDatabase()
        ):
            return _with_other_names(state, change)
        case AlterRetainHistory(id, retain_history_ms):
            return _alter_retain_history(state, id, retain_history_ms)
        case AlterViewOptions(id, options):
            return _with_view_options(state, id, options)
        case SetComment():
            return commented(state, change)
        case SetConfiguration(name, value):
            return edits.with_configuration(state, name, value)
        case CreateReadHold(hold):
            return create_read_hold(state, hold)
        case TransferReadHold(name, owner, capabilities):
            hold = read_hold_named(state, name)
            return edits.with_read_hold(state, replace(hold, owner=owner, capabilities=capabilities))
        case ForgetSlot(slot):
            return edits.without_left_slot(state, slot)
        case AlterSecret(id, sealed):
            return edits.with_item(state, replace(_item(state, id), definition=sealed))
        case AlterSink() | AlterSourceTable():
            return _alter_known(state, change)
        case SetCluster():
            return with_set_cluster(state, change)
        case AlterConnection():
            return _alter_connection(state, change)
        case (
            CreateCluster()
            | RenameCluster()
            | SetPartitions()
            | SwapClusters()
            | DropCluster()
            | CreateReplica()
            | DropReplica()
        ):
            return with_cluster_change(state, change)
        case DropReadHold(name):
            return edits.without_read_hold(state, read_hold_named(state, name).name)
        case _:
            return with_role_change(state, change)


def _with_other_names(state: CatalogState, change: ChangeOfNames) -> CatalogState:
    match change:
        case RenameItem(id, name):
            return with_present_type_names(state, _rename_item(state, id, name))
        case MoveItem():
            return with_present_type_names(state, with_moved_item(state, change))
        case SwapItems(id, other):
            return _swap_items(state, id, other)
        case RenameColumn():
            return _rename_column(state, change)
        case RenameSchema(oid, name):
            return with_present_type_names(state, _rename_schema(state, oid, name))
        case SwapSchemas(oid, other):
            return with_present_type_names(state, _swap_schemas(state, oid, other))
        case RenameDatabase(oid, name):
            _require_free_database(state, name)
            return edits.with_database(state, replace(_database(state, oid), name=name))


def _create_database(state: CatalogState, change: CreateDatabase) -> CatalogState:
    _require_free_database(state, change.name)
    state = edits.with_database(state, Database(change.oid, change.name, change.owner))
    state = edits.with_schema(state, Schema(change.public_oid, change.oid, "public", PUBLIC_OWNER_OID))
    return edits.with_acl(state, change.public_oid, 0, first_acl_of_public())


def _create_schema(state: CatalogState, change: CreateSchema) -> CatalogState:
    database = state.database_named(change.database)
    if database is None:
        raise _missing(Sqlstate.INVALID_CATALOG_NAME, "database", change.database)
    if change.own and state.schema_named(database.oid, change.name) is not None:
        message = f"could not serialize access: another transaction has created {change.name}"
        raise SqlError(Sqlstate.SERIALIZATION_FAILURE, message)
    _require_free_schema(state, database.oid, change.name, reserved_too=change.temporary or change.own)
    state = edits.with_schema(state, Schema(change.oid, database.oid, change.name, change.owner))
    return _with_first_acl(state, change.oid, acl_of_new(state, "schema", change.owner, 0))


_COLUMNS_MAX = 1600


def _require_columns(definition: Definition) -> None:
    """Raises SqlError 54011 for more than PostgreSQL's relations may have."""
    if not isinstance(definition, Table | View | MaterializedView):
        return
    layout = definition.layout if isinstance(definition, Table) else visible_layout(definition.desc)
    if (definition.desc.arity if layout is None else len(layout.stored)) > _COLUMNS_MAX:
        message = f"tables can have at most {_COLUMNS_MAX} columns"
        raise SqlError(Sqlstate.TOO_MANY_COLUMNS, message)


def _create_item(state: CatalogState, change: CreateItem) -> CatalogState:
    require_clusters(state, change.definition)
    _require_columns(change.definition)
    if system_schema_named(change.schema) is not None:
        raise SqlError(
            Sqlstate.INSUFFICIENT_PRIVILEGE,
            f'permission denied to create "{change.schema}.{change.name}"',
            detail="System catalog modifications are currently disallowed.",
        )
    database = state.database_named(change.database)
    if database is None:
        raise _missing(Sqlstate.INVALID_CATALOG_NAME, "database", change.database)
    schema = state.schema_named(database.oid, change.schema)
    if schema is None:
        raise _missing(Sqlstate.INVALID_SCHEMA_NAME, "schema", change.schema)
    _require_free_name(state, schema.oid, change.name, change.definition)
    assert change.id not in state.items and change.oid not in state.item_ids_by_oid, "ids are given once"
    _require_column_names(change.definition)
    require_references(state, change.definition)
    require_one_primary_key(state, change.definition)
    item = Item(change.id, change.oid, schema.oid, change.name, change.owner, change.created_ms, change.definition)
    _require_unreserved_columns(item)
    state = edits.with_item(state, with_present_types(state, item))
    return _with_first_acl(state, item.oid, acl_of_new(state, list_kind(item), item.owner, item.schema))


def _with_first_acl(state: CatalogState, oid: int, acl: Acl | None) -> CatalogState:
    return state if acl is None else edits.with_acl(state, oid, 0, acl)


def _replace(state: CatalogState, change: ReplaceView | ReplaceFunction) -> CatalogState:
    if isinstance(change, ReplaceFunction):
        return replaced_function(state, _item(state, change.id), change.definition)
    return _replace_view(state, change)


def _replace_view(state: CatalogState, change: ReplaceView) -> CatalogState:
    require_clusters(state, change.definition)
    item = _item(state, change.id)
    if type(item.definition) is not type(change.definition):
        noun = "view" if isinstance(change.definition, View) else "materialized view"
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name}" is not a {noun}')
    _require_column_names(change.definition)
    check_replacement(state, item, change.definition)
    require_references(state, change.definition)
    reading = state.reading(item.id)
    replaced = replace(item, definition=change.definition)
    if replaced.row_type != item.row_type:
        require_free_row_type(state, item)
    state = with_type(state, replaced)
    return state if change.definition == item.definition else edits.with_replaced_objects(state, reading)


def _alter_table(state: CatalogState, change: AlterTable) -> CatalogState:
    item = _item(state, change.id)
    if isinstance(change.change, AddedColumn):
        require_no_member(item, change.change.column.type)
    altered = altered_table(state, item, change.change)
    if altered.row_type != item.row_type:
        require_free_row_type(state, item)
    state = with_type(state, altered)
    if isinstance(change.change, RetypedColumn | WidenedColumn):
        state = with_retyped_column(state, item.id, change.change.column)
    if isinstance(change.change, WidenedColumn):
        state = with_names_moved(state, item.id, change.change.column)
        state = with_retyped_definitions(state, change.change.retyped)
    return state


def _rebuild_items(state: CatalogState, change: RebuildItems) -> CatalogState:
    rebuilt = dict(change.rebuilt)
    over = {dependent.id for id in rebuilt for dependent in state.maintained_dependents(id)}
    if not over <= rebuilt.keys() <= state.items.keys():
        raise SqlError(
            Sqlstate.SERIALIZATION_FAILURE, "what is to be rebuilt was created or dropped by a concurrent statement"
        )
    reading = {reader for id in rebuilt for reader in state.reading(id)}
    return edits.with_replaced_objects(_with_collections(state, rebuilt), reading)


def _with_collections(state: CatalogState, collections: Mapping[GlobalId, GlobalId]) -> CatalogState:
    """Gives each of these maintained items a new collection."""
    for id, collection in collections.items():
        item = state.items[id]
        assert isinstance(item.definition, Computed)
        state = edits.with_item(state, replace(item, definition=replace(item.definition, collection=collection)))
    return state


def _drop_items(state: CatalogState, change: DropItems) -> CatalogState:
    dropped = dropped_with(state, [_item(state, id) for id in change.ids])
    if not change.cascade:
        require_no_others(state, dropped, change.search_path)
    return without_dropped(state, dropped)


def _drop_schemas(state: CatalogState, change: DropSchemas) -> CatalogState:
    dropped = dropped_with(state, [_schema(state, oid) for oid in change.oids])
    if not change.cascade:
        require_no_others(state, dropped, change.search_path)
    return edits.without_schemas(without_dropped(state, dropped), change.oids)


def _drop_database(state: CatalogState, oid: int) -> CatalogState:
    database = _database(state, oid)
    schemas = state.schemas_in(oid)
    dropped = [d.object for d in dropped_with(state, schemas) if isinstance(d.object, Item)]
    outside = [item for item in dropped if state.schemas[item.schema].database != oid]
    if outside:
        raise SqlError(
            Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
            f"cannot drop database {quote(database.name)} because other objects depend on it",
            detail="\n".join(
                f"{item.kind.value} {state.full_name(item)} of database"
                f" {quote(state.full_name(item).database)} depends on database {quote(database.name)}"
                for item in outside
            ),
        )
    state = edits.without_items(state, [item.id for item in dropped])
    return edits.without_database(edits.without_schemas(state, [schema.oid for schema in schemas]), oid)


def _rename_item(state: CatalogState, id: GlobalId, name: str) -> CatalogState:
    item = _item(state, id)
    _require_free_name(state, item.schema, name, item.definition)
    return with_type(state, replace(item, name=name))


def _with_view_options(state: CatalogState, id: GlobalId, options: tuple[str, ...]) -> CatalogState:
    item = _item(state, id)
    assert isinstance(item.definition, View), "translated for a view"
    return edits.with_item(state, replace(item, definition=replace(item.definition, options=options)))


def _alter_type(state: CatalogState, change: AlterEnum | AlterComposite) -> CatalogState:
    item = _item(state, change.id)
    if isinstance(change, AlterComposite):
        return with_type(state, with_fields(item, change.changes))
    assert isinstance(item.definition, Enum), "translated for an enum"
    labels = changed_labels(item.definition.labels, change.change)
    return with_type(state, replace(item, definition=replace(item.definition, labels=labels)))


def _alter_connection(state: CatalogState, change: AlterConnection) -> CatalogState:
    item = state.items.get(change.id)
    if item is None or item.definition != change.before:
        raise SqlError(
            Sqlstate.SERIALIZATION_FAILURE, "the connection was changed or dropped by a concurrent statement"
        )
    require_secrets(state, change.definition)
    return edits.with_item(state, replace(item, definition=change.definition))


def _require_unreserved_columns(item: Item) -> None:
    """Raises SqlError 42939 for a column that could be taken for one of decimals, which users don't see."""
    for _, _, column in item.numbered_columns:
        if is_reserved_name(column.name):
            raise SqlError(Sqlstate.RESERVED_NAME, f'column name "{column.name}" is reserved')


def _alter_known(state: CatalogState, change: AlterSink | AlterSourceTable) -> CatalogState:
    item, kind = state.items.get(change.id), "sink" if isinstance(change, AlterSink) else "table"
    if item is None or item.definition != change.before:
        raise SqlError(Sqlstate.SERIALIZATION_FAILURE, f"the {kind} was changed or dropped by a concurrent statement")
    if isinstance(change, AlterSink):
        require_references(state, change.definition)
    altered = replace(item, definition=change.definition)
    _require_unreserved_columns(altered)
    return edits.with_item(state, altered)


def _swap_items(state: CatalogState, id: GlobalId, other: GlobalId) -> CatalogState:
    one, two = _item(state, id), _item(state, other)
    if one.kind is not two.kind:
        raise SqlError(
            Sqlstate.WRONG_OBJECT_TYPE, f'"{one.name}" is a {one.kind.value}, and "{two.name}" a {two.kind.value}'
        )
    if one.schema != two.schema:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "names are exchanged within one schema only")
    if one.id == two.id:
        raise SqlError(Sqlstate.DUPLICATE_TABLE, f'relation "{one.name}" already exists')
    state = edits.with_swapped_names(state, one, two)
    return with_type(with_type(state, state.items[one.id]), state.items[two.id])


def _rename_column(state: CatalogState, change: RenameColumn) -> CatalogState:
    item = _item(state, change.id)
    if isinstance(item.definition, Index | SequenceDefinition | SinkProgress):
        kinds = "indexes" if isinstance(item.definition, Index) else f"{item.kind.value}s"
        raise SqlError(
            Sqlstate.WRONG_OBJECT_TYPE,
            f'cannot rename columns of relation "{item.name}"',
            detail=f"This operation is not supported for {kinds}.",
        )
    assert not isinstance(item.definition, Type | FunctionDefinition | AccessObject), (
        "names of relations never mean others"
    )
    names = item.desc.names
    if all(column.name != change.column for _, _, column in item.numbered_columns):
        raise SqlError(Sqlstate.UNDEFINED_COLUMN, f'column "{change.column}" does not exist')
    if not isinstance(item.definition, View):
        require_no_system_column(change.name)
    if is_reserved_name(change.name):
        raise SqlError(Sqlstate.RESERVED_NAME, f'column name "{change.name}" is reserved')
    if change.name in names:
        raise SqlError(Sqlstate.DUPLICATE_COLUMN, f'column "{change.name}" of relation "{item.name}" already exists')
    columns = tuple(
        ColumnDesc(change.name, column.type, column.nullable) if column.name == change.column else column
        for column in item.desc.columns
    )
    renamed = replace(item.definition, desc=RelationDesc(columns))
    if isinstance(renamed, Table):
        new = {change.column: change.name}
        checks = tuple(replace(check, sql=with_new_columns(check.sql, new)) for check in renamed.checks)
        defaults = list(renamed.defaults)
        for each in renamed.generated:
            defaults[each.column] = with_new_columns(defaults[each.column] or "", new)
        security = with_renamed_column(renamed.row_security, change.column, change.name)
        renamed = replace(renamed, checks=checks, row_security=security, defaults=tuple(defaults))
    return with_type(state, replace(item, definition=renamed))


def _rename_schema(state: CatalogState, oid: int, name: str) -> CatalogState:
    schema = _schema(state, oid)
    _require_free_schema(state, schema.database, name)
    return edits.with_schema(state, replace(schema, name=name))


def _swap_schemas(state: CatalogState, oid: int, other: int) -> CatalogState:
    one, two = _schema(state, oid), _schema(state, other)
    if one.database != two.database:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "names are exchanged within one database only")
    return edits.with_swapped_schemas(state, one, two)


def _alter_retain_history(state: CatalogState, id: GlobalId, retain_history_ms: int | None) -> CatalogState:
    item = _item(state, id)
    if isinstance(
        item.definition,
        View | SequenceDefinition | SourceProgress | SinkProgress | Type | FunctionDefinition | AccessObject,
    ):
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name}" is a {item.kind.value}, and keeps nothing')
    return edits.with_item(
        state, replace(item, definition=replace(item.definition, retain_history_ms=retain_history_ms))
    )


def _database(state: CatalogState, oid: int) -> Database:
    database = state.databases.get(oid)
    if database is None:
        raise SqlError(Sqlstate.INVALID_CATALOG_NAME, "database was dropped by a concurrent statement")
    return database


def _schema(state: CatalogState, oid: int) -> Schema:
    schema = state.schemas.get(oid)
    if schema is None:
        raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, "schema was dropped by a concurrent statement")
    return schema


def _item(state: CatalogState, id: GlobalId) -> Item:
    if id.namespace is Namespace.SYSTEM:
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, "permission denied: it is a system relation")
    item = state.items.get(id)
    if item is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, "relation was dropped by a concurrent statement")
    return item


def _missing(sqlstate: Sqlstate, noun: str, name: str) -> SqlError:
    return SqlError(sqlstate, f'{noun} "{name}" does not exist')


def _require_free_database(state: CatalogState, name: str) -> None:
    if state.database_named(name) is not None:
        raise SqlError(Sqlstate.DUPLICATE_DATABASE, f'database "{name}" already exists')


def _require_free_schema(state: CatalogState, database: int, name: str, *, reserved_too: bool = False) -> None:
    if state.schema_named(database, name) is not None or system_schema_named(name) is not None:
        raise SqlError(Sqlstate.DUPLICATE_SCHEMA, f'schema "{name}" already exists')
    if reserved(name) and not reserved_too:
        prefix = name.partition("_")[0] + "_"
        raise SqlError(
            Sqlstate.RESERVED_NAME,
            f'unacceptable schema name "{name}"',
            detail=f'The prefix "{prefix}" is reserved for system schemas.',
        )


def _require_free_name(state: CatalogState, schema: int, name: str, definition: Definition) -> None:
    """Raises an error for a name that is taken. Types share their names with relations, because a relation's rows
    have a type of its name."""
    if isinstance(definition, FunctionDefinition):
        require_free_signature(state, schema, name, definition.rules.types)
        return
    found = state.item_named(schema, name)
    if found is None:
        return
    if isinstance(definition, AccessObject) or isinstance(found.definition, AccessObject):
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, f'{found.kind.value} "{name}" already exists')
    if isinstance(definition, Type):
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, f'type "{name}" already exists')
    if found.type is not None and not isinstance(found.definition, Composite):
        raise SqlError(
            Sqlstate.DUPLICATE_OBJECT,
            f'type "{name}" already exists',
            hint="A relation has an associated type of the same name, so you must use a name that doesn't conflict "
            "with any existing type.",
        )
    raise SqlError(Sqlstate.DUPLICATE_TABLE, f'relation "{name}" already exists')


def _require_column_names(definition: Definition) -> None:
    """Raises 42701 for two columns of one name, and for a column of what has rows of its own that would hide a system
    column of these."""
    names = definition.desc.names
    for at, name in enumerate(names):
        if name in names[:at]:
            raise SqlError(Sqlstate.DUPLICATE_COLUMN, f'column "{name}" specified more than once')
    if not isinstance(definition, View | Composite):
        for name in names:
            require_no_system_column(name)
