"""Plans WITH [MUTUALLY] RECURSIVE: recomputed when an input changes; inputs from outside the recursion are
maintained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from compute.maintain.planning.determinism import check_no_now, reads_now
from compute.maintain.planning.streams import Streams
from compute.maintain.steps.recompute import RecomputeStep
from planner.ir.locals import bound_by, reads_local
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Get, LetRecursive, LocalGet, Negate, Recursive, Relation, Union
from planner.ir.visit import inputs_of, scalars_of, walk_relation, with_inputs


def recursed(
    streams: Streams, recursive: Recursive | LetRecursive, segment_of: Callable[[Relation], Relation]
) -> LocalGet:
    """Plans a recursion; `segment_of` plans the parts that do not depend on the recursive rows."""
    inputs = _Inputs(segment_of)
    operator = inputs.replaced(recursive, frozenset())
    for node in walk_relation(operator):
        check_no_now(scalars_of(node))
    return streams.add(RecomputeStep(tuple(inputs.segments), operator), relation_desc_of(recursive).columns)


def mutually_recursed(
    streams: Streams, let: LetRecursive, segment_of: Callable[[Relation], Relation]
) -> dict[int, Relation]:
    """Plans each binding that the body reads, by local id; the body itself is not recursive."""
    return {
        each.local_id: recursed(streams, replace(let, body=LocalGet(each.local_id, each.desc)), segment_of)
        for each in let.bindings
        if reads_local(let.body, frozenset((each.local_id,)))
    }


@dataclass(slots=True)
class _Inputs:
    """Inputs of a recursion that do not depend on it, as LocalGet(-1), LocalGet(-2) …"""

    segment_of: Callable[[Relation], Relation]
    segments: list[Relation] = field(default_factory=list)
    _places: dict[Relation, int] = field(default_factory=dict)

    def replaced(self, relation: Relation, inside: frozenset[int]) -> Relation:
        """Replaces what lies outside of a recursion; `inside` are the local ids bound within it."""
        if _apart(relation) and _changes(relation) and not _read_outside(relation) & inside:
            return self._input(relation)
        inside |= frozenset(bound_by(relation))
        return with_inputs(relation, tuple(self.replaced(each, inside) for each in inputs_of(relation)))

    def _input(self, relation: Relation) -> Relation:
        at = self._places.get(relation)
        if at is None:
            at = self._places[relation] = -1 - len(self.segments)
            self.segments.append(self.segment_of(relation))
        return LocalGet(at, relation_desc_of(relation))


def _changes(relation: Relation) -> bool:
    """Returns whether the relation reads more than constants."""
    nodes = list(walk_relation(relation))
    return any(isinstance(node, Get | LocalGet) or any(map(reads_now, scalars_of(node))) for node in nodes)


def _read_outside(relation: Relation) -> set[int]:
    """Returns the local ids that the relation reads but does not bind."""
    nodes = list(walk_relation(relation))
    bound = {local_id for node in nodes for local_id in bound_by(node)}
    return {node.local_id for node in nodes if isinstance(node, LocalGet)} - bound


def _apart(relation: Relation) -> bool:
    """Returns whether the relation can be an input: no recursion, and no negative rows."""
    match relation:
        case Recursive() | LetRecursive() | Negate():
            return False
        case Union():
            return all(map(_apart, relation.inputs))
        case _:
            return True
