"""Which decimals a subquery or a lateral input reads of the row outside it, or hands on.

SELECT n, EXISTS (SELECT FROM b WHERE b.m::text > a.n::text) FROM a    reads those of a.n
SELECT n, EXISTS (SELECT FROM b WHERE b.m > a.n) FROM a                reads none
"""

from __future__ import annotations

from planner.ir.relation import Filter, Join, Relation, TopK
from planner.ir.scalar import Column, Exists, OuterColumn, Scalar, SubqueryArray, SubqueryCompare, SubqueryValue
from planner.ir.visit import inputs_of, parts_of, scalars_of
from planner.rules.decimals.expressions import decimals_read_of


def decimals_read_outside(relation: Relation) -> set[int]:
    """Returns the columns of the row one scope out whose decimals a relation reads or hands on."""
    found: set[int] = set()
    _note_of_relation(relation, 1, found)
    return found


def decimals_read_anywhere(scalar: Scalar) -> set[int]:
    """Returns the columns of its own row whose decimals a condition reads, from inside subqueries too."""
    found: set[int] = set()
    _note_of_scalar(scalar, False, 0, found)
    return found


def _note_of_relation(relation: Relation, depth: int, found: set[int]) -> None:
    decides = isinstance(relation, Filter | Join | TopK)
    for scalar in scalars_of(relation):
        _note_of_scalar(scalar, not decides, depth, found)
    for number, each in enumerate(inputs_of(relation)):
        lateral = isinstance(relation, Join) and relation.lateral and number == 1
        _note_of_relation(each, depth + lateral, found)


def _note_of_scalar(scalar: Scalar, asked: bool, depth: int, found: set[int]) -> None:
    """Notes the columns of the row `depth` scopes out."""
    for column in decimals_read_of(scalar, asked):
        if (isinstance(column, OuterColumn) and column.depth == depth) or (isinstance(column, Column) and not depth):
            found.add(column.index)
    for part in parts_of(scalar):
        if isinstance(part, Exists | SubqueryValue | SubqueryArray | SubqueryCompare):
            _note_of_relation(part.relation, depth + 1, found)
        if isinstance(part, SubqueryCompare):
            _note_of_scalar(part.condition, False, depth + 1, found)
