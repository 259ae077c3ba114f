"""Finds the origin of each column of a relation: the column of a collection that it is, unchanged, which RowDescription
reports.

A computed column has none, nor has one of a set operation or a recursion.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from model.ids.global_id import GlobalId
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
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
from planner.ir.scalar import Column, Scalar

Source = tuple[GlobalId, int]
"""A collection, and the position of a column in it."""

Sources = tuple[Source | None, ...]


def columns_of(id_: GlobalId, arity: int) -> Sources:
    """Returns all columns of a collection."""
    return tuple((id_, at) for at in range(arity))


def sources_of(relation: Relation, bound: Mapping[int, Sources]) -> Sources:
    """Returns the sources of each column; `bound` says what the columns of relations bound outside are."""
    match relation:
        case Get():
            return columns_of(relation.id, relation.desc.arity)
        case LocalGet():
            return bound.get(relation.local_id) or (None,) * relation.desc.arity
        case Let():
            return sources_of(relation.body, {**bound, relation.local_id: sources_of(relation.value, bound)})
        case Project():
            inner = sources_of(relation.input, bound)
            return tuple(inner[at] for at in relation.columns)
        case Map():
            inner = sources_of(relation.input, bound)
            return inner + _sources(relation.scalars, relation.input, inner)
        case Reduce():
            inner = sources_of(relation.input, bound)
            return _sources(relation.key, relation.input, inner) + (None,) * len(relation.aggregates)
        case Filter() | TopK() | Threshold() | Negate():
            return sources_of(relation.input, bound)
        case FlatMap() | Window():
            inner = sources_of(relation.input, bound)
            return inner + (None,) * (relation_desc_of(relation).arity - len(inner))
        case Join():
            left = sources_of(relation.left, bound)
            alone = relation.kind in (JoinKind.SEMI, JoinKind.ANTI)
            return left if alone else left + sources_of(relation.right, bound)
        case Constant() | Union() | Recursive() | LetRecursive():
            return (None,) * relation_desc_of(relation).arity
        case _:
            assert_never(relation)


def _sources(scalars: tuple[Scalar, ...], input_: Relation, inner: Sources) -> Sources:
    types = relation_desc_of(input_).types
    return tuple(
        inner[scalar.index] if isinstance(scalar, Column) and scalar.type == types[scalar.index] else None
        for scalar in scalars
    )
