"""ALTER TABLE … REPAIR."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind
from planner.plans.changes import RepairTablePlan
from planner.query.from_clause import resolve_table
from planner.scope.analysis import Analysis
from planner.syntax.own_statements import RepairTableStatement
from planner.syntax.parse import ParsedStatement

_MADE_ANEW = (
    "A materialized view is repaired by ALTER MATERIALIZED VIEW … REPAIR, a table of a source by being created again."
)


def plan(analysis: Analysis, statement: ParsedStatement) -> RepairTablePlan:
    node: RepairTableStatement = statement.node
    item = resolve_table(analysis, node.table.parts, node.table.location)
    if item.kind is not ItemKind.TABLE:
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name.name}" is not a table', hint=_MADE_ANEW)
    return RepairTablePlan(item.id)
