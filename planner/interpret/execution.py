"""The state of one evaluation, and the shapes of what expressions and relations are compiled to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from model.types.datum import Row
from planner.interpret.context import EvaluationContext
from planner.ir.relation import LocalGet, Recursive, Relation
from planner.ir.visit import walk_relation

Scopes = tuple[Row, ...]
"""The rows of the enclosing scopes, the nearest first: OuterColumn(1, …) reads scopes[0]."""

Evaluator = Callable[[Row, Scopes], Any]
"""An expression: its value for a row."""

RowSource = Callable[[Scopes], list[Row]]
"""A relation: its rows, each as often as it occurs; the order means nothing. Nobody changes a list he was given."""

RowFlow = Callable[[Scopes], Iterator[Row]]
"""A relation's rows as they come: there may be no last one. It is followed, or left, before what it reads is bound
anew."""


class Gathered:
    """The rows produced by a flow up to now, kept for several readers, each of whom may stop anywhere."""

    __slots__ = ("_coming", "_rows")

    def __init__(self, coming: Iterator[Row]) -> None:
        self._coming = coming
        self._rows: list[Row] = []

    def __iter__(self) -> Iterator[Row]:
        position = 0
        while True:
            if position == len(self._rows):
                row = next(self._coming, None)
                if row is None:
                    return
                self._rows.append(row)
            yield self._rows[position]
            position += 1

    def whole(self) -> list[Row]:
        """Returns all rows."""
        self._rows.extend(self._coming)
        return self._rows


@dataclass(slots=True)
class Interpretation:
    """`locals` holds what has been bound so far. `compile_relation` and `compile_flow` are the ways from expressions
    back to relations. `obvious` forgoes all cleverness: nested loops, nothing remembered. `flowing` are the locals
    whose rows are gathered as they are asked for."""

    context: EvaluationContext
    compile_relation: Callable[[Relation, Interpretation], RowSource]
    compile_flow: Callable[[Relation, Interpretation], RowFlow]
    obvious: bool = False
    locals: dict[int, list[Row] | Gathered] = field(default_factory=dict)
    flowing: set[int] = field(default_factory=set)

    def endless(self, relation: Relation) -> bool:
        """Tells whether a relation's rows may have no end, so that a reader of only some of them must read them as a
        flow."""
        return not self.obvious and any(
            isinstance(node, Recursive) or (isinstance(node, LocalGet) and node.local_id in self.flowing)
            for node in walk_relation(relation)
        )

    def bound(self, local_id: int) -> list[Row]:
        """Returns all rows of a local."""
        rows = self.locals[local_id]
        return rows.whole() if isinstance(rows, Gathered) else rows
