"""CREATE INDEX and CREATE MATERIALIZED VIEW, and CREATE OR REPLACE: names to changes and notices."""

from __future__ import annotations

from collections.abc import Callable

from catalog.changes.change import Change, ReplaceView
from catalog.lookup.planner_view import references_to
from catalog.lookup.targets import not_a
from catalog.nouns.index_names import column_names, index_name
from catalog.nouns.items import Index, IndexKey, Item, MaterializedView
from catalog.nouns.notices import Notice, skipping
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.decimals_columns import is_reserved_name, with_decimals_columns, with_replaced_columns
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType, type_text
from planner.catalog_view import QualifiedName
from planner.ir.scalar import Column, scalar_type
from planner.plans.objects import ObjectKind
from planner.plans.views import CreateIndexPlan, CreateMaterializedViewPlan, CreateViewPlan

Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]
Create = Callable[[QualifiedName, Index | MaterializedView, GlobalId], Change]
"""The change that creates an item of a name under an id."""


def translate_create_index(
    plan: CreateIndexPlan, state: CatalogState, allocator: IdAllocator, create: Create
) -> Outcome:
    on = state.items.get(plan.on)
    if on is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{plan.relation.name}" does not exist')

    def taken(name: str) -> bool:
        return state.item_named(on.schema, name) is not None

    place = state.full_name(on)
    planned = (*plan.keys, *plan.included)
    names = column_names(key.name for key in planned)
    name = plan.name or index_name(on.name, names, plan.default, taken)
    if plan.if_not_exists and plan.name is not None and taken(plan.name):
        return _exists(plan.name)
    for named, key in zip(names, planned, strict=True):
        _require_named(named, scalar_type(key.expression))
    keys = tuple(
        IndexKey(
            own,
            scalar_type(key.expression),
            key.sql,
            key.expression.index if isinstance(key.expression, Column) else None,
            key.order,
        )
        for own, key in zip(names, planned, strict=True)
    )
    count = len(plan.keys)
    (reference,) = references_to(state, [on.id])
    id_ = allocator.user_id()
    functions = references_to(state, plan.functions)
    told = plan.retain_history_ms, id_, plan.rule, plan.condition, keys[count:], plan.cluster, functions
    index = Index(reference, keys[:count], *told)
    return (create(QualifiedName(place.database, place.schema, name), index, id_),), ()


def translate_create_materialized_view(
    plan: CreateMaterializedViewPlan, state: CatalogState, allocator: IdAllocator, create: Create
) -> Outcome:
    existing = state.find(plan.name)
    if existing is not None and plan.if_not_exists:
        return _exists(plan.name.name)
    notices = () if plan.with_data else (_ALWAYS_POPULATED,)
    if existing is not None and plan.or_replace:
        if not isinstance(existing.definition, MaterializedView):
            raise not_a(ObjectKind.MATERIALIZED_VIEW, existing.name)
        # While nothing depends on it, it may get any columns.
        kept = existing if state.dependents(existing.id) else None
        definition = _materialized_view(plan, state, allocator.user_id(), kept)
        return (ReplaceView(existing.id, definition),), notices
    id_ = allocator.user_id()
    return (create(plan.name, _materialized_view(plan, state, id_), id_),), notices


_ALWAYS_POPULATED = Notice(
    Sqlstate.SUCCESSFUL_COMPLETION, "WITH NO DATA has no effect: a materialized view is kept as its inputs change"
)


def stored_view_desc(plan: CreateViewPlan | CreateMaterializedViewPlan, existing: Item | None) -> RelationDesc:
    """Describes the columns of a view's rows: the query's, and those that tell decimals of numerics. Columns of an
    existing view, which is replaced, keep their positions."""
    desc = _view_desc(plan)
    return with_decimals_columns(desc) if existing is None else with_replaced_columns(existing.desc, desc)


def _view_desc(plan: CreateViewPlan | CreateMaterializedViewPlan) -> RelationDesc:
    """Describes the query's columns, under the names that the statement gives them."""
    query = plan.query.desc
    names = (*plan.columns, *query.names[len(plan.columns) :])
    for name, column in zip(names, query.columns, strict=True):
        _require_named(name, column.type)
    return RelationDesc(
        tuple(ColumnDesc(name, c.type, c.nullable) for name, c in zip(names, query.columns, strict=True))
    )


def _require_named(column: str, type_: ScalarType) -> None:
    """Raises 42P16 for a column of unnamed records, as PostgreSQL does; whole rows of a relation are allowed."""
    if is_reserved_name(column):
        raise SqlError(Sqlstate.RESERVED_NAME, f'column name "{column}" is reserved')
    fields = (type_.element or type_).fields
    if fields and all(name == f"f{at}" for at, (name, _) in enumerate(fields, start=1)):
        message = f'column "{column}" has pseudo-type {type_text(type_)}'
        raise SqlError(Sqlstate.INVALID_TABLE_DEFINITION, message)


def _materialized_view(
    plan: CreateMaterializedViewPlan, state: CatalogState, collection: GlobalId, existing: Item | None = None
) -> MaterializedView:
    return MaterializedView(
        desc=stored_view_desc(plan, existing),
        create_sql=plan.create_sql,
        references=references_to(state, plan.depends_on),
        written=plan.name,
        query_columns=plan.query.desc.names,
        strict=plan.strict,
        retain_history_ms=plan.retain_history_ms,
        collection=collection,
        cluster=plan.cluster,
    )


def _exists(name: str) -> Outcome:
    return (), (skipping(Sqlstate.DUPLICATE_TABLE, f'relation "{name}" already exists'),)
