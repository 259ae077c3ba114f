"""What a table demands of its rows: CHECK constraints as they are declared, checks and keys as they are held."""

from __future__ import annotations

from model.errors import NotSupported
from model.relation_desc import RelationDesc
from planner.catalog_view import ItemView, PlanningContext, TableKey
from planner.expressions.planner import ClausePlace
from planner.ir.scalar import Column, Scalar
from planner.plans.constraints import NO_RULES, RowCheck, RowKey, TableRules
from planner.query.kept_expressions import kept_expression, planned_condition, require_keepable
from planner.scope.scope import Field, NamespaceItem, Scope
from planner.syntax.renamed_text import columns_named, with_new_columns


def rules_of_table(context: PlanningContext, item: ItemView) -> TableRules:
    """Planned over a row of the table."""
    if not item.checks and not item.keys:
        return NO_RULES
    row = _row(item.name.name, item.desc)
    checks = tuple(RowCheck(check.name, planned_condition(context, check.sql, row)[0]) for check in item.checks)
    return TableRules(checks, tuple(_key(context, key, item.desc, row) for key in item.keys))


def declared_check(context: PlanningContext, sql: str, table: str, desc: RelationDesc) -> tuple[str, tuple[int, ...]]:
    """A condition in bare names of columns, and the columns that it names, by position; errors as it is declared:
    42703, 42804, 0A000 and more."""
    condition, analysis = planned_condition(context, sql, _row(table, desc))
    require_keepable(condition, analysis, "a user's type in CHECK of a table")
    named = columns_named(sql)
    if not set(named) <= set(desc.names):
        raise NotSupported("a whole row in CHECK")
    return with_new_columns(sql, {name: name for name in desc.names}), tuple(map(desc.names.index, named))


def _row(table: str, desc: RelationDesc) -> NamespaceItem:
    return NamespaceItem(table, tuple(Field(c.name, Column(at, c.type)) for at, c in enumerate(desc.columns)))


def _key(context: PlanningContext, key: TableKey, desc: RelationDesc, row: NamespaceItem) -> RowKey:
    parts = tuple(
        Column(column, desc.columns[column].type) if column is not None else _expression(context, sql, row)
        for sql, column in key.parts
    )
    return RowKey(key.name, key.index, parts, tuple(sql for sql, _ in key.parts), key.rule.nulls_distinct)


def _expression(context: PlanningContext, sql: str, row: NamespaceItem) -> Scalar:
    expressions, node = kept_expression(context, sql, Scope((row,)), ClausePlace.INDEX)
    return expressions.plan_known(node)
