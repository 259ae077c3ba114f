"""The rules of a table, as declared: a CHECK constraint, and the columns that it names."""

from __future__ import annotations

from model.errors.sql_error import NotSupported
from model.types.relation_desc import RelationDesc
from planner.catalog_view import PlanningContext
from planner.ir.scalar import Column
from planner.query.kept_expressions import planned_condition, qualified_text, require_keepable_in_table
from planner.scope.scope import Field, NamespaceItem
from planner.syntax.renamed_text import columns_named, with_new_columns


def declared_check(context: PlanningContext, sql: str, table: str, desc: RelationDesc) -> tuple[str, tuple[int, ...]]:
    """Checks the condition of a CHECK constraint of a table. Returns the condition's text with plain names of columns,
    and the positions of the columns that the condition names. Raises SqlError for a condition that can't be declared:
    42703, 42804, 0A000 and more."""
    condition, analysis = planned_condition(context, sql, table_row(table, desc))
    require_keepable_in_table(condition, analysis)
    named = columns_named(sql)
    if not set(named) <= set(desc.names):
        raise NotSupported("a whole row in CHECK")
    kept = with_new_columns(qualified_text(analysis, sql), {name: name for name in desc.names})
    return kept, tuple(map(desc.names.index, named))


def table_row(table: str, desc: RelationDesc) -> NamespaceItem:
    """Returns a table's row as an item of FROM, so that a condition can name the row's columns."""
    return NamespaceItem(table, tuple(Field(c.name, Column(at, c.type)) for at, c in enumerate(desc.columns)))
