"""ALTER … RENAME, ALTER TABLE … SET (RETAIN HISTORY FOR …)."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from planner.plans import AlterRetainHistoryPlan, ObjectKind, RenamePlan
from planner.sql.analysis import Analysis
from planner.sql.names import range_parts
from planner.sql.parse import ParsedStatement
from planner.sql.statements.history_interval import retain_history_ms

_KINDS = {
    tree.OBJECT_TABLE: ObjectKind.TABLE,
    tree.OBJECT_VIEW: ObjectKind.VIEW,
    tree.OBJECT_SCHEMA: ObjectKind.SCHEMA,
    tree.OBJECT_DATABASE: ObjectKind.DATABASE,
}


def plan_rename(analysis: Analysis, statement: ParsedStatement) -> RenamePlan:
    node = statement.node
    if node.rename_type == tree.OBJECT_COLUMN:
        kind = _KINDS.get(node.relation_type, ObjectKind.TABLE)
        return RenamePlan(kind, range_parts(node.relation), node.newname, node.missing_ok, node.subname)
    found = _KINDS.get(node.rename_type)
    if found is None:
        words = tree.ObjectType.Name(node.rename_type).removeprefix("OBJECT_").replace("_", " ")
        raise analysis.unsupported(f"ALTER {words} RENAME")
    return RenamePlan(found, _name(node, found), node.newname, node.missing_ok)


def _name(node: Any, kind: ObjectKind) -> tuple[str, ...]:
    if kind in (ObjectKind.SCHEMA, ObjectKind.DATABASE):
        return (node.subname,)
    return range_parts(node.relation)


def plan(analysis: Analysis, statement: ParsedStatement) -> AlterRetainHistoryPlan:
    if not statement.extension.retains:
        raise analysis.unsupported("this form of ALTER TABLE")
    history = retain_history_ms(analysis, statement.extension)
    return AlterRetainHistoryPlan(range_parts(statement.node.relation), history)
