"""A join with a few constant rows is no join: for each of them the other side's rows, with the constants beside them.

pairs(L, {c1, c2} on p)     = filter p(c1) of L beside c1 + filter p(c2) of L beside c2
matched(L, {c1, c2} on p)   = filter p(c1) or p(c2) of L
"""

from __future__ import annotations

from collections.abc import Sequence

from compute.maintain.planning.determinism import reads_now
from compute.maintain.planning.segments import columns_of, computed, conjunction, filtered, united, width_of
from model.errors.sql_error import SqlError
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_relation
from planner.ir.columns import map_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, Filter, Map, Project, Relation, Union
from planner.ir.scalar import FALSE, Column, Literal, Or, Scalar
from planner.ir.visit import scalars_of, walk_relation

_ROWS_MAX = 16


def constant_rows(segment: Relation) -> tuple[Row, ...] | None:
    """Returns the rows of a segment that reads no collection.

    None for other segments, for many rows, and when a row is an error.
    """
    for node in walk_relation(segment):
        if not isinstance(node, Constant | Project | Map | Filter | Union) or any(map(reads_now, scalars_of(node))):
            return None
        if isinstance(node, Constant) and sum(count for _, count in node.rows) > _ROWS_MAX:
            return None
    try:
        rows = evaluate_relation(segment, EvaluationContext())
    except SqlError:
        return None
    return tuple(rows) if len(rows) <= _ROWS_MAX else None


def beside(rows: Sequence[Row], constants: Relation, others: Relation, *, constants_first: bool) -> Relation:
    """Returns each of the given rows, which are the rows of `constants`, beside each row of the other segment."""
    desc, other_desc = relation_desc_of(constants), relation_desc_of(others)
    parts = []
    for row in rows:
        literals = tuple(Literal(value, type_) for value, type_ in zip(row, desc.types, strict=True))
        if constants_first:
            parts.append(computed(others, (*literals, *columns_of(others)), (*desc.names, *other_desc.names)))
        else:
            parts.append(computed(others, (*columns_of(others), *literals), (*other_desc.names, *desc.names)))
    if parts:
        return united(parts)
    sides = (desc, other_desc) if constants_first else (other_desc, desc)
    return Constant((), RelationDesc(sides[0].columns + sides[1].columns))


def matched_by_any(left: Relation, rows: Sequence[Row], on: Sequence[Scalar]) -> Relation:
    """Returns the left rows for which `on` is true beside any of the rows."""
    if not on and rows:
        return left
    width = width_of(left)

    def given(row: Row) -> Scalar:
        def place(column: Column) -> Scalar:
            return column if column.index < width else Literal(row[column.index - width], column.type)

        return conjunction([map_columns(predicate, place) for predicate in on])

    ways = tuple(map(given, rows))
    return filtered(left, (FALSE if not ways else ways[0] if len(ways) == 1 else Or(ways),))
