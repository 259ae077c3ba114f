"""Queries that call functions of statements: SELECT f(…), and SELECT … FROM f(…).

The functions run first, in the order of the text, each once, as in PostgreSQL; the query then reads the rows of the
functions, and nothing else, since a query does not see what functions in the query have written. In all other places a
call is refused.
"""

from __future__ import annotations

from planner.ir.reads import reads_of
from planner.ir.relation import FlatMap
from planner.ir.scalar import SessionName
from planner.ir.visit import subqueries_in, walk_relation
from planner.plans.functions import SteppedPlan
from planner.plans.plan import Plan
from planner.plans.queries import SelectPlan
from planner.scope.analysis import Analysis
from planner.syntax.parse import ParsedStatement


def with_steps(analysis: Analysis, statement: ParsedStatement, plan: Plan) -> Plan:
    """Returns the statement with the functions that run before it; itself where there are none."""
    if not analysis.routine_steps:
        return plan
    feature = "a function of statements in a query that reads relations or the time, or that locks rows"
    if not isinstance(plan, SelectPlan):
        raise analysis.unsupported(feature)
    arguments = [argument for step in analysis.routine_steps for argument in step.arguments]
    if any(reads_of(relation).collections for relation in subqueries_in(*arguments)):
        raise analysis.unsupported("a function of statements over an argument that reads relations")
    reads = reads_of(plan.query.relation)
    if reads.collections or SessionName.MZ_NOW in reads.session_values:
        raise analysis.unsupported(feature)
    values = any(not step.rules.sets for step in analysis.routine_steps)
    sets = any(step.rules.sets for step in analysis.routine_steps)
    sets = sets or any(isinstance(node, FlatMap) for node in walk_relation(plan.query.relation))
    if values and sets and not statement.node.from_clause:
        # The value would be made for each row of the set.
        raise analysis.unsupported("a function of statements beside one that returns a set")
    return SteppedPlan(tuple(analysis.routine_steps), plan.query)
