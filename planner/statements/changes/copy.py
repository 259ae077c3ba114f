"""COPY … FROM STDIN, COPY … TO STDOUT, and both with a file of the server's or objects of a bucket."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import OID, holds_domain
from planner.catalog_view import ItemKind, ItemView
from planner.expressions.planner import ClausePlace, Expressions
from planner.ir.columns import own_columns
from planner.ir.relation import Project
from planner.ir.scalar import Column, Literal, Scalar
from planner.plans.copying import CopyFromPlan, CopyOptions, CopySubscribePlan
from planner.plans.plan import Plan
from planner.plans.queries import CopyToPlan
from planner.privileges import INSERT
from planner.query.from_clause import plan_stored_rows, resolve_table
from planner.query.query import plan_query
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import range_parts, strings
from planner.scope.planned_query import PlannedQuery
from planner.scope.scope import Field, Scope
from planner.statements.changes.assignment import column_position, default_scalar, table_namespace, target_table
from planner.statements.changes.copy_options import copy_options
from planner.statements.connections.access_objects import access_object
from planner.statements.kept_rules import rules_of_change
from planner.statements.select import plan_as_of
from planner.statements.views.subscribe import plan_subscribe
from planner.syntax.own_statements import Place
from planner.syntax.parse import ParsedStatement
from planner.types.domains import checked_inside


def plan(analysis: Analysis, statement: ParsedStatement) -> Plan:
    node = statement.node
    if node.is_program:
        hint = "Anyone can COPY to stdout or from stdin. psql's \\copy command also works for anyone."
        message = "COPY to or from a program is not supported"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint=hint)
    options, connection = copy_options(analysis, node.options)
    if statement.extension.json_copy:
        if options.format is not None:
            raise analysis.error(Sqlstate.SYNTAX_ERROR, "conflicting or redundant options", -1)
        options = replace(options, format="json")
    if connection is not None and not node.filename:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "CONNECTION is for COPY of objects: 's3://bucket/key'", -1)
    if statement.extension.subscribe is not None:
        if node.filename:
            raise analysis.unsupported("COPY of a subscription to a file")
        return CopySubscribePlan(plan_subscribe(analysis, statement.extension.subscribe), options)
    copied = _from(analysis, node, options) if node.is_from else _to(analysis, statement, options)
    by = None if connection is None else access_object(analysis, "connection", Place((connection,), -1)).id
    return replace(copied, file=node.filename or None, connection=by)


def _from(analysis: Analysis, node: Any, options: CopyOptions) -> CopyFromPlan:
    item = target_table(analysis, node.relation, "copy to")
    names = strings(node.attlist)
    columns = tuple(column_position(analysis, item, name, -1) for name in names) or _copied(item)
    analysis.use(item, INSERT).insert(map(item.column_number, columns))
    if len(set(columns)) != len(columns):
        repeated = next(name for at, name in enumerate(names) if name in names[:at])
        raise analysis.error(Sqlstate.DUPLICATE_COLUMN, f'column "{repeated}" specified more than once')
    _refuse_generated(analysis, item, columns)
    defaults: tuple[tuple[int, Scalar], ...] = tuple(
        (at, default_scalar(analysis, item, at)) for at in range(item.desc.arity) if at not in columns
    )
    rules = rules_of_change(analysis, item)
    where = _condition(analysis, item, node.where_clause) if node.HasField("where_clause") else None
    return CopyFromPlan(item.id, columns, defaults, options, _checked(analysis, item, columns), where, rules)


def _condition(analysis: Analysis, item: ItemView, node: Any) -> Scalar:
    """Plans the WHERE of COPY FROM over a row of the table, which has no values of generated columns yet."""
    row = replace(table_namespace(item), system_fields=(Field("tableoid", Literal(item.oid, OID)),), source=item)
    scope = Scope((row,))
    condition = Expressions(analysis, scope, QueryEnvironment(), ClausePlace.COPY_WHERE).plan_boolean(node, "WHERE")
    for at in sorted(own_columns(condition)):
        if item.is_generated(at):
            detail = f'Column "{item.desc.columns[at].name}" is a generated column.'
            message = "generated columns are not supported in COPY FROM WHERE conditions"
            raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, detail=detail)
    return condition


def _copied(item: ItemView) -> tuple[int, ...]:
    """Returns the positions of the columns that COPY means where it names none: generated ones are left out."""
    return tuple(at for at in item.visible if not item.is_generated(at))


def _refuse_generated(analysis: Analysis, item: ItemView, columns: tuple[int, ...]) -> None:
    for at in columns:
        if item.is_generated(at):
            message = f'column "{item.desc.columns[at].name}" is a generated column'
            detail = "Generated columns cannot be used in COPY."
            raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, detail=detail)


def _checked(analysis: Analysis, item: ItemView, columns: tuple[int, ...]) -> tuple[tuple[int, Scalar], ...]:
    """Returns the columns of domains as they are checked, over the columns that are read."""
    checked: list[tuple[int, Scalar]] = []
    for place, at in enumerate(columns):
        type_ = item.desc.columns[at].type
        if holds_domain(type_):
            checked.append((at, checked_inside(analysis, Column(place, type_.base()), type_)))
    return tuple(checked)


def _to(analysis: Analysis, statement: ParsedStatement, options: CopyOptions) -> CopyToPlan:
    node = statement.node
    if node.HasField("query"):
        if node.query.WhichOneof("node") != "select_stmt":
            raise analysis.unsupported("COPY of a statement other than a query")
        query = plan_query(analysis, node.query, QueryEnvironment()).finished()
        return CopyToPlan(query, options, plan_as_of(analysis, statement))
    item = resolve_table(analysis, range_parts(node.relation), -1)
    if item.kind is ItemKind.SEQUENCE:
        message = f'cannot copy from sequence "{node.relation.relname}"'
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message)
    source = plan_stored_rows(analysis, node.relation)
    fields = source.items[0].fields
    # What is dropped or hidden is stored among the columns, too.
    first = item.visible == tuple(range(len(fields)))
    rows = source.relation if first else Project(source.relation, item.visible)
    query = PlannedQuery(rows, tuple(field.name for field in fields)).finished()
    wanted = strings(node.attlist) or [item.desc.columns[at].name for at in _copied(item) if item.generated]
    if not wanted:
        analysis.uses[-1].select_all()
        return CopyToPlan(query, options)
    positions: list[int] = []
    for name in wanted:
        found = [at for at, field in enumerate(fields) if field.name == name]
        if not found:
            message = f'column "{name}" of relation "{node.relation.relname}" does not exist'
            raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message)
        _refuse_generated(analysis, item, tuple(at for at in [item.column_named(name)] if at is not None))
        fields[found[0]].taken()
        positions.append(found[0])
    finishing = replace(query.finishing, project=tuple(positions))
    columns = tuple(query.desc.columns[at] for at in positions)
    return CopyToPlan(replace(query, finishing=finishing, desc=replace(query.desc, columns=columns)), options)
