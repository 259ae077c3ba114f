"""A SELECT whose clauses are planned, before they are put together."""

from __future__ import annotations

from dataclasses import dataclass

from planner.ir.relation import Relation
from planner.ir.scalar import Scalar
from planner.query.group_keys import GroupKeys
from planner.query.targets import Target
from planner.scope.analysis import Analysis
from planner.scope.scope import Scope, SelectState


@dataclass(slots=True)
class SelectParts:
    """`targets` are the result columns, then those that only ORDER BY needs; `order` and `distinct` name them.

    `grouping` has one set, of all keys, without GROUPING SETS and their kin.
    """

    analysis: Analysis
    relation: Relation
    scope: Scope
    state: SelectState
    targets: list[Target]
    arity: int
    grouping: GroupKeys
    having: Scalar | None
    order: tuple[tuple[int, bool, bool], ...]
    distinct: tuple[int, ...] | None
    grouped: bool
