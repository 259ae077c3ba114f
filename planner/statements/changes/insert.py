"""INSERT: VALUES with DEFAULT, SELECT, DEFAULT VALUES, ON CONFLICT, RETURNING, AS OF."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemView
from planner.expressions.planner import ClausePlace, Expressions
from planner.functions.signature import CastContext
from planner.functions.system.server_calls import calls_server, relation_calls_server
from planner.ir.relation import LocalGet, Relation
from planner.ir.scalar import Column, Scalar, scalar_type
from planner.plans.changes import InsertPlan
from planner.privileges import INSERT, SELECT
from planner.query.common_tables import bind_common_tables
from planner.query.from_clause import reading
from planner.query.locked_apart import locked_apart
from planner.query.query import draft_query
from planner.query.values import rows_relation
from planner.scope.analysis import Analysis
from planner.scope.bindings import Binding, bound
from planner.scope.draft import Draft
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of
from planner.scope.planned_query import PlannedQuery
from planner.scope.scope import Scope
from planner.scope.system_columns import with_system_fields
from planner.statements.changes.assignment import (
    assignment_error,
    default_scalar,
    mapped,
    plan_returning,
)
from planner.statements.changes.generating import with_generated
from planner.statements.changes.insert_targets import InsertTarget, check_count, insert_targets
from planner.statements.changes.inserted_row import InsertedRows
from planner.statements.changes.on_conflict import plan_conflict
from planner.statements.changes.overriding import taken
from planner.statements.changes.target import ChangedTarget, changed_target
from planner.statements.kept_rules import rules_of_change
from planner.statements.select import plan_as_of
from planner.syntax.parse import ParsedStatement


def plan(analysis: Analysis, statement: ParsedStatement) -> InsertPlan:
    planned = plan_insert(analysis, statement.node, QueryEnvironment(top=True))
    return replace(planned, as_of=plan_as_of(analysis, statement))


def plan_insert(analysis: Analysis, node: Any, environment: QueryEnvironment) -> InsertPlan:
    """Plans an INSERT by itself, or in WITH."""
    named = changed_target(analysis, node.relation, "insert into")
    item = named.table
    bindings: list[Binding] = []
    if node.HasField("with_clause"):
        environment, bindings = bind_common_tables(analysis, node.with_clause, environment, draft_query)
    environment = environment.inner()
    targets = insert_targets(analysis, named, node.cols)
    use = analysis.use(named.named, INSERT)
    use.beneath = named.beneath
    use.insert(target.number for target in targets if node.cols or node.HasField("select_stmt"))
    source = _source(analysis, node, named, targets, environment)
    alias = node.relation.alias.aliasname if node.relation.HasField("alias") else None
    local = analysis.next_local_id()
    rows = LocalGet(local, item.desc)
    inserted = reading(named.namespace(alias), use)
    namespace = (inserted if named.levels else with_system_fields(inserted, use),)
    returned = list(node.returning_clause.exprs) if node.HasField("returning_clause") else []
    returning = plan_returning(analysis, returned, rows, namespace, environment, bindings)
    rules = rules_of_change(analysis, item)
    query = replace(source, relation=bound(with_generated(source.relation, rules), bindings)).finished()
    conflict = plan_conflict(analysis, node, named, use, rules, environment, bindings)
    reads_target = SELECT in use.rights
    return InsertPlan(
        item.id,
        query,
        returning,
        local,
        rules=rules,
        conflict=conflict,
        reads_target=reads_target,
        guards=named.checks(analysis),
        view=named.view,
    )


def _source(
    analysis: Analysis,
    node: Any,
    named: ChangedTarget,
    targets: tuple[InsertTarget, ...],
    environment: QueryEnvironment,
) -> PlannedQuery:
    """Plans the rows of the target's columns."""
    item = named.shown
    names = item.desc.names
    if not node.HasField("select_stmt"):
        row = [default_scalar(analysis, item, at) for at in range(item.desc.arity)]
        return PlannedQuery(rows_relation([row], names, item.desc.types), names)
    select = node.select_stmt.select_stmt
    plain_values = select.values_lists and not (
        select.sort_clause or select.HasField("limit_count") or select.HasField("limit_offset")
    )
    if plain_values and not select.HasField("with_clause"):
        return PlannedQuery(_values(analysis, node, select.values_lists, named, targets, environment), names)
    return _query(analysis, node, select, named, targets, environment)


def _values(
    analysis: Analysis,
    node: Any,
    lists: Any,
    named: ChangedTarget,
    targets: tuple[InsertTarget, ...],
    environment: QueryEnvironment,
) -> Relation:
    expressions = Expressions(analysis, Scope((), environment.outer), environment, ClausePlace.VALUES)
    made = InsertedRows(expressions, node, node.cols, named, targets)
    count = len(lists[0].list.items)
    rows: list[list[Scalar]] = []
    for entry in lists:
        items = entry.list.items
        if len(items) != count:
            message = "VALUES lists must all be the same length"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, location_of(items[0]))
        rows.append(made.row(items))
    return rows_relation(rows, named.shown.desc.names, named.shown.desc.types)


def _query(
    analysis: Analysis,
    node: Any,
    select: Any,
    named: ChangedTarget,
    targets: tuple[InsertTarget, ...],
    environment: QueryEnvironment,
) -> PlannedQuery:
    """Plans the query, in its order where sequences count its rows; else in any."""
    draft = draft_query(analysis, select, environment)
    count = len(draft.names)
    extra = draft.location(len(targets)) if count > len(targets) else -1
    check_count(analysis, named, node.cols, count, targets, extra)
    item = named.shown
    for at in range(count):
        _cast_column(analysis, draft, at, item, targets[at])
    planned = locked_apart(analysis, draft.finish())
    names, counting = item.desc.names, relation_calls_server(planned.relation)
    kept = [taken(analysis, node, item, target.position) for target in targets[:count]]
    # Of a table without dropped columns: theirs would be missing in the row.
    if not node.cols and count == item.desc.arity and all(kept):
        return replace(planned, names=names) if counting else PlannedQuery(planned.closed(), names)
    expressions = Expressions(analysis, Scope((), environment.outer), environment, ClausePlace.VALUES)
    given: dict[int, Scalar] = {}
    for at, (target, type_) in enumerate(zip(targets, planned.desc.types)):
        if not kept[at]:
            continue
        value = Column(at, type_)
        earlier = given.get(target.position)
        given[target.position] = target.with_part(expressions, item, earlier, value) if target.path else value
    scalars = tuple(given[at] if at in given else default_scalar(analysis, item, at) for at in range(item.desc.arity))
    if not (planned.order and (counting or any(map(calls_server, scalars)))):
        return PlannedQuery(mapped(planned.closed(), scalars, names), names)
    keys = tuple(key.expression for key in planned.order)
    ordered = mapped(planned.limited(), (*scalars, *keys), (*names, *("order",) * len(keys)))
    order = (
        replace(key, expression=Column(item.desc.arity + at, scalar_type(key.expression)))
        for at, key in enumerate(planned.order)
    )
    return PlannedQuery(ordered, names, tuple(order))


def _cast_column(analysis: Analysis, draft: Draft, at: int, item: ItemView, target: InsertTarget) -> None:
    """Casts a query's column to its target's type; for a part of a column, the type is checked at assignment."""
    wanted = target.type_in(item)
    if wanted is not None and draft.cast(at, wanted, CastContext.ASSIGNMENT):
        return
    if not target.path:
        raise assignment_error(analysis, item.desc.columns[target.position], draft.types[at], draft.location(at))
