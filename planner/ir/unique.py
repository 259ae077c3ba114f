"""Columns that tell the rows of a relation apart: no two rows agree on them, NULL agreeing with NULL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Filter,
    Join,
    JoinKind,
    Let,
    LocalGet,
    Map,
    Project,
    Reduce,
    Relation,
    TopK,
)
from planner.ir.scalar import Literal

Key = tuple[int, ...]


def unique_key(relation: Relation) -> Key | None:
    """Returns the first such columns that are found, in the relation's order; None when none are known."""
    return _key(relation, {})


def _key(relation: Relation, bound: Mapping[int, Key | None]) -> Key | None:
    match relation:
        case Reduce():
            return tuple(range(len(relation.key)))
        case LocalGet(local_id=local_id):
            return bound.get(local_id)
        case Let(local_id=local_id, value=value, body=body):
            return _key(body, {**bound, local_id: _key(value, bound)})
        case Filter() | Map():
            return _key(relation.input, bound)
        case TopK(limit=Literal(value=1)):
            return relation.group
        case TopK():
            return _key(relation.input, bound)
        case Project():
            return _projected(_key(relation.input, bound), relation.columns)
        case Join(kind=JoinKind.SEMI | JoinKind.ANTI):
            return _key(relation.left, bound)
        case Join(kind=JoinKind.INNER, lateral=False):
            left, right = _key(relation.left, bound), _key(relation.right, bound)
            width = relation_desc_of(relation.left).arity
            return None if left is None or right is None else (*left, *(at + width for at in right))
        case _:
            return None


def _projected(key: Key | None, columns: Sequence[int]) -> Key | None:
    if key is None or not set(key) <= set(columns):
        return None
    return tuple(sorted(columns.index(at) for at in key))
