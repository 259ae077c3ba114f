"""LISTEN, UNLISTEN and NOTIFY."""

from __future__ import annotations

from planner.plans.session import ListenPlan, NotifyPlan
from planner.scope.analysis import Analysis
from planner.syntax.parse import ParsedStatement


def plan_listen(analysis: Analysis, statement: ParsedStatement) -> ListenPlan:
    return ListenPlan(statement.node.conditionname, begins=True)


def plan_unlisten(analysis: Analysis, statement: ParsedStatement) -> ListenPlan:
    return ListenPlan(statement.node.conditionname or None, begins=False)


def plan_notify(analysis: Analysis, statement: ParsedStatement) -> NotifyPlan:
    return NotifyPlan(statement.node.conditionname, statement.node.payload)
