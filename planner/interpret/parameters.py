"""Literals in the places of $1, $2 … and of session values, when a statement executes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from model.datum import Datum
from planner.ir.query import Query
from planner.ir.relation import Finishing, Relation
from planner.ir.scalar import Literal, Parameter, Scalar, SessionName, SessionValue, scalar_type
from planner.ir.visit import ScalarVisit, rewrite_relation, rewrite_scalar, rewrite_sort_keys


def _substitution(parameters: Sequence[Datum], session: Mapping[SessionName, Datum]) -> ScalarVisit:
    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Parameter):
            assert 1 <= node.number <= len(parameters), f"parameter ${node.number} was not bound"
            return Literal(parameters[node.number - 1], node.type)
        if isinstance(node, SessionValue) and node.name in session:
            return Literal(session[node.name], scalar_type(node))
        return None

    return visit


def bind_scalar(scalar: Scalar, parameters: Sequence[Datum], session: Mapping[SessionName, Datum]) -> Scalar:
    """The expression with `parameters` ($1 first) and the given session values as literals."""
    return rewrite_scalar(scalar, _substitution(parameters, session))


def bind_relation(relation: Relation, parameters: Sequence[Datum], session: Mapping[SessionName, Datum]) -> Relation:
    """The relation with `parameters` and the given session values as literals."""
    return rewrite_relation(relation, _substitution(parameters, session), 0)


def bind_finishing(
    finishing: Finishing, parameters: Sequence[Datum], session: Mapping[SessionName, Datum]
) -> Finishing:
    """The finishing with `parameters` and the given session values as literals."""
    visit = _substitution(parameters, session)
    return replace(
        finishing,
        order=rewrite_sort_keys(finishing.order, visit),
        limit=None if finishing.limit is None else rewrite_scalar(finishing.limit, visit),
        offset=None if finishing.offset is None else rewrite_scalar(finishing.offset, visit),
    )


def bind_query(query: Query, parameters: Sequence[Datum], session: Mapping[SessionName, Datum]) -> Query:
    """The query with `parameters` and the given session values as literals."""
    return Query(
        bind_relation(query.relation, parameters, session),
        bind_finishing(query.finishing, parameters, session),
        query.desc,
    )
