"""A query half planned: its columns have types, perhaps unknown, to be decided by the query's user.

A string constant in `INSERT INTO t SELECT '2024-01-01'` becomes a date, and in a branch of UNION the type of the other
branches.
"""

from __future__ import annotations

from typing import Protocol

from model.types.scalar_type import ScalarType
from planner.functions.signature import CastContext
from planner.scope.planned_query import PlannedQuery


class Draft(Protocol):
    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def types(self) -> tuple[ScalarType, ...]: ...

    def location(self, column: int) -> int:
        """Returns the location of the column's expression."""
        ...

    def cast(self, column: int, target: ScalarType, context: CastContext) -> bool:
        """Makes a column be of a type; False when no cast applies in `context`."""
        ...

    def finish(self) -> PlannedQuery:
        """Returns the query; columns of unknown type become text."""
        ...
