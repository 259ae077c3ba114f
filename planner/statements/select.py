"""SELECT, VALUES, TABLE, with AS OF."""

from __future__ import annotations

from dataclasses import replace

from planner.ir.query import AsOf, Query
from planner.plans.locks import LockRowsPlan
from planner.plans.plan import Plan
from planner.plans.queries import SelectPlan
from planner.plans.tables import CreateTableAsPlan
from planner.query.query import plan_query
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.statements.tables.create_table_as import plan_select_into
from planner.statements.times import plan_time
from planner.syntax.parse import ParsedStatement


def plan(analysis: Analysis, statement: ParsedStatement) -> SelectPlan | LockRowsPlan | CreateTableAsPlan:
    into = plan_select_into(analysis, statement)
    if into is not None:
        return into
    query = plan_query(analysis, statement.node, QueryEnvironment(top=True))
    as_of = plan_as_of(analysis, statement)
    if query.locked and as_of is None:
        return query.locking()
    return SelectPlan(query.finished(), as_of)


def plan_as_of(analysis: Analysis, statement: ParsedStatement) -> AsOf | None:
    """Returns the statement's AS OF, if it has one."""
    extension = statement.extension
    if extension.as_of is None:
        return None
    return AsOf(plan_time(analysis, extension.as_of, "AS OF"), extension.at_least)


def without_locks(plan: Plan) -> Plan:
    """Returns the same rows, locked by nobody."""
    if not isinstance(plan, LockRowsPlan):
        return plan
    finishing = replace(plan.query.finishing, project=tuple(range(plan.arity)))
    return SelectPlan(Query(plan.query.relation, finishing, plan.desc))
