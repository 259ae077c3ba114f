"""Local ids: the names that Let, Recursive and LetRecursive bind, unique within a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from planner.ir.relation import Let, LetRecursive, LocalGet, Recursive, Relation, TargetGet
from planner.ir.visit import map_relation, walk_relation


def bound_by(node: Relation) -> tuple[int, ...]:
    """Returns the local ids that the node itself binds."""
    match node:
        case Let() | Recursive():
            return (node.local_id,)
        case LetRecursive():
            return tuple(binding.local_id for binding in node.bindings)
        case _:
            return ()


def with_local_ids(node: Relation, change: Callable[[int], int]) -> Relation:
    """Returns the node with the local ids that it binds or reads itself changed."""
    match node:
        case Let() | Recursive() | LocalGet():
            return replace(node, local_id=change(node.local_id))
        case LetRecursive():
            return replace(node, bindings=tuple(replace(b, local_id=change(b.local_id)) for b in node.bindings))
        case _:
            return node


def reads_local(relation: Relation, local_ids: frozenset[int]) -> bool:
    """Tells whether any of the ids is read in the relation."""
    return any(isinstance(node, LocalGet) and node.local_id in local_ids for node in walk_relation(relation))


def fresh_local_ids(relation: Relation) -> Iterator[int]:
    """Returns ids that the relation neither binds nor reads."""
    return count(max(_local_ids(relation), default=-1) + 1)


def greatest_local_id(relation: Relation) -> int:
    """Returns the greatest local id in a relation; 0 when it has none."""
    return max(_local_ids(relation), default=0)


def _local_ids(relation: Relation) -> Iterator[int]:
    for node in walk_relation(relation):
        if isinstance(node, TargetGet) and node.current is not None:
            yield node.current
        yield from (node.local_id,) if isinstance(node, LocalGet) else bound_by(node)


def shift_local_ids(relation: Relation, by: int) -> Relation:
    """Returns the relation with `by` added to every local id."""

    def change(node: Relation) -> Relation:
        return with_local_ids(node, lambda local_id: local_id + by)

    return map_relation(relation, change) if by else relation
