"""Translates DDL plans into changes: names are resolved in one state, and a skipped object becomes a notice.

Only errors about names and kinds are raised here; whether the changes fit the state is for `apply` to decide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from catalog.changes.change import (
    AlterRetainHistory,
    AlterViewOptions,
    Change,
    CreateDatabase,
    CreateItem,
    CreateSchema,
    ReplaceView,
)
from catalog.changes.enums import first_labels
from catalog.changes.roles.changes_allowed import require_allowed
from catalog.changes.temporary import create_schema
from catalog.facts.roles.predefined import known_role
from catalog.lookup.planner_view import references_to
from catalog.lookup.targets import DdlSession, find_relation, named_item, require_kind
from catalog.nouns.items import (
    Composite,
    Definition,
    Domain,
    Enum,
    Index,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.notices import Notice, skipping
from catalog.nouns.reference import Reference
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.add_tables import translate_source_tables
from catalog.translation.alter_constraint import translate_add_constraint, translate_alter_constraint
from catalog.translation.alter_sink import translate_alter_sink
from catalog.translation.columns import ColumnPlan, translate_alter_column
from catalog.translation.constraints import NewNames, added_foreign_key, indexes_on, key_index, named_checks, named_keys
from catalog.translation.create_sink import translate_create_sink
from catalog.translation.create_source import translate_create_source
from catalog.translation.drop import translate_drop
from catalog.translation.drop_column import translate_drop_column
from catalog.translation.functions import translate_routine
from catalog.translation.maintained import (
    stored_view_desc,
    translate_create_index,
    translate_create_materialized_view,
)
from catalog.translation.policies import translate_policy, translate_row_security
from catalog.translation.range_type import translate_create_range
from catalog.translation.rename import translate_move, translate_rename, translate_swap
from catalog.translation.roles.named import require_may_become, role_meant
from catalog.translation.roles.translate_role import translate_role
from catalog.translation.sequence import column_sequences, translate_create_sequence
from catalog.translation.set_cluster import translate_set_cluster
from catalog.translation.types import translate_alter_domain, translate_alter_type
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.column_layout import plain_layout
from model.types.decimals_columns import with_decimals_columns
from model.types.relation_desc import ColumnDesc, RelationDesc
from planner.catalog_view import GeneratedColumn, QualifiedName
from planner.plans.alter_table import (
    AlterColumnPlan,
    DropColumnPlan,
    SetRowSecurityPlan,
)
from planner.plans.constraints import (
    AddConstraintPlan,
    AlterConstraintPlan,
    DropConstraintPlan,
    RenameConstraintPlan,
    ValidateConstraintPlan,
)
from planner.plans.foreign_keys import NewForeignKey
from planner.plans.functions import AlterRoutinePlan, CreateFunctionPlan
from planner.plans.objects import (
    AlterRetainHistoryPlan,
    CreateDatabasePlan,
    CreateSchemaPlan,
    DropPlan,
    MovePlan,
    ObjectKind,
    RenamePlan,
    SwapPlan,
)
from planner.plans.policies import (
    AlterPolicyPlan,
    CreatePolicyPlan,
    DropPolicyPlan,
    PolicyPlan,
    RenamePolicyPlan,
)
from planner.plans.replicas import SetClusterPlan
from planner.plans.roles import RolePlan
from planner.plans.sequences import CreateSequencePlan
from planner.plans.sinks import AlterSinkPlan, CreateSinkPlan
from planner.plans.sources import AddTablesPlan, CreateSourcePlan, CreateWebhookPlan, RefreshTablesPlan
from planner.plans.tables import CreateTablePlan
from planner.plans.types import (
    AlterCompositePlan,
    AlterDomainPlan,
    AlterTypePlan,
    CreateCompositePlan,
    CreateDomainPlan,
    CreateRangePlan,
    CreateTypePlan,
)
from planner.plans.views import CreateIndexPlan, CreateMaterializedViewPlan, CreateViewPlan, ViewOptionsPlan
from planner.temporary_schema import ALIAS

DdlPlan = (
    CreateTablePlan
    | CreateViewPlan
    | CreateMaterializedViewPlan
    | CreateIndexPlan
    | CreateSequencePlan
    | CreateSourcePlan
    | CreateWebhookPlan
    | AddTablesPlan
    | RefreshTablesPlan
    | CreateSinkPlan
    | AlterSinkPlan
    | CreateTypePlan
    | AlterTypePlan
    | AlterCompositePlan
    | CreateDomainPlan
    | AlterDomainPlan
    | CreateCompositePlan
    | CreateRangePlan
    | CreateFunctionPlan
    | AlterRoutinePlan
    | CreateSchemaPlan
    | CreateDatabasePlan
    | DropPlan
    | RenamePlan
    | MovePlan
    | SwapPlan
    | SetClusterPlan
    | AlterRetainHistoryPlan
    | ViewOptionsPlan
    | SetRowSecurityPlan
    | PolicyPlan
    | AlterColumnPlan
    | AddConstraintPlan
    | DropConstraintPlan
    | RenameConstraintPlan
    | ValidateConstraintPlan
    | AlterConstraintPlan
    | RolePlan
)


@dataclass(frozen=True, slots=True)
class Translation:
    """The changes to apply, and the notices to send to the client (before the command's tag)."""

    changes: tuple[Change, ...]
    notices: tuple[Notice, ...] = ()


_NOTHING: tuple[Change, ...] = ()


def translate(
    plan: DdlPlan, state: CatalogState, session: DdlSession, allocator: IdAllocator, created_ms: int
) -> Translation:
    """Returns the changes that `plan` means in `state`. `created_ms` is the time of creation of new objects."""

    def made(name: QualifiedName, definition: Definition, id_: GlobalId) -> CreateItem:
        return _create(name, definition, state, session, allocator, created_ms, id_)

    if isinstance(plan, ColumnPlan):
        return Translation(translate_alter_column(plan, state, allocator, made))
    match plan:
        case CreateTablePlan(name=name) | CreateViewPlan(name=name) | CreateSequencePlan(name=name) if (
            name.schema == ALIAS
        ):
            schema = create_schema(state, name.database, session.temporary_schema, allocator)
            own = replace(plan, name=replace(name, schema=session.temporary_schema))
            inner = translate(own, state, session, allocator, created_ms)
            return Translation((*schema, *inner.changes), inner.notices)
        case CreateTablePlan():
            return _create_table(plan, state, session, allocator, created_ms)
        case CreateViewPlan():
            return _create_view(plan, state, session, allocator, created_ms)
        case CreateIndexPlan():
            return Translation(*translate_create_index(plan, state, allocator, made))
        case CreateSequencePlan():
            return Translation(*translate_create_sequence(plan, state, session, allocator, made))
        case CreateSourcePlan() | CreateWebhookPlan():
            return Translation(*translate_create_source(plan, state, allocator, made))
        case AddTablesPlan() | RefreshTablesPlan():
            return Translation(*translate_source_tables(plan, state, allocator, made))
        case AlterSinkPlan():
            return Translation(*translate_alter_sink(plan, state, session, allocator))
        case CreateSinkPlan():
            return Translation(*translate_create_sink(plan, state, session, allocator, made))
        case CreateMaterializedViewPlan():
            return Translation(*translate_create_materialized_view(plan, state, allocator, made))
        case AlterTypePlan() | AlterCompositePlan():
            return Translation(*translate_alter_type(plan, state, session))
        case AlterDomainPlan(name, domain_change):
            return Translation(*translate_alter_domain(name, domain_change, state, session))
        case CreateTypePlan() | CreateDomainPlan() | CreateCompositePlan() | CreateRangePlan():
            return Translation(_create_type(plan, state, allocator, made))
        case CreateFunctionPlan() | AlterRoutinePlan():
            return Translation(translate_routine(plan, state, session, allocator, made))
        case CreateSchemaPlan() | CreateDatabasePlan():
            return _create_place(plan, state, session, allocator)
        case DropPlan():
            return Translation(*translate_drop(plan, state, session))
        case RenamePlan():
            return Translation(*translate_rename(plan, state, session))
        case MovePlan():
            return Translation(*translate_move(plan, state, session))
        case SwapPlan():
            return Translation(*translate_swap(plan, state, session))
        case DropColumnPlan():
            return Translation(*translate_drop_column(plan, state, session))
        case AddConstraintPlan():
            return Translation(*translate_add_constraint(plan, state, allocator, made))
        case DropConstraintPlan() | ValidateConstraintPlan() | AlterConstraintPlan() | RenameConstraintPlan():
            return Translation(*translate_alter_constraint(plan, state, session))
        case AlterRetainHistoryPlan():
            return _alter_retain_history(plan, state, session)
        case ViewOptionsPlan():
            return _alter_view_options(plan, state, session)
        case _:
            return _translate_rights_or_place(plan, state, session, allocator)


def _create_type(
    plan: CreateTypePlan | CreateDomainPlan | CreateCompositePlan | CreateRangePlan,
    state: CatalogState,
    allocator: IdAllocator,
    made: Callable[[QualifiedName, Definition, GlobalId], CreateItem],
) -> tuple[Change, ...]:
    match plan:
        case CreateTypePlan(name, labels):
            return (made(name, Enum(allocator.oid(), first_labels(labels)), allocator.user_id()),)
        case CreateDomainPlan(name, rules):
            return (made(name, Domain(allocator.oid(), rules), allocator.user_id()),)
        case CreateCompositePlan(name, fields):
            return (made(name, Composite(allocator.oid(), allocator.oid(), fields), allocator.user_id()),)
        case CreateRangePlan():
            return translate_create_range(plan, state, allocator, made)
        case _:
            assert_never(plan)


def _translate_rights_or_place(
    plan: SetRowSecurityPlan | PolicyPlan | RolePlan | SetClusterPlan,
    state: CatalogState,
    session: DdlSession,
    allocator: IdAllocator,
) -> Translation:
    match plan:
        case SetClusterPlan():
            return Translation(*translate_set_cluster(plan, state, session, allocator))
        case SetRowSecurityPlan():
            return Translation(translate_row_security(plan))
        case CreatePolicyPlan() | AlterPolicyPlan() | RenamePolicyPlan() | DropPolicyPlan():
            return Translation(*translate_policy(plan, state, session, allocator))
        case _:
            return Translation(*translate_role(plan, state, session, allocator))


def _create_place(
    plan: CreateSchemaPlan | CreateDatabasePlan, state: CatalogState, session: DdlSession, allocator: IdAllocator
) -> Translation:
    if isinstance(plan, CreateSchemaPlan):
        return _create_schema(plan, state, session, allocator)
    return _create_database(plan, state, session, allocator)


def _create_database(
    plan: CreateDatabasePlan, state: CatalogState, session: DdlSession, allocator: IdAllocator
) -> Translation:
    by = session.role(state)
    owner = known_role(state, by) if plan.owner is None else role_meant(state, session, plan.owner)
    if plan.if_not_exists and state.database_named(plan.database) is not None:
        return Translation(_NOTHING, (_exists(Sqlstate.DUPLICATE_DATABASE, "database", plan.database),))
    change = CreateDatabase(allocator.oid(), plan.database, owner.oid, allocator.oid())
    require_allowed(state, by, (change,))
    require_may_become(state, by, owner)
    return Translation((change,))


def _create_schema(
    plan: CreateSchemaPlan, state: CatalogState, session: DdlSession, allocator: IdAllocator
) -> Translation:
    by = session.role(state)
    owner = known_role(state, by) if plan.owner is None else role_meant(state, session, plan.owner)
    name = plan.schema or owner.name
    change = CreateSchema(allocator.oid(), plan.database, name, owner.oid)
    require_allowed(state, by, (change,))
    require_may_become(state, by, owner)
    if plan.if_not_exists and _has_schema(state, plan.database, name):
        return Translation(_NOTHING, (_exists(Sqlstate.DUPLICATE_SCHEMA, "schema", name),))
    return Translation((change,))


def _has_schema(state: CatalogState, database: str, schema: str) -> bool:
    found = state.database_named(database)
    return found is not None and state.schema_named(found.oid, schema) is not None


def _exists(sqlstate: Sqlstate, kind: str, name: str) -> Notice:
    return skipping(sqlstate, f'{kind} "{name}" already exists')


def _is_skipped(plan: AlterRetainHistoryPlan | ViewOptionsPlan, state: CatalogState, session: DdlSession) -> bool:
    """Tells whether a statement with IF EXISTS names nothing that there is."""
    return plan.if_exists and find_relation(state, session, plan.name) is None


def _skipped(plan: AlterRetainHistoryPlan | ViewOptionsPlan) -> Translation:
    message = f'relation "{plan.name[-1]}" does not exist'
    return Translation(_NOTHING, (skipping(Sqlstate.SUCCESSFUL_COMPLETION, message),))


def _alter_retain_history(plan: AlterRetainHistoryPlan, state: CatalogState, session: DdlSession) -> Translation:
    if _is_skipped(plan, state, session):
        return _skipped(plan)
    item = named_item(state, session, plan.name)
    require_kind(item, plan.kind)
    return Translation((AlterRetainHistory(item.id, plan.retain_history_ms),))


def _alter_view_options(plan: ViewOptionsPlan, state: CatalogState, session: DdlSession) -> Translation:
    if _is_skipped(plan, state, session):
        return _skipped(plan)
    item = named_item(state, session, plan.name)
    require_kind(item, ObjectKind.VIEW)
    assert isinstance(item.definition, View), "a view, as was asked"
    options = item.definition.options
    for step in plan.steps:
        named = {each.partition("=")[0] for each in step}
        kept = [each for each in options if each.partition("=")[0] not in named]
        options = (*kept, *(each for each in step if "=" in each))
    return Translation((AlterViewOptions(item.id, options),))


def _create_table(
    plan: CreateTablePlan, state: CatalogState, session: DdlSession, allocator: IdAllocator, created_ms: int
) -> Translation:
    if plan.if_not_exists and state.find(plan.name) is not None:
        return _relation_exists(plan.name)
    desc = RelationDesc(tuple(ColumnDesc(column.name, column.type, column.nullable) for column in plan.columns))
    id_ = allocator.user_id()

    def made(name: QualifiedName, definition: SequenceDefinition, own_id: GlobalId) -> CreateItem:
        return _create(name, definition, state, session, allocator, created_ms, own_id)

    sequences, defaults = column_sequences(plan, id_, state, allocator, made)
    names = NewNames(state, plan.name)
    checks = named_checks(plan.constraints, desc.names, names, allocator.oid)
    generated = tuple(GeneratedColumn(at, each.reads) for at, each in enumerate(plan.columns) if each.reads is not None)
    history = plan.retain_history_ms
    stored = with_decimals_columns(desc)
    layout = None if stored == desc else plain_layout(desc.arity)
    defaults = (*defaults, *(None,) * (stored.arity - desc.arity))
    table = Table(
        stored, defaults, history, plan.create_sql, plan.on_commit, checks, layout=layout, generated=generated
    )
    changes: list[Change] = [*sequences, _create(plan.name, table, state, session, allocator, created_ms, id_)]
    on = Reference(plan.name, id_, desc.names)
    own: list[tuple[GlobalId, Index]] = []
    for name, key in named_keys(plan.constraints, desc.names, names):
        index_id = allocator.user_id()
        index = key_index(key, desc, on, index_id)
        changes.append(_create(replace(plan.name, name=name), index, state, session, allocator, created_ms, index_id))
        own.append((index_id, index))
    for each in plan.constraints:
        if isinstance(each, NewForeignKey):
            indexes = own if each.parent is None else indexes_on(state, each.parent)
            name = names.of_foreign_key(each, desc.names)
            changes.append(added_foreign_key(each, name, id_, indexes, allocator.oid()))
    return Translation(tuple(changes))


def _create_view(
    plan: CreateViewPlan, state: CatalogState, session: DdlSession, allocator: IdAllocator, created_ms: int
) -> Translation:
    existing = state.find(plan.name)
    if existing is not None and plan.if_not_exists:
        return _relation_exists(plan.name)
    names = plan.query.desc.names
    references = references_to(state, plan.depends_on)
    view = View(stored_view_desc(plan, existing), plan.create_sql, references, plan.name, names, plan.options)
    notices = (_becomes_temporary(plan.name),) if plan.becomes_temporary else ()
    if existing is not None and plan.or_replace:
        require_kind(existing, ObjectKind.VIEW)
        return Translation((ReplaceView(existing.id, view),), notices)
    return Translation((_create(plan.name, view, state, session, allocator, created_ms),), notices)


def _create(
    name: QualifiedName,
    definition: Definition,
    state: CatalogState,
    session: DdlSession,
    allocator: IdAllocator,
    created_ms: int,
    id_: GlobalId | None = None,
) -> CreateItem:
    return CreateItem(
        allocator.user_id() if id_ is None else id_,
        allocator.oid(),
        name.database,
        name.schema,
        name.name,
        session.role(state),
        created_ms,
        definition,
    )


def _becomes_temporary(name: QualifiedName) -> Notice:
    return Notice(Sqlstate.SUCCESSFUL_COMPLETION, f'view "{name.name}" will be a temporary view')


def _relation_exists(name: QualifiedName) -> Translation:
    message = f'relation "{name.name}" already exists'
    return Translation(_NOTHING, (skipping(Sqlstate.DUPLICATE_TABLE, message),))
