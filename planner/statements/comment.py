"""COMMENT ON."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import users_type
from planner.catalog_view import ItemKind, ItemView
from planner.plans.large_objects import LargeObjectCommentPlan
from planner.plans.objects import CommentPlan, FunctionRef
from planner.plans.plan import NoOpPlan
from planner.query.from_clause import find_relation
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.functions.function_names import ROUTINES, function_ref
from planner.statements.large_objects import large_object_oid
from planner.syntax.parse import ParsedStatement
from planner.types.type_names import type_from_node

_KINDS = {
    tree.OBJECT_TABLE: (ItemKind.TABLE, "a table"),
    tree.OBJECT_VIEW: (ItemKind.VIEW, "a view"),
    tree.OBJECT_MATVIEW: (ItemKind.MATERIALIZED_VIEW, "a materialized view"),
    tree.OBJECT_INDEX: (ItemKind.INDEX, "an index"),
    tree.OBJECT_SEQUENCE: (ItemKind.SEQUENCE, "a sequence"),
}
_TYPES = (tree.OBJECT_TYPE, tree.OBJECT_DOMAIN)


def plan(analysis: Analysis, statement: ParsedStatement) -> CommentPlan | LargeObjectCommentPlan | NoOpPlan:
    """Plans a comment; its object must exist. Comments on objects other than relations, columns, constraints, types,
    users' functions and schemas are not stored, and a notice says so."""
    node = statement.node
    text = node.comment or None
    if node.objtype == tree.OBJECT_LARGEOBJECT:
        return LargeObjectCommentPlan(large_object_oid(analysis, node.object), text)
    if node.objtype in _KINDS:
        return CommentPlan(_relation(analysis, node).oid, 0, text)
    if node.objtype == tree.OBJECT_COLUMN:
        item, column = _column(analysis, node)
        return CommentPlan(item.oid, column, text)
    if node.objtype == tree.OBJECT_TABCONSTRAINT:
        *relation, constraint = strings(node.object.list.items)
        table = _changeable(analysis, find_relation(analysis, tuple(relation), -1))
        return CommentPlan(table.oid, 0, text, constraint)
    if node.objtype == tree.OBJECT_POLICY:
        *relation, policy = strings(node.object.list.items)
        table = _changeable(analysis, find_relation(analysis, tuple(relation), -1))
        return CommentPlan(table.oid, 0, text, policy=policy)
    if node.objtype == tree.OBJECT_DOMCONSTRAINT:
        name, constraint_name = node.object.list.items
        domain = type_from_node(analysis, name.type_name).domain
        if domain is None:
            shown = strings(name.type_name.names)[-1]
            raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, f'"{shown}" is not a domain')
        return CommentPlan(domain.oid, 0, text, constraint_name.string.sval)
    if node.objtype in _TYPES:
        type_ = type_from_node(analysis, node.object.type_name)
        named = users_type(type_)
        if named is not None and analysis.context.catalog.item_by_oid(named.oid) is not None:
            return CommentPlan(named.oid, 0, text)
    if node.objtype in ROUTINES:
        function = _function(analysis, function_ref(analysis, node.object, ROUTINES[node.objtype]))
        if function is not None:
            return CommentPlan(function.oid, 0, text)
        if node.objtype == tree.OBJECT_PROCEDURE:
            ref = function_ref(analysis, node.object, ROUTINES[node.objtype])
            raise analysis.error(Sqlstate.UNDEFINED_FUNCTION, f"procedure {ref.shown} does not exist")
    if node.objtype == tree.OBJECT_SCHEMA:
        name = node.object.string.sval
        oid = analysis.context.catalog.schema_oid(analysis.context.database, name)
        if oid is None:
            raise analysis.error(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{name}" does not exist')
        if name in _own_schemas(analysis):
            return CommentPlan(oid, 0, text)
    kept = "relations, columns, constraints, policies, types, users' functions and schemas"
    return NoOpPlan("COMMENT", f"this comment is not kept: only those on {kept} are")


def _function(analysis: Analysis, ref: FunctionRef) -> ItemView | None:
    """Returns the user's function of a name and types. Raises SqlError 42725 where several have the name."""
    context = analysis.context
    found = context.catalog.resolve_functions(ref.parts, context.search_path, context.database)
    if ref.types is None and len(found) > 1:
        hint = f"Specify the argument list to select the {ref.noun} unambiguously."
        message = f'{ref.noun} name "{".".join(ref.parts)}" is not unique'
        raise analysis.error(Sqlstate.AMBIGUOUS_FUNCTION, message, hint=hint)
    meant = (each for each in found if each.function is not None and (ref.types is None or ref.means(each.function)))
    return next((each for each in meant if each.function is not None and ref.kind_fits(each.function)), None)


def _own_schemas(analysis: Analysis) -> set[str]:
    """Returns the schemas that users created."""
    context = analysis.context
    everything = context.catalog.schemas(context.database)
    return set(everything) - set(context.catalog.schemas(""))


def _relation(analysis: Analysis, node: Any) -> ItemView:
    item = find_relation(analysis, strings(node.object.list.items), -1)
    kind, words = _KINDS[node.objtype]
    if item.kind is not kind and item.kind is not ItemKind.SYSTEM:
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name.name}" is not {words}')
    return _changeable(analysis, item)


def _column(analysis: Analysis, node: Any) -> tuple[ItemView, int]:
    *relation, column = strings(node.object.list.items)
    item = _changeable(analysis, find_relation(analysis, tuple(relation), -1))
    at = item.column_named(column)
    if at is None:
        message = f'column "{column}" of relation "{item.name.name}" does not exist'
        raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message)
    return item, item.column_number(at)


def _changeable(analysis: Analysis, item: ItemView) -> ItemView:
    if item.kind is ItemKind.SYSTEM:
        message = f'permission denied: "{item.name.name}" is a system catalog'
        raise analysis.error(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
    return item
