"""FROM: tables, views, subqueries, functions and joins to one relation and its namespace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import REGCLASS
from planner.catalog_view import ItemKind, ItemView, KeyKind
from planner.functions.system.sequences import POSITION
from planner.ir.columns import outer_references, shift_depths
from planner.ir.relation import FlatMap, Get, LocalGet, Relation
from planner.ir.scalar import Column, Literal
from planner.ir.unit import UNIT
from planner.privileges import SELECT
from planner.query.from_function import plan_from_function
from planner.query.from_items import FromItem, check_aliases, cross
from planner.query.joins import plan_join
from planner.query.table_sample import sampled
from planner.scope.analysis import Analysis
from planner.scope.environment import CommonTable, QueryEnvironment
from planner.scope.names import range_parts, strings
from planner.scope.scope import Field, NamespaceItem, PrimaryKey, Scope, outside, without_laterals
from planner.scope.system_columns import mentions_places, numbered, system_fields, with_place
from planner.scope.uses import ColumnRead, RelationUse
from planner.temporary_schema import is_temporary, own_schema


def plan_from(analysis: Analysis, nodes: Any, environment: QueryEnvironment) -> FromItem:
    """Plans a FROM list; joins each of its items to the items on its left."""
    if not nodes:
        return FromItem(UNIT, ())
    result = plan_item(analysis, nodes[0], environment)
    for node in nodes[1:]:
        right, lateral = plan_right(analysis, node, environment, result)
        check_aliases(analysis, result.items, right.items, -1)
        result = cross(result, right, lateral)
    return result


def plan_right(analysis: Analysis, node: Any, environment: QueryEnvironment, left: FromItem) -> tuple[FromItem, bool]:
    """Plans an item of FROM, and tells if the item refers to items on its left. An item that must not refer to them
    sees them hidden, for a better error.
    """
    if not _has_rows_on_its_left(node):
        return plan_item(analysis, node, environment), False
    scope = Scope(left.items, environment.outer, lateral=True)
    item = plan_item(analysis, node, environment.within(scope))
    if outer_references(item.relation, 1):
        return item, True
    return FromItem(shift_depths(item.relation, -1), item.items), False


def _has_rows_on_its_left(node: Any) -> bool:
    match node.WhichOneof("node"):
        case "range_function" | "range_subselect":
            return True
        case "join_expr":
            return _has_rows_on_its_left(node.join_expr.larg) or _has_rows_on_its_left(node.join_expr.rarg)
        case _:
            return False


def plan_item(analysis: Analysis, node: Any, environment: QueryEnvironment) -> FromItem:
    """Plans one item of FROM."""
    kind = node.WhichOneof("node")
    match kind:
        case "range_var":
            return _table(analysis, node.range_var, environment, places=mentions_places(analysis))
        case "range_subselect":
            return _subselect(analysis, node.range_subselect, environment)
        case "range_function":
            relation, item = plan_from_function(analysis, node.range_function, environment)
            return FromItem(relation, (item,))
        case "join_expr":
            left = plan_item(analysis, node.join_expr.larg, environment)
            right, lateral = plan_right(analysis, node.join_expr.rarg, environment, left)
            return plan_join(analysis, node.join_expr, environment, left, right, lateral)
        case "range_table_sample":
            sample = node.range_table_sample
            return sampled(analysis, sample, plan_item(analysis, sample.relation, environment), environment)
        case _:
            raise analysis.unsupported(f"{kind} in FROM")


def plan_stored_rows(analysis: Analysis, node: Any) -> FromItem:
    """Plans a relation that a statement names, without ctid: a row alone has no place."""
    return _table(analysis, node, QueryEnvironment(), places=False)


def _table(analysis: Analysis, node: Any, environment: QueryEnvironment, *, places: bool) -> FromItem:
    parts = range_parts(node)
    common = environment.common_tables.get(parts[0]) if len(parts) == 1 else None
    alias = node.alias.aliasname if node.HasField("alias") else parts[-1]
    if common is not None:
        return _common_table(analysis, node, common, alias)
    item = resolve_table(analysis, parts, node.location)
    names = aliased_names(analysis, alias, item.visible_desc, node)
    schema = None if node.HasField("alias") else item.name.schema
    use = analysis.use(item, SELECT)
    fields = reading(_item(alias, names, item.visible_desc, schema, item.visible), use)
    named = replace(
        fields,
        system_fields=system_fields(item, use),
        primary_key=_primary_key(item),
        source=item,
    )
    if places and item.kind is ItemKind.TABLE:
        return FromItem(numbered(_contents(item), item.desc), (with_place(named, item, use),))
    return FromItem(_contents(item), (named,))


def reading(namespace: NamespaceItem, use: RelationUse) -> NamespaceItem:
    """Returns the columns of a relation, each of which tells when the statement reads it."""
    item = use.item
    columns = zip(namespace.fields, item.visible, strict=True)
    fields = tuple(Field(f.name, f.scalar, ColumnRead(use, item.column_number(at))) for f, at in columns)
    return replace(namespace, fields=fields)


def _common_table(analysis: Analysis, node: Any, common: CommonTable, alias: str) -> FromItem:
    if not common.returns:
        message = f'WITH query "{common.name}" does not have a RETURNING clause'
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, node.location)
    columns = common.desc.columns[: common.desc.arity - common.unnamed]
    desc = RelationDesc(columns[: len(columns) - common.hidden])
    hidden = tuple(Field(c.name, Column(at, c.type)) for at, c in tuple(enumerate(columns))[desc.arity :])
    named = _item(alias, aliased_names(analysis, alias, desc, node), desc)
    relation = LocalGet(common.local_id, common.desc)
    return FromItem(relation, (replace(named, system_fields=hidden, order=common.order),))


def _primary_key(item: ItemView) -> PrimaryKey | None:
    for key in item.keys:
        if key.rule.kind is KeyKind.PRIMARY and not key.rule.deferrable and key.columns is not None:
            columns = tuple(Column(at, column.type) for at, column in enumerate(item.desc.columns))
            return PrimaryKey(key.index, tuple(columns[at] for at in key.columns), columns)
    return None


def _contents(item: ItemView) -> Relation:
    """Returns what a FROM item contains. A sequence is no collection: the server knows how far it has come."""
    if item.kind is ItemKind.SEQUENCE:
        return FlatMap(UNIT, POSITION.key, (Literal(item.oid, REGCLASS),), item.desc)
    return Get(item.id, item.desc)


def resolve_table(analysis: Analysis, parts: tuple[str, ...], location: int) -> ItemView:
    """Returns the catalog's item that rows can be read from; raises 42P01 when there is none, 42809 for an index."""
    item = find_relation(analysis, parts, location)
    if item.kind is ItemKind.INDEX:
        message = f'cannot open relation "{item.name.name}"'
        detail = "This operation is not supported for indexes."
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, location, detail=detail)
    analysis.depends_on.add(item.id)
    analysis.used_items[location, len(parts)] = item
    return item


def find_relation(analysis: Analysis, parts: tuple[str, ...], location: int) -> ItemView:
    """Returns the catalog's item of any kind; raises 42P01 when there is none."""
    context = analysis.context
    if len(parts) == 3 and parts[0] != context.database:
        message = f'cross-database references are not implemented: "{".".join(parts)}"'
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location)
    item = context.catalog.resolve_item(parts, context.search_path, context.database)
    if item is None:
        message = f'relation "{".".join(parts)}" does not exist'
        raise analysis.error(Sqlstate.UNDEFINED_TABLE, message, location)
    if is_temporary(item.name.schema) and item.name.schema != own_schema(context.search_path):
        message = "cannot access temporary tables of other sessions"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    return item


def _item(
    alias: str | None,
    names: tuple[str, ...],
    desc: RelationDesc,
    schema: str | None = None,
    positions: Sequence[int] | None = None,
) -> NamespaceItem:
    """Makes a namespace item; `positions` are those of the columns in the relation, when they are not all of it in
    order."""
    places = range(desc.arity) if positions is None else positions
    fields = tuple(Field(name, Column(at, type_)) for at, name, type_ in zip(places, names, desc.types, strict=True))
    return NamespaceItem(alias, fields, schema)


def aliased_names(analysis: Analysis, alias: str, desc: RelationDesc, node: Any) -> tuple[str, ...]:
    """Returns the columns' names after `AS alias (…)`; raises 42P10 when there are too many."""
    given = strings(node.alias.colnames) if node.HasField("alias") else ()
    if len(given) > desc.arity:
        message = f'table "{alias}" has {desc.arity} columns available but {len(given)} columns specified'
        raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, getattr(node, "location", -1))
    return (*given, *desc.names[len(given) :])


def _subselect(analysis: Analysis, node: Any, environment: QueryEnvironment) -> FromItem:
    seen = outside(environment.outer) if node.lateral else without_laterals(environment.outer)
    query = analysis.plan_query(analysis, node.subquery, environment.within(seen))
    desc = query.desc
    alias = node.alias.aliasname if node.HasField("alias") else None
    names = aliased_names(analysis, alias or "unnamed_subquery", desc, node)
    relation = query.limited() if query.order else query.closed()
    return FromItem(relation, (replace(_item(alias, names, desc), order=query.order, subquery=relation),))
