"""WITH RECURSIVE: evaluated anew when an input changes; what it reads from outside is maintained before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from compute.maintain.plan import RecomputeStep
from compute.maintain.planning.determinism import check_no_now
from compute.maintain.planning.streams import Streams
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Get, Let, LocalGet, Recursive, Relation
from planner.ir.visit import inputs_of, scalars_of, walk_relation, with_inputs


def recursed(streams: Streams, recursive: Recursive, segment_of: Callable[[Relation], Relation]) -> LocalGet:
    """The recursion's rows; `segment_of` plans what does not depend on them."""
    inputs = _Inputs(segment_of)
    operator = inputs.replaced(recursive, frozenset())
    for node in walk_relation(operator):
        check_no_now(scalars_of(node))
    return streams.add(RecomputeStep(tuple(inputs.segments), operator), relation_desc_of(recursive).columns)


@dataclass(slots=True)
class _Inputs:
    """Relations that take part in a recursion without depending on it, as LocalGet(-1), LocalGet(-2) …"""

    segment_of: Callable[[Relation], Relation]
    segments: list[Relation] = field(default_factory=list)
    _places: dict[Relation, int] = field(default_factory=dict)

    def replaced(self, relation: Relation, inside: frozenset[int]) -> Relation:
        """`inside` are the local ids bound within the recursion."""
        if isinstance(relation, Let | Recursive):
            inside |= {relation.local_id}
        if not isinstance(relation, Recursive) and _reads(relation) and not _locals(relation) & inside:
            return self._input(relation)
        return with_inputs(relation, tuple(self.replaced(each, inside) for each in inputs_of(relation)))

    def _input(self, relation: Relation) -> Relation:
        at = self._places.get(relation)
        if at is None:
            at = self._places[relation] = -1 - len(self.segments)
            self.segments.append(self.segment_of(relation))
        return LocalGet(at, relation_desc_of(relation))


def _reads(relation: Relation) -> bool:
    return any(isinstance(node, Get | LocalGet) for node in walk_relation(relation))


def _locals(relation: Relation) -> set[int]:
    return {node.local_id for node in walk_relation(relation) if isinstance(node, LocalGet)}
