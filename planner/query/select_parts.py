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
    """The parts of a SELECT after planning its clauses. `targets`: the result columns, then columns for ORDER BY alone;
    `order` and `distinct` refer to `targets`.

    `grouping` has a single set, of all keys, unless GROUPING SETS, ROLLUP or CUBE says more.
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
