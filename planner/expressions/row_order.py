"""The order in which a set-returning function gives its rows: what collects them into an array keeps it.

Rows of a relation have no order. Where all of them come of one call, they are numbered by it, and the number goes along
as a last column through what is done to each row.
"""

from __future__ import annotations

from dataclasses import replace

from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, Filter, FlatMap, Map, Project, Relation


def numbered_rows(relation: Relation) -> Relation | None:
    """The relation with its rows' numbers in a column more, the last; None where they have no order."""
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
