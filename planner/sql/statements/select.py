"""SELECT, VALUES, TABLE, with AS OF."""

from __future__ import annotations

from dataclasses import replace

from planner.lock_plans import LockRowsPlan
from planner.plans import AsOf, CreateTableAsPlan, Plan, Query, SelectPlan
from planner.sql.analysis import Analysis
from planner.sql.environment import Environment
from planner.sql.parse import ParsedStatement
from planner.sql.query import plan_query
from planner.sql.statements.create_table_as import plan_select_into
from planner.sql.statements.times import plan_time


def plan(analysis: Analysis, statement: ParsedStatement) -> SelectPlan | LockRowsPlan | CreateTableAsPlan:
    into = plan_select_into(analysis, statement)
    if into is not None:
        return into
    query = plan_query(analysis, statement.node, Environment(top=True))
    as_of = plan_as_of(analysis, statement)
    if query.locked and as_of is None:
        return query.locking()
    return SelectPlan(query.finished(), as_of)


def plan_as_of(analysis: Analysis, statement: ParsedStatement) -> AsOf | None:
    """The statement's AS OF, if it has one."""
    extension = statement.extension
    if extension.as_of is None:
        return None
    return AsOf(plan_time(analysis, extension.as_of, "AS OF"), extension.at_least)


def without_locks(plan: Plan) -> Plan:
    """The same rows, locked by nobody."""
    if not isinstance(plan, LockRowsPlan):
        return plan
    finishing = replace(plan.query.finishing, project=tuple(range(plan.arity)))
    return SelectPlan(Query(plan.query.relation, finishing, plan.desc))
