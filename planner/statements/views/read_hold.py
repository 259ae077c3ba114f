"""CREATE, ALTER and DROP of named read holds."""

from __future__ import annotations

from planner.ir.query import AsOf
from planner.plans.plan import Plan
from planner.plans.read_holds import (
    AdvanceReadHoldPlan,
    CloneReadHoldPlan,
    CreateReadHoldPlan,
    DropReadHoldPlan,
    TransferReadHoldPlan,
)
from planner.privileges import SELECT
from planner.query.from_clause import resolve_table
from planner.scope.analysis import Analysis
from planner.statements.times import interval_ms, plan_time
from planner.syntax.own_statements import AlterReadHold, CreateReadHoldStatement, DropReadHoldStatement
from planner.syntax.parse import ParsedStatement


def plan_create(analysis: Analysis, statement: ParsedStatement) -> Plan:
    node: CreateReadHoldStatement = statement.node
    lease_ms = None if node.lease is None else interval_ms(node.lease, "LEASE")
    if node.source is not None:
        return CloneReadHoldPlan(node.name, node.source, lease_ms, node.if_not_exists)
    items = [resolve_table(analysis, place.parts, place.location) for place in node.objects]
    for item in items:
        analysis.use(item, SELECT).select_all()
    objects = [item.id for item in items]
    at = None if node.at is None else AsOf(plan_time(analysis, node.at, "AT"), False)
    return CreateReadHoldPlan(node.name, tuple(dict.fromkeys(objects)), at, lease_ms, node.if_not_exists)


def plan_alter(analysis: Analysis, statement: ParsedStatement) -> Plan:
    node: AlterReadHold = statement.node
    if node.owner is not None:
        return TransferReadHoldPlan(node.name, node.owner, node.if_exists)
    time = None if node.advance_to is None else AsOf(plan_time(analysis, node.advance_to, "ADVANCE TO"), False)
    return AdvanceReadHoldPlan(node.name, time, node.if_exists)


def plan_drop(analysis: Analysis, statement: ParsedStatement) -> DropReadHoldPlan:
    node: DropReadHoldStatement = statement.node
    return DropReadHoldPlan(node.names, node.if_exists)
