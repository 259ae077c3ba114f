"""FOR UPDATE and its kin in a query inside a statement, such as `INSERT INTO t SELECT … FOR UPDATE SKIP LOCKED`.

The query becomes a step before the statement: the step locks rows, and the statement reads the locked rows alone,
without the rows skipped by SKIP LOCKED. A query that refers to outer rows can't run as a step: a step locks all rows of
the query's tables instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.types.relation_desc import RelationDesc
from planner.ir.columns import refers_outward
from planner.ir.locals import bound_by
from planner.ir.query import Query
from planner.ir.relation import Constant, Finishing, LocalGet, Relation
from planner.ir.visit import walk_relation
from planner.plans.changes import ModifyingStep
from planner.plans.locks import LockRowsPlan, WaitPolicy, WholeLocking
from planner.scope.analysis import Analysis
from planner.scope.bindings import Binding, bound
from planner.scope.planned_query import PlannedQuery


def locked_apart(analysis: Analysis, query: PlannedQuery, bindings: Sequence[Binding] = ()) -> PlannedQuery:
    """Returns the query without its locks, which a step of the statement takes. `bindings` are the queries of WITH
    around it. Raises 0A000 where rows are to be skipped that nobody can tell beforehand."""
    if not query.locked:
        return query
    apart = replace(query, locked=())
    if not analysis.locks_apart:
        return apart
    plan = replace(query, relation=bound(query.relation, bindings)).locking()
    local = analysis.next_local_id()
    if not _stands_alone(analysis, plan.query.relation):
        if any(each.waiting is WaitPolicy.SKIP for each in query.locked):
            raise analysis.unsupported("SKIP LOCKED in a query that refers to rows around it")
        analysis.modifications.append(ModifyingStep(local, _all_rows(plan)))
        return apart
    # With the columns behind its own by which it is ordered.
    plan = replace(plan, arity=plan.query.desc.arity)
    analysis.modifications.append(ModifyingStep(local, plan))
    return PlannedQuery(LocalGet(local, plan.desc), query.names, query.order)


def _stands_alone(analysis: Analysis, relation: Relation) -> bool:
    """Tells whether a relation reads nothing around it except the rows of earlier steps."""
    nodes = list(walk_relation(relation))
    known = {step.local_id for step in analysis.modifications}
    known |= {local_id for node in nodes for local_id in bound_by(node)}
    read = {node.local_id for node in nodes if isinstance(node, LocalGet)}
    return read <= known and not refers_outward(relation)


def _all_rows(plan: LockRowsPlan) -> LockRowsPlan:
    """Locks all rows of the tables, and returns none."""
    whole = tuple(WholeLocking(each.table, each.mode, each.waiting) for each in plan.rows)
    nothing = Query(Constant((), RelationDesc(())), Finishing((), None, None, ()), RelationDesc(()))
    return LockRowsPlan(nothing, 0, (), (*whole, *plan.whole))
