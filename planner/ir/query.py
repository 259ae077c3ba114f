"""A query: a relation, how its rows are finished, and AS OF."""

from __future__ import annotations

from dataclasses import dataclass

from model.types.relation_desc import RelationDesc
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Finishing, Relation
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class AsOf:
    """AS OF `time` (or AT LEAST); the expression has type mz_timestamp and sees no columns."""

    time: Scalar
    at_least: bool


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Query:
    """A relation with its finishing; `desc` is what the client sees, after the projection."""

    relation: Relation
    finishing: Finishing
    desc: RelationDesc


def whole_query(relation: Relation) -> Query:
    """Returns a query of all of a relation's rows and columns, in no order."""
    desc = relation_desc_of(relation)
    return Query(relation, Finishing((), None, None, tuple(range(desc.arity))), desc)
