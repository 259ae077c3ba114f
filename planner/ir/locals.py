"""Local ids: the names that Let and Recursive bind, unique within a plan."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from planner.ir.relation import Let, LocalGet, Recursive, Relation
from planner.ir.visit import map_relation, walk_relation


def fresh_local_ids(relation: Relation) -> Iterator[int]:
    """Ids that the relation neither binds nor reads."""
    return count(greatest_local_id(relation) + 1)


def greatest_local_id(relation: Relation) -> int:
    """0 when it has none."""
    used = [node.local_id for node in walk_relation(relation) if isinstance(node, Let | LocalGet | Recursive)]
    return max(used, default=0)


def shift_local_ids(relation: Relation, by: int) -> Relation:
    """The relation with `by` added to every local id."""

    def change(node: Relation) -> Relation:
        match node:
            case Let():
                return Let(node.local_id + by, node.value, node.body)
            case LocalGet():
                return LocalGet(node.local_id + by, node.desc)
            case Recursive():
                return Recursive(node.local_id + by, node.base, node.step, node.distinct)
            case _:
                return node

    return map_relation(relation, change) if by else relation
