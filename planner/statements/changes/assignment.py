"""The common parts of INSERT, UPDATE and COPY: the target table, its columns, assignment casts, defaults, RETURNING."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.errors.sql_error import NotSupported
from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import UNKNOWN, ScalarType, bare_text
from planner.catalog_view import ItemKind, ItemView, PlanningContext
from planner.expressions.planner import ClausePlace, Expressions
from planner.functions.signature import CastContext
from planner.ir.columns import own_columns
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import LocalGet, Map, Relation
from planner.ir.scalar import Column, Literal, Scalar, scalar_type
from planner.ir.unit import projected
from planner.query.from_clause import resolve_table
from planner.query.kept_expressions import kept_expression, qualified_text, refuse_reading
from planner.query.targets import plan_targets
from planner.scope.analysis import Analysis
from planner.scope.bindings import Binding, bound
from planner.scope.environment import QueryEnvironment
from planner.scope.names import range_parts
from planner.scope.planned_query import PlannedQuery
from planner.scope.scope import Field, NamespaceItem, Scope
from planner.types.coercion import coerce, known
from planner.types.domains import rules_of


def target_table(analysis: Analysis, node: Any, verb: str) -> ItemView:
    """Returns the table that a RangeVar names; raises 55000 for views, 42501 for the system's relations."""
    return changeable_table(analysis, resolve_table(analysis, range_parts(node), node.location), verb)


def changeable_table(analysis: Analysis, item: ItemView, verb: str) -> ItemView:
    """Returns the item, which is a table; errors as of `target_table`."""
    match item.kind:
        case ItemKind.TABLE if verb == "truncate" and item.of_system:
            message = f'permission denied: "{item.name.name}" is a system catalog'
            raise analysis.error(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
        case ItemKind.TABLE:
            return item
        case ItemKind.VIEW if verb == "truncate":
            raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name.name}" is not a table')
        case ItemKind.VIEW:
            message = f'cannot {verb} view "{item.name.name}"'
            raise analysis.error(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)
        case ItemKind.MATERIALIZED_VIEW:
            message = f'cannot change materialized view "{item.name.name}"'
            raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message)
        case ItemKind.SEQUENCE:
            name = item.name.name
            message = f'"{name}" is not a table' if verb == "truncate" else f'cannot change sequence "{name}"'
            raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message)
        case ItemKind.SOURCE | ItemKind.SOURCE_PROGRESS | ItemKind.SINK_PROGRESS:
            message = f'cannot {verb} {item.kind.value} "{item.name.name}"'
            raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message)
        case ItemKind.INDEX | ItemKind.TYPE | ItemKind.FUNCTION | ItemKind.SECRET | ItemKind.CONNECTION | ItemKind.SINK:
            raise AssertionError("resolve_table finds relations only")
        case ItemKind.SYSTEM:
            message = f"permission denied for table {item.name.name}"
            raise analysis.error(Sqlstate.INSUFFICIENT_PRIVILEGE, message)


def column_position(analysis: Analysis, item: ItemView, name: str, location: int) -> int:
    """Returns the position of a column in the table; raises SqlError 42703 when the table lacks the column."""
    at = item.column_named(name)
    if at is not None:
        return at
    message = f'column "{name}" of relation "{item.name.name}" does not exist'
    raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message, location)


def assignment_error(analysis: Analysis, column: ColumnDesc, source: ScalarType, location: int) -> Exception:
    """Returns SqlError 42804 for an expression whose type can't be assigned to a column."""
    message = (
        f'column "{column.name}" is of type {bare_text(column.type)} but expression is of type {bare_text(source)}'
    )
    hint = "You will need to rewrite or cast the expression."
    return analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location, hint=hint)


def assign(analysis: Analysis, value: Scalar, column: ColumnDesc, location: int) -> Scalar:
    """Returns the expression as a value of a column, by an assignment cast."""
    cast = coerce(analysis, value, column.type, CastContext.ASSIGNMENT, location)
    if cast is None:
        raise assignment_error(analysis, column, scalar_type(known(analysis, value)), location)
    return cast


def default_scalar(analysis: Analysis, item: ItemView, column: int) -> Scalar:
    """Returns a column's DEFAULT, NULL without one, and NULL for a generated column, which is computed later."""
    desc = item.desc.columns[column]
    text = item.defaults[column] if column < len(item.defaults) else None
    if item.is_generated(column):
        return Literal(None, desc.type)
    if text is None:
        return absent_value(analysis, desc.type)
    value, used = _planned_default(analysis.context, text, desc)
    analysis.uses += used.uses
    return value


def absent_value(analysis: Analysis, type_: ScalarType) -> Scalar:
    """Returns the value of a column that is not given: NULL, or a domain's default."""
    base, default = type_, None
    while base.domain is not None and default is None:
        rules = rules_of(analysis.context, base)
        base, default = rules.base, rules.default
    if default is not None:
        return plan_default(analysis.context, default, ColumnDesc("value", type_))
    value = coerce(analysis, Literal(None, UNKNOWN), type_, CastContext.ASSIGNMENT)
    assert value is not None, "NULL is of every type"
    return value


def plan_default(context: PlanningContext, text: str, column: ColumnDesc) -> Scalar:
    """Returns a DEFAULT's text as a value of its column; it reads no columns, no subqueries, no aggregates."""
    return _planned_default(context, text, column)[0]


def qualified_default(context: PlanningContext, text: str, column: ColumnDesc, *, calls: bool = True) -> str:
    """Returns the text with the schema put before each name of a user's type or function that lacks it; errors as
    `plan_default`, and 0A000 for users' functions unless the DEFAULT may have `calls` of them."""
    used = _planned_default(context, text, column)[1]
    if not calls and any(item.kind is ItemKind.FUNCTION for item in used.used_items.values()):
        raise NotSupported("a user's function in DEFAULT of a domain")
    return qualified_text(used, text)


def _planned_default(context: PlanningContext, text: str, column: ColumnDesc) -> tuple[Scalar, Analysis]:
    expressions, node = kept_expression(context, text, Scope(()), ClausePlace.DEFAULT)
    value = default_of_column(expressions, node, column)
    if own_columns(value):
        message = "cannot use column reference in DEFAULT expression"
        raise expressions.analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    refuse_reading(expressions.analysis, value, "DEFAULT")
    return value, expressions.analysis


def default_of_column(expressions: Expressions, node: Any, column: ColumnDesc) -> Scalar:
    """Plans the expression that gives a column its values. Raises SqlError 42804 where its type can't be assigned."""
    analysis = expressions.analysis
    value = coerce(analysis, expressions.plan(node), column.type, CastContext.ASSIGNMENT)
    if value is not None:
        return value
    actual = scalar_type(known(analysis, expressions.plan(node)))
    message = (
        f'column "{column.name}" is of type {bare_text(column.type)} '
        f"but default expression is of type {bare_text(actual)}"
    )
    hint = "You will need to rewrite or cast the expression."
    raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, hint=hint)


def plan_returning(
    analysis: Analysis,
    nodes: Sequence[Any],
    rows: LocalGet,
    items: tuple[NamespaceItem, ...],
    environment: QueryEnvironment,
    bindings: Sequence[Binding],
) -> Query | None:
    """Plans RETURNING over the rows bound to a local id, seen as `items`; `bindings` are those of WITH. None without a
    RETURNING clause."""
    if not nodes:
        return None
    scope = Scope(items)
    expressions = Expressions(analysis, scope, environment.within(None), ClausePlace.RETURNING)
    targets = plan_targets(expressions, nodes)
    scalars = tuple(known(analysis, target.scalar) for target in targets)
    names = tuple(target.name for target in targets)
    return PlannedQuery(bound(mapped(rows, scalars, names), bindings), names).finished()


def mapped(relation: Relation, scalars: tuple[Scalar, ...], names: tuple[str, ...]) -> Relation:
    """Returns a relation of exactly these columns."""
    arity = relation_desc_of(relation).arity
    if all(isinstance(scalar, Column) for scalar in scalars):
        return projected(relation, tuple(scalar.index for scalar in scalars if isinstance(scalar, Column)))
    return projected(Map(relation, scalars, names), tuple(range(arity, arity + len(scalars))))


def table_namespace(item: ItemView) -> NamespaceItem:
    """Returns the names of a table's columns, over a row of the table."""
    columns = ((at, item.desc.columns[at]) for at in item.visible)
    fields = tuple(Field(column.name, Column(at, column.type)) for at, column in columns)
    return NamespaceItem(item.name.name, fields, item.name.schema)
