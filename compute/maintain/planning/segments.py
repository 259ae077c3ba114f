"""Puts linear relations together, as small as possible: no projection of a projection, no union of one part."""

from __future__ import annotations

from collections.abc import Sequence

from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, Filter, Map, Negate, Project, Relation, Union
from planner.ir.scalar import And, Column, Scalar
from planner.ir.visit import walk_relation


def width_of(relation: Relation) -> int:
    return relation_desc_of(relation).arity


def columns_of(relation: Relation) -> tuple[Column, ...]:
    """Returns the relation's columns as scalars over the relation."""
    return tuple(Column(at, type_) for at, type_ in enumerate(relation_desc_of(relation).types))


def projected(relation: Relation, columns: Sequence[int]) -> Relation:
    """Projects the relation; returns the relation itself when `columns` are all columns in order."""
    if tuple(columns) == tuple(range(width_of(relation))):
        return relation
    if isinstance(relation, Project):
        return projected(relation.input, tuple(relation.columns[at] for at in columns))
    return Project(relation, tuple(columns))


def filtered(relation: Relation, predicates: Sequence[Scalar]) -> Relation:
    """Puts a filter over the relation. Filters are not merged: a false predicate would hide an error of those below."""
    return Filter(relation, tuple(predicates)) if predicates else relation


def computed(relation: Relation, scalars: Sequence[Scalar], names: Sequence[str]) -> Relation:
    """Computes exactly the values of `scalars`; plain columns are projected."""
    width = width_of(relation)
    added = [(scalar, name) for scalar, name in zip(scalars, names, strict=True) if not isinstance(scalar, Column)]
    places = iter(range(width, width + len(added)))
    columns = [scalar.index if isinstance(scalar, Column) else next(places) for scalar in scalars]
    if added:
        relation = Map(relation, tuple(scalar for scalar, _ in added), tuple(name for _, name in added))
    return projected(relation, columns)


def conjunction(predicates: Sequence[Scalar]) -> Scalar:
    """Returns the AND of the predicates; a single predicate as such."""
    return predicates[0] if len(predicates) == 1 else And(tuple(predicates))


def negated(relation: Relation) -> Relation:
    return relation.input if isinstance(relation, Negate) else Negate(relation)


def united(parts: Sequence[Relation]) -> Relation:
    """Returns the union of the parts, flattened and without empty parts."""
    flat = [each for part in parts for each in (part.inputs if isinstance(part, Union) else (part,))]
    kept = [part for part in flat if not (isinstance(part, Constant) and not part.rows)] or flat[:1]
    return kept[0] if len(kept) == 1 else Union(tuple(kept))


def size_of(relation: Relation) -> int:
    """Returns the number of nodes."""
    return sum(1 for _ in walk_relation(relation))
