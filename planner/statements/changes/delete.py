"""DELETE … USING … WHERE … RETURNING, and TRUNCATE."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from planner.ir.properties import relation_desc_of
from planner.ir.relation import LocalGet
from planner.plans.changes import DeletePlan, TruncatePlan
from planner.privileges import DELETE, TRUNCATE, in_order
from planner.query.common_tables import bind_common_tables
from planner.query.query import draft_query
from planner.scope.analysis import Analysis
from planner.scope.bindings import Binding, bound
from planner.scope.environment import QueryEnvironment
from planner.statements.changes.assignment import plan_returning, target_table
from planner.statements.changes.target import changed_target
from planner.statements.changes.update import asked_of_target, current_row, matching_rows, refuse_as_of
from planner.statements.kept_rules import rules_of_table
from planner.syntax.parse import ParsedStatement


def plan(analysis: Analysis, statement: ParsedStatement) -> DeletePlan:
    refuse_as_of(analysis, statement, "DELETE")
    return plan_delete(analysis, statement.node, QueryEnvironment(top=True))


def plan_delete(analysis: Analysis, node: Any, environment: QueryEnvironment) -> DeletePlan:
    """Returns a DELETE by itself, or in WITH. With USING and RETURNING the selection carries the match's columns behind
    the target's."""
    target = changed_target(analysis, node.relation, "delete from")
    item = target.table
    bindings: list[Binding] = []
    if node.HasField("with_clause"):
        environment, bindings = bind_common_tables(analysis, node.with_clause, environment, draft_query)
    environment = environment.inner()
    own_use = len(analysis.uses)
    returned = list(node.returning_clause.exprs) if node.HasField("returning_clause") else []
    current = current_row(analysis, node, target)
    items, selection = matching_rows(
        analysis, node, target, node.using_clause, environment, DELETE, current, each=bool(returned)
    )
    local = analysis.next_local_id()
    rows = LocalGet(local, relation_desc_of(selection))
    returning = plan_returning(analysis, returned, rows, items, environment, bindings)
    rules = rules_of_table(analysis.context, item)
    selection = asked_of_target(bound(selection, bindings), item, in_order(analysis.uses[own_use].rights))
    return DeletePlan(item.id, selection, returning, local, rules, current)


def plan_truncate(analysis: Analysis, statement: ParsedStatement) -> TruncatePlan:
    node = statement.node
    items = [target_table(analysis, relation.range_var, "truncate") for relation in node.relations]
    for item in items:
        analysis.use(item, TRUNCATE)
    return TruncatePlan(
        tuple(dict.fromkeys(item.id for item in items)), node.restart_seqs, node.behavior == tree.DROP_CASCADE
    )
