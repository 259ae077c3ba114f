"""Generated columns in statements: their values are computed over a row once all else of it is known.

a = 2, b = NULL    →    a = 2, b = a * 2 = 4
"""

from __future__ import annotations

from dataclasses import replace

from planner.ir.columns import map_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation
from planner.ir.scalar import Column, Scalar
from planner.plans.constraints import TableRules
from planner.statements.changes.assignment import mapped


def with_generated(relation: Relation, rules: TableRules, start: int = 0) -> Relation:
    """Returns the relation with the values of the table's generated columns; the table's row stands in it from position
    `start` on."""
    if not rules.generated:
        return relation
    desc = relation_desc_of(relation)
    scalars: list[Scalar] = [Column(at, type_) for at, type_ in enumerate(desc.types)]
    for at, value in rules.generated:
        scalars[start + at] = map_columns(value, lambda column: replace(column, index=column.index + start))
    return mapped(relation, tuple(scalars), desc.names)
