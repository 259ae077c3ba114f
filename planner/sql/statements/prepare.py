"""PREPARE, EXECUTE, DEALLOCATE."""

from __future__ import annotations

from planner.session_plans import DeallocatePlan, ExecutePlan, PreparePlan
from planner.sql.analysis import Analysis
from planner.sql.environment import Environment
from planner.sql.expressions.planner import Expressions, Place
from planner.sql.parse import ParsedStatement
from planner.sql.scope import Scope
from planner.sql.statements.inner_text import text_after
from planner.sql.type_names import type_from_node


def plan(analysis: Analysis, statement: ParsedStatement) -> PreparePlan:
    node = statement.node
    types = tuple(type_from_node(analysis, item.type_name) for item in node.argtypes)
    return PreparePlan(node.name, types, text_after(statement, "as"), statement.text)


def plan_execute(analysis: Analysis, statement: ParsedStatement) -> ExecutePlan:
    node = statement.node
    expressions = Expressions(analysis, Scope(()), Environment(), Place.EXECUTE)
    return ExecutePlan(node.name, tuple(expressions.plan(item) for item in node.params))


def plan_deallocate(analysis: Analysis, statement: ParsedStatement) -> DeallocatePlan:
    node = statement.node
    return DeallocatePlan(None if node.isall else node.name)
