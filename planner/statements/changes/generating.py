"""Columns whose values are computed over a row once all else of it is known: generated ones, and those that tell the
decimals of numerics.

a = 2, b = NULL    →    a = 2, b = a * 2 = 4
"""

from __future__ import annotations

from dataclasses import replace

from model.types.decimals_columns import told_decimals, with_decimals_columns
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import declared_type
from planner.functions.numbers.shown_scales import decimals_of_value
from planner.ir.columns import map_columns
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import Map, Relation
from planner.ir.scalar import Column, Scalar
from planner.plans.constraints import TableRules
from planner.statements.changes.assignment import mapped


def with_generated(relation: Relation, rules: TableRules, start: int = 0) -> Relation:
    """Returns the relation with the values of the table's generated columns; the table's row stands in it from position
    `start` on."""
    if not rules.generated:
        return relation
    desc = relation_desc_of(relation)
    scalars_of_row = tuple(Column(at, type_) for at, type_ in enumerate(desc.types))
    scalars: list[Scalar] = list(scalars_of_row)
    for at, value in rules.generated:
        # By the types that the row's values have here: they may tell decimals, which the table's columns don't.
        scalars[start + at] = map_columns(value, lambda column: scalars_of_row[start + column.index])
    return mapped(relation, tuple(scalars), desc.names)


def with_decimals_of_rows(query: Query) -> Query:
    """Returns the query of a new table's rows with what the table stores besides: the decimals of its numerics."""
    columns = tuple(replace(column, type=declared_type(column.type)) for column in query.desc.columns)
    stored = with_decimals_columns(RelationDesc(columns)).columns
    if len(stored) == len(columns):
        return query
    project, types = query.finishing.project, relation_desc_of(query.relation).types
    arity = len(types)
    told = [
        decimals_of_value(Column(project[at], types[project[at]]))
        for at, place in told_decimals(stored)
        if place >= len(columns)
    ]
    added = stored[len(columns) :]
    relation = Map(query.relation, tuple(told), tuple(column.name for column in added))
    finishing = replace(query.finishing, project=(*project, *range(arity, arity + len(told))))
    return replace(query, relation=relation, finishing=finishing, desc=RelationDesc((*query.desc.columns, *added)))
