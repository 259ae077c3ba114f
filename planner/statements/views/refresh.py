"""REFRESH MATERIALIZED VIEW: has nothing to do, but the view must show all earlier changes to a script that calls
it."""

from __future__ import annotations

from planner.plans.views import RefreshPlan
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.syntax.parse import ParsedStatement


def plan(analysis: Analysis, statement: ParsedStatement) -> RefreshPlan:
    node = statement.node
    return RefreshPlan(range_parts(node.relation), not node.skip_data)
