"""Finds columns that tell the rows of a segment apart.

A key is a set of columns on which no two rows agree (NULL agreeing with NULL), counted with multiplicities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from planner.ir.relation import Constant, Filter, LocalGet, Map, Project, Relation
from planner.ir.scalar import Column, Scalar

Keys = frozenset[frozenset[int]]
NO_KEYS: Keys = frozenset()


def keys_of(segment: Relation, of_stream: Callable[[int], Keys]) -> Keys:
    """Returns the known keys of a segment."""
    match segment:
        case LocalGet():
            return of_stream(segment.local_id)
        case Constant():
            return frozenset((frozenset[int](),)) if sum(count for _, count in segment.rows) <= 1 else NO_KEYS
        case Filter() | Map():
            return keys_of(segment.input, of_stream)
        case Project():
            return _projected(keys_of(segment.input, of_stream), segment.columns)
        case _:
            return NO_KEYS


def _projected(keys: Keys, columns: Sequence[int]) -> Keys:
    places = {column: at for at, column in reversed(list(enumerate(columns)))}
    return frozenset(frozenset(places[at] for at in key) for key in keys if key <= places.keys())


def tell_apart(keys: Keys, scalars: Iterable[Scalar]) -> bool:
    """Returns whether no two rows agree on all of the scalars."""
    columns = {scalar.index for scalar in scalars if isinstance(scalar, Column)}
    return any(key <= columns for key in keys)


def shifted(keys: Keys, by: int) -> Keys:
    return frozenset(frozenset(at + by for at in key) for key in keys)
