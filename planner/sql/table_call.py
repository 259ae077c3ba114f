"""A call of a set-returning function whose place in a query is not settled yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from model.relation_desc import RelationDesc
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class TableCall:
    """`composite`: the function's result is a row type, even when it has one column."""

    function: str
    name: str
    arguments: tuple[Scalar, ...]
    desc: RelationDesc
    composite: bool

    def mapped(self, change: Callable[[Scalar], Scalar]) -> TableCall:
        """The same with each argument changed."""
        return replace(self, arguments=tuple(change(argument) for argument in self.arguments))
