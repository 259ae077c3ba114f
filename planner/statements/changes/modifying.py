"""Data-modifying statements in WITH: each becomes a step before the main statement.

    WITH gone AS (DELETE FROM t RETURNING a) SELECT count(*) FROM t, gone      t still has the deleted rows

All steps and the main statement see the tables as before the statement; only RETURNING shows the effects of a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from model.types.relation_desc import RelationDesc
from planner.ir.query import Query
from planner.ir.relation import LocalGet, Relation
from planner.ir.unit import are_plain_rows
from planner.ir.visit import walk_relation
from planner.plans.changes import DeletePlan, InsertPlan, ModifyingPart, ModifyingPlan, ModifyingStep, UpdatePlan
from planner.plans.locks import LockRowsPlan
from planner.plans.plan import Plan
from planner.plans.queries import SelectPlan
from planner.scope.analysis import Analysis
from planner.scope.bindings import Binding, bound
from planner.scope.environment import QueryEnvironment
from planner.statements.changes import delete, insert, update


def plan_modification(
    analysis: Analysis, node: Any, environment: QueryEnvironment, bindings: Sequence[Binding]
) -> tuple[int, RelationDesc | None]:
    """Adds a data-modifying statement as a step, within the WITH queries that the step reads. Returns the local id of
    the rows of RETURNING, and their columns if there is RETURNING.
    """
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
    """Returns the statement with the steps before it; itself when there are none."""
    steps = _asked_for(analysis.modifications, main)
    if not steps:
        return main
    if not isinstance(main, ModifyingPart):
        raise analysis.unsupported("a data-modifying statement in WITH in this kind of statement")
    return ModifyingPlan(steps, main)


def _asked_for(steps: Sequence[ModifyingStep], main: Plan) -> tuple[ModifyingStep, ...]:
    """Leaves out queries whose rows nobody reads: as in PostgreSQL, these are not run and lock nothing."""
    if not isinstance(main, ModifyingPart):
        return tuple(steps)
    kept: list[ModifyingStep] = []
    read = _read_locals(main)
    for step in reversed(steps):
        if isinstance(step.plan, LockRowsPlan) and step.plan.rows and step.local_id not in read:
            continue
        kept.insert(0, step)
        read |= _read_locals(step.plan)
    return tuple(kept)


def _read_locals(plan: ModifyingPart) -> set[int]:
    """Returns the local ids that are read in any part of the plan."""
    return {
        node.local_id
        for relation in _relations(plan)
        if not are_plain_rows(relation)
        for node in walk_relation(relation)
        if isinstance(node, LocalGet)
    }


def _relations(plan: ModifyingPart) -> list[Relation]:
    if isinstance(plan, SelectPlan | LockRowsPlan):
        return [plan.query.relation]
    relations = [] if plan.returning is None else [plan.returning.relation]
    if not isinstance(plan, InsertPlan):
        return [*relations, plan.selection]
    if plan.conflict is not None and plan.conflict.update is not None:
        relations.append(plan.conflict.update.relation)
    return [*relations, plan.source.relation]
