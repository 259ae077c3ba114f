"""Numbers the rows of a set-returning function, so that an aggregate that collects the rows keeps the function's order.

Rows of a relation have no order. If all rows come from one call, the call numbers its rows, and the number stays as the
last column through projections and filters.
"""

from __future__ import annotations

from dataclasses import replace

from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, Filter, FlatMap, Map, Project, Relation


def numbered_rows(relation: Relation) -> Relation | None:
    """Returns the relation with its rows' numbers in a column more, the last; None where they have no order."""
    match relation:
        case FlatMap(input=Constant(rows=(((), 1),)), ordinality=False):
            return replace(relation, ordinality=True)
        case Filter():
            below = numbered_rows(relation.input)
            return None if below is None else replace(relation, input=below)
        case Project():
            below = numbered_rows(relation.input)
            return None if below is None else Project(below, (*relation.columns, relation_desc_of(below).arity - 1))
        case Map():
            below = numbered_rows(relation.input)
            if below is None:
                return None
            number, end = relation_desc_of(below).arity - 1, relation_desc_of(relation).arity
            columns = (*range(number), *range(number + 1, end + 1), number)
            return Project(replace(relation, input=below), columns)
        case _:
            return None
