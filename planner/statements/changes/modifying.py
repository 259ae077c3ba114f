"""Data-modifying statements in WITH: each a step before the statement that they stand in front of.

All of them see the tables as they were before; what one does, others see by its RETURNING alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from model.relation_desc import RelationDesc
from planner.ir.query import Query
from planner.plans.changes import DeletePlan, InsertPlan, ModifyingPlan, ModifyingStep, UpdatePlan
from planner.plans.plan import Plan
from planner.plans.queries import SelectPlan
from planner.scope.analysis import Analysis
from planner.scope.bindings import Binding, bound
from planner.scope.environment import Environment
from planner.statements import select
from planner.statements.changes import delete, insert, update


def plan_modification(
    analysis: Analysis, node: Any, environment: Environment, bindings: Sequence[Binding]
) -> tuple[int, RelationDesc | None]:
    """Takes a statement down as a step, with the queries of WITH that it reads around what it does; the local id of the
    rows that it returns, and their columns if it has any."""
    plan: InsertPlan | UpdatePlan | DeletePlan
    match node.WhichOneof("node"):
        case "insert_stmt":
            plan = insert.plan_insert(analysis, node.insert_stmt, environment)
        case "update_stmt":
            plan = update.plan_update(analysis, node.update_stmt, environment)
        case "delete_stmt":
            plan = delete.plan_delete(analysis, node.delete_stmt, environment)
        case _:
            raise analysis.unsupported("MERGE in WITH")
    step = ModifyingStep(analysis.next_local_id(), _within(plan, bindings))
    analysis.modifications.append(step)
    return step.local_id, step.returned


def _within(
    plan: InsertPlan | UpdatePlan | DeletePlan, bindings: Sequence[Binding]
) -> InsertPlan | UpdatePlan | DeletePlan:
    def around(query: Query) -> Query:
        return replace(query, relation=bound(query.relation, bindings))

    returning = None if plan.returning is None else around(plan.returning)
    if not isinstance(plan, InsertPlan):
        return replace(plan, selection=bound(plan.selection, bindings), returning=returning)
    conflict = plan.conflict
    if conflict is not None and conflict.update is not None:
        update = replace(conflict.update, relation=bound(conflict.update.relation, bindings))
        conflict = replace(conflict, update=update)
    return replace(plan, source=around(plan.source), returning=returning, conflict=conflict)


def with_modifications(analysis: Analysis, main: Plan) -> Plan:
    """The statement with the steps before it; itself when there are none."""
    if not analysis.modifications:
        return main
    main = select.without_locks(main)
    if not isinstance(main, SelectPlan | InsertPlan | UpdatePlan | DeletePlan):
        raise analysis.unsupported("a data-modifying statement in WITH in this kind of statement")
    return ModifyingPlan(tuple(analysis.modifications), main)
