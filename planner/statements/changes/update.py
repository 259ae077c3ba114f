"""UPDATE … SET … FROM … WHERE … RETURNING."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import INT8
from planner.catalog_view import ItemView
from planner.expressions.planner import ClausePlace, Expressions
from planner.ir.columns import map_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Filter, Get, Join, JoinKind, LocalGet, Relation, TargetGet, TopK
from planner.ir.rewrite_gets import rewrite_gets
from planner.ir.scalar import Column, Literal, OuterColumn, Scalar
from planner.ir.unit import conjuncts
from planner.plans.changes import CurrentRow, UpdatePlan
from planner.privileges import SELECT, UPDATE, in_order
from planner.query.common_tables import bind_common_tables
from planner.query.from_clause import plan_from, plan_item
from planner.query.from_items import FromItem, check_aliases
from planner.query.query import draft_query
from planner.scope.analysis import Analysis
from planner.scope.bindings import Binding, bound
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of
from planner.scope.scope import NamespaceItem, Scope
from planner.scope.system_columns import mentions_places, numbered, without_place
from planner.statements.changes.assignment import (
    assign,
    default_scalar,
    mapped,
    plan_returning,
)
from planner.statements.changes.generating import with_generated
from planner.statements.changes.overriding import refuse_update
from planner.statements.changes.part_assignment import PartAssignment, refuse_default
from planner.statements.changes.several_columns import SeveralColumns
from planner.statements.changes.target import ChangedTarget, changed_target
from planner.statements.kept_rules import rules_of_change
from planner.syntax.parse import ParsedStatement


def plan(analysis: Analysis, statement: ParsedStatement) -> UpdatePlan:
    refuse_as_of(analysis, statement, "UPDATE")
    return plan_update(analysis, statement.node, QueryEnvironment(top=True))


def plan_update(analysis: Analysis, node: Any, environment: QueryEnvironment) -> UpdatePlan:
    """Plans an UPDATE by itself, or in WITH."""
    target = changed_target(analysis, node.relation, "update")
    item = target.table
    bindings: list[Binding] = []
    if node.HasField("with_clause"):
        environment, bindings = bind_common_tables(analysis, node.with_clause, environment, draft_query)
    environment = environment.inner()
    own_use = len(analysis.uses)
    current = current_row(analysis, node, target)
    items, matched = matching_rows(analysis, node, target, node.from_clause, environment, UPDATE, current, each=True)
    expressions = Expressions(analysis, Scope(items), environment, ClausePlace.UPDATE)
    several = SeveralColumns(expressions, relation_desc_of(matched).arity)
    new = new_values(analysis, node, target, expressions, several)
    for entry in node.target_list:
        column = target.column(analysis, entry.res_target.name, entry.res_target.location, "update")
        analysis.uses[own_use].update(column.number)
    matched = several.extended(matched)
    columns = _columns(matched)
    old, rest = columns[: item.desc.arity], columns[item.desc.arity :]
    returned = list(node.returning_clause.exprs) if node.HasField("returning_clause") else []
    names = (*item.desc.names, *item.desc.names)
    if returned:
        selection = mapped(matched, (*old, *new, *rest), (*names, *("from",) * len(rest)))
    else:
        selection = mapped(matched, (*old, *new), names)
    rules = rules_of_change(analysis, item)
    selection = with_generated(selection, rules, item.desc.arity)
    local = analysis.next_local_id()
    rows = LocalGet(local, relation_desc_of(selection))
    returning = plan_returning(analysis, returned, rows, _returned(items, item), environment, bindings)
    use = analysis.uses[own_use]
    selection = asked_of_target(bound(selection, bindings), item, in_order(use.rights))
    reads, checks = SELECT in use.rights, target.checks(analysis)
    return UpdatePlan(item.id, selection, returning, local, rules, reads, checks, target.view, current)


def asked_of_target(selection: Relation, item: ItemView, rights: str) -> Relation:
    """Returns a selection whose target is read with the rights that the whole statement turned out to need."""

    def asked(get: Get) -> Relation:
        return replace(get, rights=rights) if isinstance(get, TargetGet) else get

    return rewrite_gets(selection, asked) if item.secured else selection


def _columns(relation: Relation) -> tuple[Column, ...]:
    return tuple(Column(at, type_) for at, type_ in enumerate(relation_desc_of(relation).types))


def _returned(items: tuple[NamespaceItem, ...], item: ItemView) -> tuple[NamespaceItem, ...]:
    """Returns what RETURNING sees: the new row under the table's name, and the FROM tables' columns after it."""
    arity = item.desc.arity
    # The new row has no place before it is written.
    first, *others = (other.shifted(arity) for other in items)
    return (without_place(first), *others)


def matching_rows(
    analysis: Analysis,
    node: Any,
    changed: ChangedTarget,
    extra: Any,
    environment: QueryEnvironment,
    right: str,
    current: CurrentRow | None,
    *,
    each: bool,
) -> tuple[tuple[NamespaceItem, ...], Relation]:
    """Returns the target's rows for which WHERE is true, and the namespace of the row.

    With FROM or USING items a target row that has several matches comes once. With `each` the least match's columns
    follow the target's, so that the answer is definite; else the target's columns stand alone. `right` is what is done
    with the target's rows, `current` the only one of them, if a cursor says which.
    """
    target = plan_item(analysis, tree.Node(range_var=node.relation), QueryEnvironment())
    use = analysis.uses[-1]
    # Of its columns only those are read that the statement names.
    use.rights, use.beneath = {right}, changed.beneath
    local = None if current is None else current.local_id
    rows, named = changed.rows(right, local), _through(changed, target.items)
    if mentions_places(analysis) and not changed.levels and current is None:
        target = FromItem(numbered(rows, changed.table.desc), named)
    else:
        target = FromItem(rows, tuple(map(without_place, named)))
    matches = plan_from(analysis, extra, environment) if extra else None
    items = target.items
    if matches is not None:
        check_aliases(analysis, items, matches.items, -1)
        items = (*items, *(other.shifted(target.arity) for other in matches.items))
    predicates = () if current is not None else _conditions(analysis, node, items, environment)
    if matches is None:
        return items, Filter(target.relation, predicates) if predicates else target.relation
    if not each:
        return items, Join(JoinKind.SEMI, target.relation, matches.relation, predicates)
    inside = tuple(map_columns(predicate, _seen_from_match(target.arity)) for predicate in predicates)
    found: Relation = Filter(matches.relation, inside) if inside else matches.relation
    first = TopK(found, (), (), Literal(1, INT8), None)
    return items, Join(JoinKind.INNER, target.relation, first, (), True)


def current_row(analysis: Analysis, node: Any, target: ChangedTarget) -> CurrentRow | None:
    """Returns the row of a cursor that WHERE CURRENT OF names. Raises SqlError 0A000 where a view is changed."""
    if not node.HasField("where_clause") or node.where_clause.WhichOneof("node") != "current_of_expr":
        return None
    if target.levels:
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, "WHERE CURRENT OF on a view is not implemented")
    return CurrentRow(node.where_clause.current_of_expr.cursor_name, analysis.next_local_id())


def _through(target: ChangedTarget, items: tuple[NamespaceItem, ...]) -> tuple[NamespaceItem, ...]:
    """Returns the namespace of the relation that a statement names, over rows of the table that it changes."""
    if not target.levels:
        return items
    (item,) = items
    values = zip(item.fields, target.columns, strict=True)
    fields = tuple(replace(each, scalar=column.value) for each, column in values)
    return (replace(item, fields=fields, system_fields=()),)


def _seen_from_match(arity: int) -> Callable[[Column], Scalar]:
    """Returns how the match sees a column: the target's columns lie outside the match, which is evaluated anew for
    each target row."""

    def place(column: Column) -> Scalar:
        if column.index < arity:
            return OuterColumn(1, column.index, column.type)
        return Column(column.index - arity, column.type)

    return place


def _conditions(
    analysis: Analysis, node: Any, items: tuple[NamespaceItem, ...], environment: QueryEnvironment
) -> tuple[Scalar, ...]:
    if not node.HasField("where_clause"):
        return ()
    expressions = Expressions(analysis, Scope(items), environment, ClausePlace.WHERE)
    return conjuncts(expressions.plan_boolean(node.where_clause, "WHERE"))


def refuse_as_of(analysis: Analysis, statement: ParsedStatement, what: str) -> None:
    if statement.extension.as_of is not None:
        raise analysis.unsupported(f"{what} AS OF", location_of(statement.extension.as_of))


def new_values(
    analysis: Analysis, node: Any, named: ChangedTarget, expressions: Expressions, several: SeveralColumns
) -> tuple[Scalar, ...]:
    """Returns the new row, column by column, over the old row and its match."""
    item = named.shown
    values: dict[int, Scalar] = {}
    whole: set[int] = set()
    for entry in node.target_list:
        target = entry.res_target
        at = named.position(analysis, target.name, target.location, "update")
        if at in whole or (at in values and not target.indirection):
            message = f'multiple assignments to same column "{target.name}"'
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message)
        source = target.val
        if source.WhichOneof("node") == "multi_assign_ref":
            source = several.source(source.multi_assign_ref)
        if target.indirection:
            values[at] = _with_part(target, source, item, at, values.get(at), expressions)
        else:
            whole.add(at)
            values[at] = _value(analysis, source, item, at, expressions)
    return tuple(values.get(at, Column(at, column.type)) for at, column in enumerate(item.desc.columns))


def _with_part(
    target: Any, source: Any | Scalar, item: ItemView, at: int, earlier: Scalar | None, expressions: Expressions
) -> Scalar:
    """Plans SET a[1] = x, a[2] = y: each goes into what the ones before it have made."""
    column = item.desc.columns[at]
    if isinstance(source, tree.Node) and source.WhichOneof("node") == "set_to_default":
        raise refuse_default(expressions.analysis, list(target.indirection), target.location)
    parts = PartAssignment(expressions, target.name, target.location)
    value = expressions.plan(source) if isinstance(source, tree.Node) else source
    made = parts.assigned(earlier or Column(at, column.type), list(target.indirection), value)
    return assign(expressions.analysis, made, column, target.location)


def _value(analysis: Analysis, source: Any | Scalar, item: ItemView, at: int, expressions: Expressions) -> Scalar:
    if not isinstance(source, tree.Node):
        refuse_update(analysis, item, at)
        return assign(analysis, source, item.desc.columns[at], -1)
    if source.WhichOneof("node") == "set_to_default":
        return default_scalar(analysis, item, at)
    refuse_update(analysis, item, at)
    return assign(analysis, expressions.plan(source), item.desc.columns[at], location_of(source))
