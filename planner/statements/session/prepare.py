"""PREPARE, EXECUTE, DEALLOCATE."""

from __future__ import annotations

from planner.expressions.planner import ClausePlace, Expressions
from planner.plans.session import DeallocatePlan, ExecutePlan, PreparePlan
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.scope import Scope
from planner.statements.inner_text import text_after
from planner.syntax.parse import ParsedStatement
from planner.types.type_names import type_from_node


def plan(analysis: Analysis, statement: ParsedStatement) -> PreparePlan:
    node = statement.node
    types = tuple(type_from_node(analysis, item.type_name) for item in node.argtypes)
    return PreparePlan(node.name, types, text_after(statement, "as"), statement.text)


def plan_execute(analysis: Analysis, statement: ParsedStatement) -> ExecutePlan:
    node = statement.node
    expressions = Expressions(analysis, Scope(()), QueryEnvironment(), ClausePlace.EXECUTE)
    return ExecutePlan(node.name, tuple(expressions.plan(item) for item in node.params))


def plan_deallocate(analysis: Analysis, statement: ParsedStatement) -> DeallocatePlan:
    node = statement.node
    return DeallocatePlan(None if node.isall else node.name)
