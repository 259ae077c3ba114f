"""A call of a set-returning function whose place in a query is not settled yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType
from planner.ir.aggregate import SortKey
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class FunctionBody:
    """The query of a user's function that returns a set, with the parameters still in it as Parameters.

    relation   the columns of the function, followed by what `order` sorts by
    order      the order in which the function returns its rows
    strict     a NULL among the arguments means no rows
    """

    relation: Relation
    order: tuple[SortKey, ...]
    strict: bool


@dataclass(frozen=True, slots=True)
class TableCall:
    """A call of a set-returning function. `composite`: the result is a row type, even with a single column; `row_type`:
    the row type, if named. `body`: the query of a user's function, whose `function` is empty.
    `defined`: the columns are from a column definition list.
    """

    function: str
    name: str
    arguments: tuple[Scalar, ...]
    desc: RelationDesc
    composite: bool
    row_type: ScalarType | None = None
    body: FunctionBody | None = None
    defined: bool = False

    def mapped(self, change: Callable[[Scalar], Scalar]) -> TableCall:
        """Returns the same call with each argument changed."""
        return replace(self, arguments=tuple(change(argument) for argument in self.arguments))
