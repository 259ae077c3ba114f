"""Statements that are accepted and have nothing to do here, or that Headwater refuses by name."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.sqlstate import Sqlstate
from planner.plans import NoOpPlan
from planner.sql.analysis import Analysis
from planner.sql.from_clause import find_relation
from planner.sql.names import range_parts, strings
from planner.sql.parse import ParsedStatement

_RELATIONS = frozenset((tree.OBJECT_TABLE, tree.OBJECT_VIEW, tree.OBJECT_MATVIEW, tree.OBJECT_INDEX))


def plan_vacuum(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    for relation in statement.node.rels:
        _require(analysis, relation.vacuum_relation.relation)
    return NoOpPlan("VACUUM" if statement.node.is_vacuumcmd else "ANALYZE")


def plan_reindex(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    if statement.node.HasField("relation"):
        _require(analysis, statement.node.relation)
    return NoOpPlan("REINDEX", "indexes are kept as what they are on changes, and need no REINDEX")


def plan_checkpoint(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    return NoOpPlan("CHECKPOINT")


def plan_comment(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    """What is commented on must be there, of relations and their columns."""
    node = statement.node
    if node.objtype in _RELATIONS:
        find_relation(analysis, strings(node.object.list.items), -1)
    elif node.objtype == tree.OBJECT_COLUMN:
        *relation, column = strings(node.object.list.items)
        item = find_relation(analysis, tuple(relation), -1)
        if column not in item.desc.names:
            message = f'column "{column}" of relation "{item.name.name}" does not exist'
            raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message)
    return NoOpPlan("COMMENT", "comments are not kept")


def _require(analysis: Analysis, relation: Any) -> None:
    """42P01 for a relation that isn't there."""
    find_relation(analysis, range_parts(relation), relation.location)


def plan_listen(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    raise analysis.unsupported("LISTEN")


def plan_unlisten(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    """Nothing listens, so there is nothing to stop; drivers send this when they give a connection back."""
    return NoOpPlan("UNLISTEN")


def plan_notify(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    raise analysis.unsupported("NOTIFY")
