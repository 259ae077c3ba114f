"""Queries of cursors whose rows are rows of one table, which UPDATE and DELETE WHERE CURRENT OF may change.

    SELECT b FROM t WHERE a > 0        ->  b, and behind it all columns of t

As in PostgreSQL, a query that sorts, groups or joins is no such query.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import Filter, Get, Map, Project, Relation
from planner.ir.scalar import Exists, Quantifier, Scalar, SubqueryCompare
from planner.plans.queries import SelectPlan, TableScan


def with_scanned_rows(plan: SelectPlan, view: Callable[[GlobalId], Relation | None]) -> SelectPlan:
    """Returns the plan with the columns of the table behind its own, if each row is made of one row of a table, also
    through views, whose relations `view` returns."""
    query = plan.query
    if query.finishing.order or plan.as_of is not None:
        return plan
    found = _widened(query.relation, view)
    if found is None:
        return plan
    get, relation = found
    behind = relation_desc_of(query.relation).arity
    hidden = tuple(range(behind, behind + get.desc.arity))
    arity = query.desc.arity
    finishing = replace(query.finishing, project=(*query.finishing.project, *hidden))
    desc = RelationDesc((*query.desc.columns, *get.desc.columns))
    return replace(plan, query=Query(relation, finishing, desc), scan=TableScan(get.id, arity))


def _widened(relation: Relation, view: Callable[[GlobalId], Relation | None]) -> tuple[Get, Relation] | None:
    """Returns the table's Get, and the relation with the columns of the table behind its own."""
    if isinstance(relation, Get):
        beneath = view(relation.id)
        if beneath is not None:
            # CREATE OR REPLACE VIEW may have added columns since the query was planned.
            as_wide = relation_desc_of(beneath).arity == relation.desc.arity
            return _widened(beneath, view) if as_wide else None
        columns = tuple(range(relation.desc.arity))
        return relation, Project(relation, (*columns, *columns))
    if not isinstance(relation, Filter | Map | Project):
        return None
    found = _widened(relation.input, view)
    if found is None:
        return None
    get, inner = found
    own = relation_desc_of(relation.input).arity
    table = tuple(range(own, own + get.desc.arity))
    match relation:
        case Filter(predicates=predicates):
            return None if any(map(_joins, predicates)) else (get, Filter(inner, predicates))
        case Project(columns=columns):
            return get, Project(inner, (*columns, *table))
        case Map(scalars=scalars, names=names):
            made = range(own + get.desc.arity, own + get.desc.arity + len(scalars))
            return get, Project(Map(inner, scalars, names), (*range(own), *made, *table))


def _joins(predicate: Scalar) -> bool:
    """Tells whether PostgreSQL makes a join of a condition."""
    return isinstance(predicate, Exists) or (
        isinstance(predicate, SubqueryCompare) and predicate.quantifier is Quantifier.ANY
    )
