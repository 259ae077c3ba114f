"""Small relations and predicates that planning makes: the one row without columns, distinct rows, split conditions."""

from __future__ import annotations

from model.types.relation_desc import RelationDesc
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, Filter, Map, Project, Reduce, Relation, Union
from planner.ir.scalar import And, Call, Column, Literal, Parameter, Scalar

UNIT = Constant((((), 1),), RelationDesc(()))
"""What a SELECT without FROM selects from."""


def are_plain_rows(relation: Relation) -> bool:
    """Tells whether a relation is rows of VALUES whose cells are literals, parameters and casts of these: it reads
    nothing, and needs no rewriting. There may be many thousands of rows."""
    if not isinstance(relation, Union):
        return False
    return all(
        isinstance(row, Map) and row.input is UNIT and all(map(_is_plain_cell, row.scalars)) for row in relation.inputs
    )


def _is_plain_cell(scalar: Scalar) -> bool:
    if isinstance(scalar, Call):
        # Those of literals are for the rewrites to compute.
        return len(scalar.arguments) == 1 and isinstance(scalar.arguments[0], Parameter)
    return isinstance(scalar, Parameter | Literal)


def distinct(relation: Relation) -> Relation:
    """Returns each row once."""
    desc = relation_desc_of(relation)
    key = tuple(Column(index, type_) for index, type_ in enumerate(desc.types))
    return Reduce(relation, key, (), desc.names)


def conjuncts(*predicates: Scalar) -> tuple[Scalar, ...]:
    """Returns the conditions that AND joins, each alone."""
    found: list[Scalar] = []
    for predicate in predicates:
        if isinstance(predicate, And):
            found += conjuncts(*predicate.operands)
        else:
            found.append(predicate)
    return tuple(found)


def filtered(relation: Relation, predicate: Scalar) -> Relation:
    return Filter(relation, conjuncts(predicate))


def projected(relation: Relation, columns: tuple[int, ...]) -> Relation:
    """Returns the relation with only these columns, in this order; returns the relation itself when these are all of
    its columns in their order."""
    if columns == tuple(range(relation_desc_of(relation).arity)):
        return relation
    return Project(relation, columns)
