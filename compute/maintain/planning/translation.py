"""A relation as a segment over the streams of steps: one arm a node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import assert_never

from compute.maintain.planning.determinism import check_no_now
from compute.maintain.planning.groups import topped, windowed
from compute.maintain.planning.joins import joined
from compute.maintain.planning.recursion import mutually_recursed, recursed
from compute.maintain.planning.reduces import reduced
from compute.maintain.planning.segments import columns_of, negated, projected, united
from compute.maintain.planning.set_operations import is_set_operation, set_operation
from compute.maintain.planning.streams import Streams
from compute.maintain.planning.temporal import filter_rows
from compute.maintain.planning.unique import Keys
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    Join,
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
from planner.ir.scalar import Literal
from planner.ir.visit import scalars_of, walk_relation


@dataclass(slots=True)
class RelationTranslation:
    """Translates one relation with unique local ids. `imported` returns the segment that stands for a Get."""

    streams: Streams
    imported: Callable[[Get], Relation]
    _bound: dict[int, Relation] = field(default_factory=dict)
    _uses: dict[int, int] = field(default_factory=dict)
    _planned: dict[int, Relation] = field(default_factory=dict)

    def bind(self, let: Let) -> Relation:
        """Registers the binding of a Let, and returns the body."""
        self._bound[let.local_id] = let.value
        self._uses[let.local_id] = sum(
            isinstance(node, LocalGet) and node.local_id == let.local_id for node in walk_relation(let.body)
        )
        return let.body

    def bound(self, local_id: int) -> Relation:
        return self._bound[local_id]

    def segment(self, relation: Relation) -> Relation:
        """Plans a relation as a segment. Raises SqlError 0A000 for relations that can't be maintained."""
        if not isinstance(relation, Filter | Join):
            check_no_now(scalars_of(relation))
        if is_set_operation(relation):
            return set_operation(self, relation)
        match relation:
            case Constant():
                return relation
            case Get():
                return self.imported(relation)
            case LocalGet():
                return self._local(relation.local_id)
            case Let():
                return self.segment(self.bind(relation))
            case Recursive():
                return recursed(self.streams, relation, self.segment)
            case LetRecursive():
                streams = mutually_recursed(self.streams, relation, self.segment)
                self._bound |= streams
                self._planned |= streams
                return self.segment(relation.body)
            case Project():
                return projected(self.segment(relation.input), relation.columns)
            case Map() | FlatMap():
                return replace(relation, input=self.segment(relation.input))
            case Filter():
                return filter_rows(self.streams, self.segment(relation.input), relation.predicates)
            case Join():
                return joined(self.streams, relation, self.segment(relation.left), self.segment(relation.right))
            case Reduce():
                return reduced(self.streams, relation, self.segment(relation.input))
            case TopK():
                return self._top(relation)
            case Window():
                return windowed(self.streams, self.segment(relation.input), relation)
            case Negate():
                return negated(self.segment(relation.input))
            case Union():
                return united([self.segment(each) for each in relation.inputs])
            case Threshold():
                raise AssertionError("a threshold is a set operation")
            case _:
                assert_never(relation)

    def _local(self, local_id: int) -> Relation:
        planned = self._planned.get(local_id)
        if planned is None:
            planned = self.segment(self._bound[local_id])
            if self._uses[local_id] > 1:
                planned = self.streams.shared(planned)
            self._planned[local_id] = planned
        return planned

    def _top(self, top: TopK) -> Relation:
        """Plans TopK. ORDER BY without LIMIT and OFFSET means nothing here."""
        rows = self.segment(top.input)
        if top.limit is None and top.offset is None:
            return rows
        group = tuple(columns_of(rows)[at] for at in top.group)
        keys: Keys = self.streams.keys(rows)
        if isinstance(top.limit, Literal) and top.limit.value == 1:
            keys |= {frozenset(top.group)}
        return topped(self.streams, rows, top, group, keys)
