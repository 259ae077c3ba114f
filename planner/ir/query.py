"""A query: a relation, how its rows are finished, and AS OF."""

from __future__ import annotations

from dataclasses import dataclass

from model.relation_desc import RelationDesc
from planner.ir.relation import Finishing, Relation
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class AsOf:
    """AS OF `time` (or AT LEAST); the expression has type mz_timestamp and sees no columns."""

    time: Scalar
    at_least: bool


@dataclass(frozen=True, slots=True)
class Query:
    """A relation with its finishing; `desc` is what the client sees, after the projection."""

    relation: Relation
    finishing: Finishing
    desc: RelationDesc
