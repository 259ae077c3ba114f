"""A query: SELECT, VALUES, UNION and its kin, with WITH in front."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from planner.query.common_tables import WithDraft
from planner.query.locked_apart import locked_apart
from planner.query.select import SelectDraft
from planner.query.set_operations import SetOperationDraft
from planner.query.values import ValuesDraft
from planner.scope.analysis import Analysis
from planner.scope.draft import Draft
from planner.scope.environment import QueryEnvironment
from planner.scope.planned_query import PlannedQuery


def draft_query(analysis: Analysis, select: Any, environment: QueryEnvironment) -> Draft:
    """Plans a SelectStmt up to its column types, which are still open."""
    if select.HasField("with_clause"):
        return WithDraft(analysis, select, environment, draft_query, draft_body)
    return draft_body(analysis, select, environment.inner())


def draft_body(analysis: Analysis, select: Any, environment: QueryEnvironment) -> Draft:
    """Plans a SelectStmt without its WITH."""
    if select.op != tree.SETOP_NONE:
        return SetOperationDraft(analysis, select, environment, draft_query)
    if select.values_lists:
        return ValuesDraft(analysis, select, environment)
    return SelectDraft(analysis, select, environment)


def plan_query(analysis: Analysis, node: Any, environment: QueryEnvironment) -> PlannedQuery:
    """Returns a query node of the syntax tree (or its SelectStmt), planned."""
    select = node.select_stmt if hasattr(node, "select_stmt") else node
    return draft_query(analysis, select, environment).finish()


def plan_subquery(analysis: Analysis, node: Any, environment: QueryEnvironment) -> PlannedQuery:
    """Returns a query within a statement; what it locks is locked before."""
    return locked_apart(analysis, plan_query(analysis, node, environment))
