"""Finds how many rows of an endless recursion a query needs: parts that grow with the recursion and are cut by LIMIT or
EXISTS.

Over the first rounds of a recursion, such a part of the plan has some of its final rows, and never loses them: filters,
joins with fixed relations, DISTINCT. Once it has enough rows, no further round is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import assert_never

from compute.operators.context import Asked, Binding
from compute.operators.top_k import bound
from planner.functions.volatility import volatile_relation
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
    Finishing,
    FlatMap,
    Get,
    Join,
    JoinKind,
    Let,
    LetRecursive,
    LocalGet,
    Map,
    Negate,
    Project,
    Recursive,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)
from planner.ir.visit import inputs_of, walk_relation, with_inputs


def asked_rows(plan: Relation, finishing: Finishing) -> Iterator[tuple[int, tuple[Asked, ...]]]:
    """Yields the rows asked of each recursion, by local id; recursions whose rows are all needed are left out."""
    for node in walk_relation(plan):
        if isinstance(node, Recursive):
            analysis = _Analysis(node)
            growth = analysis.growth(plan)
            growth = analysis.limited(growth, plan, finishing)
            if growth is _Growth.FIXED and analysis.asked:
                yield node.local_id, tuple(analysis.asked)


class _Growth(IntEnum):
    """The effect of more rounds on a part of the plan: none, more rows, any change."""

    FIXED = 0
    GROWING = 1
    CHANGING = 2


@dataclass(slots=True)
class _Analysis:
    """The analysis of one recursion in one plan. `lets` are the bindings around the walk's current node."""

    recursion: Recursive
    asked: list[Asked] = field(default_factory=list)
    lets: list[Binding] = field(default_factory=list)
    known: dict[int, _Growth] = field(default_factory=dict)

    def growth(self, relation: Relation) -> _Growth:
        match relation:
            case Recursive() if relation.local_id == self.recursion.local_id:
                return _Growth.GROWING
            case Constant() | Get():
                return _Growth.FIXED
            case LocalGet(local_id):
                return self.known.get(local_id, _Growth.FIXED)
            case Let(local_id, value, body):
                self.known[local_id] = self.growth(value)
                self.lets.append((local_id, self._cut(value)))
                growth = self.growth(body)
                self.lets.pop()
                return growth
            case Project() | Map() | FlatMap() | Filter():
                return self.growth(relation.input)
            case Join():
                return self._of_join(relation)
            case Reduce():
                growth = self.growth(relation.input)
                distinct = bool(relation.key) and not relation.aggregates
                return growth if distinct else _changed(growth)
            case TopK():
                growth = self.growth(relation.input)
                return _changed(growth) if relation.group else self.limited(growth, relation.input, relation)
            case Union():
                return max(map(self.growth, relation.inputs), default=_Growth.FIXED)
            case Recursive() | LetRecursive() | Window() | Negate() | Threshold():
                return max(_changed(self.growth(input_)) for input_ in inputs_of(relation))
            case _:
                assert_never(relation)

    def limited(self, growth: _Growth, input_: Relation, clause: TopK | Finishing) -> _Growth:
        """Returns the growth of a relation cut by a clause; without an order, the first rows suffice."""
        limit = bound(clause.limit, "LIMIT")
        if growth is not _Growth.GROWING or limit is None or clause.order:
            return _changed(growth)
        return self._ask(input_, limit + (bound(clause.offset, "OFFSET") or 0))

    def _of_join(self, join: Join) -> _Growth:
        left, right = self.growth(join.left), self.growth(join.right)
        if _Growth.GROWING not in (left, right) or _Growth.CHANGING in (left, right):
            return max(left, right)
        if join.kind is JoinKind.INNER or (right is _Growth.FIXED and join.kind is not JoinKind.FULL):
            return _Growth.GROWING
        if left is _Growth.FIXED and join.kind in (JoinKind.SEMI, JoinKind.ANTI):
            # Once all rows on the left have found one, no more can matter.
            return self._ask(replace(join, kind=JoinKind.SEMI), join.left)
        return _Growth.GROWING if join.kind is JoinKind.SEMI else _Growth.CHANGING

    def _ask(self, relation: Relation, rows: int | Relation) -> _Growth:
        each = isinstance(rows, int) and self._row_by_row(relation)
        relation = self._cut(relation)
        if not each and any(map(volatile_relation, (relation, *(value for _, value in self.lets)))):
            return _Growth.CHANGING
        self.asked.append(Asked(relation, rows, tuple(self.lets), each))
        return _Growth.FIXED

    def _row_by_row(self, relation: Relation) -> bool:
        values = dict(self.lets)
        while True:
            match relation:
                case Recursive() | LocalGet() if relation.local_id == self.recursion.local_id:
                    return True
                case Project(input=input_) | Map(input=input_):
                    relation = input_
                case Let(local_id, value, body):
                    values[local_id] = value
                    relation = body
                case LocalGet(local_id) if local_id in values:
                    relation = values[local_id]
                case _:
                    return False

    def _cut(self, relation: Relation) -> Relation:
        """Returns the relation with the rows so far in the recursion's place."""
        return _replaced(relation, self.recursion)


def _changed(growth: _Growth) -> _Growth:
    return _Growth.FIXED if growth is _Growth.FIXED else _Growth.CHANGING


def _replaced(relation: Relation, recursion: Recursive) -> Relation:
    if isinstance(relation, Recursive) and relation.local_id == recursion.local_id:
        return LocalGet(recursion.local_id, relation_desc_of(recursion))
    return with_inputs(relation, tuple(_replaced(input_, recursion) for input_ in inputs_of(relation)))
