"""Columns whose values are computed over a row once all else of it is known: generated ones, and those that tell the
decimals of numerics.

a = 2, b = NULL    →    a = 2, b = a * 2 = 4
"""

from __future__ import annotations

from dataclasses import replace

from model.types.decimals_columns import decimals_columns, told_decimals, with_decimals_columns
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import INT4, TypeName, declared_type
from planner.functions.numbers.shown_scales import decimals_of_value
from planner.ir.columns import map_columns
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import Map, Project, Relation
from planner.ir.scalar import Column, Literal, Scalar
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
    told = [decimals_of_value(Column(project[at], types[project[at]])) for at, _ in told_decimals(stored)]
    added = stored[len(columns) :]
    relation = Map(query.relation, tuple(told), tuple(column.name for column in added))
    finishing = replace(query.finishing, project=(*project, *range(arity, arity + len(told))))
    return replace(query, relation=relation, finishing=finishing, desc=RelationDesc((*query.desc.columns, *added)))


def with_stored_decimals(relation: Relation, stored: RelationDesc) -> Relation:
    """Returns a view's relation with the columns that the view stores: the decimals of its numerics, too."""
    told = decimals_columns(stored.columns)
    if not told:
        return relation
    types = relation_desc_of(relation).types
    hidden = {place: at for at, place in told}
    layout = [at for at in range(stored.arity) if at not in hidden]
    # The relation may have more columns than the view: what was added beneath since is no part of it.
    own = {at: number for number, at in enumerate(layout)}
    columns = [Column(own[at], types[own[at]]) for at, _ in told]
    decimals = tuple(
        decimals_of_value(each) if each.type.name is TypeName.NUMERIC else Literal(None, INT4) for each in columns
    )
    behind = iter(range(len(types), len(types) + len(decimals)))
    mapped = Map(relation, decimals, tuple(stored.columns[place].name for _, place in told))
    return Project(mapped, tuple(next(behind) if at in hidden else own[at] for at in range(stored.arity)))
