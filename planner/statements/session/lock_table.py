"""LOCK TABLE."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.catalog_view import ItemKind
from planner.plans.locks import LockTablePlan, TableMode
from planner.query.from_clause import find_relation
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.syntax.parse import ParsedStatement

_LOCKABLE = frozenset((ItemKind.TABLE, ItemKind.VIEW, ItemKind.SYSTEM))


def plan(analysis: Analysis, statement: ParsedStatement) -> LockTablePlan:
    """Plans LOCK TABLE; raises 42P01 for a missing relation, 42809 for one without rows of its own."""
    node = statement.node
    relations: list[tuple[GlobalId, str]] = []
    for each in node.relations:
        item = find_relation(analysis, range_parts(each.range_var), each.range_var.location)
        if item.kind not in _LOCKABLE:
            message = f'cannot lock relation "{item.name.name}"'
            words = {ItemKind.INDEX: "indexes", ItemKind.SEQUENCE: "sequences"}.get(item.kind, f"{item.kind}s")
            detail = f"This operation is not supported for {words}."
            raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, detail=detail)
        if item.kind is not ItemKind.SYSTEM:
            relations.append((item.id, item.name.name))
    return LockTablePlan(tuple(relations), TableMode(node.mode), node.nowait)
