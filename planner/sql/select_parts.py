"""A SELECT whose clauses are planned, before they are put together."""

from __future__ import annotations

from dataclasses import dataclass

from planner.ir.relation import Relation
from planner.ir.scalar import Scalar
from planner.sql.analysis import Analysis
from planner.sql.scope import Scope, SelectState
from planner.sql.targets import Target


@dataclass(slots=True)
class SelectParts:
    """`targets` are the result columns, then those that only ORDER BY needs; `order` and `distinct` name them.

    `sets` are the grouping sets, each with its keys; there is one, of all keys, without GROUPING SETS and their kin.
    """

    analysis: Analysis
    relation: Relation
    scope: Scope
    state: SelectState
    targets: list[Target]
    arity: int
    sets: tuple[tuple[Scalar, ...], ...]
    having: Scalar | None
    order: tuple[tuple[int, bool, bool], ...]
    distinct: tuple[int, ...] | None
    grouped: bool

    @property
    def keys(self) -> tuple[Scalar, ...]:
        """The keys of all grouping sets, each once."""
        return tuple(dict.fromkeys(key for each in self.sets for key in each))
