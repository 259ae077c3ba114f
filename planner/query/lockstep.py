"""Several set-returning functions side by side: row n of each, NULLs for those that have ended."""

from __future__ import annotations

from collections.abc import Sequence

from model.types.scalar_type import BOOL, INT8
from planner.expressions.users.functions import rows_of_body
from planner.ir.properties import relation_desc_of
from planner.ir.relation import FlatMap, Join, JoinKind, Map, Relation, Window
from planner.ir.scalar import Call, Coalesce, Column
from planner.ir.unit import UNIT, projected
from planner.ir.window import WindowCall
from planner.scope.table_call import TableCall


def flat_map(relation: Relation, call: TableCall, *, ordinality: bool = False) -> FlatMap:
    """Returns a relation that calls a set-returning function for each row of a relation; the arguments may use that
    row."""
    return FlatMap(relation, call.function, call.arguments, call.desc, ordinality)


def rows_of(call: TableCall, *, ordinality: bool = False) -> Relation:
    """Returns the rows of a set-returning function, whose arguments see an enclosing row at most; `ordinality` adds the
    row number."""
    if call.body is None:
        return flat_map(UNIT, call, ordinality=ordinality)
    relation, width = rows_of_body(call, call.body), call.desc.arity
    if not ordinality:
        return projected(relation, tuple(range(width)))
    number = WindowCall("row_number", (), INT8)
    numbered = Window(relation, (), call.body.order, (number,), ("ordinality",))
    return projected(numbered, (*range(width), relation_desc_of(relation).arity))


def side_by_side(calls: Sequence[TableCall], *, ordinality: bool = False, marked: bool = False) -> Relation:
    """Returns all functions' columns (then the row number); the arguments see an enclosing row at most.

    `marked`: behind the columns of each stands the row's number, NULL where that function has ended.
    """
    relation = _numbered(calls[0], marked)
    for call in calls[1:]:
        right = _numbered(call, marked)
        arity, width = relation_desc_of(relation).arity - 1, relation_desc_of(right).arity - 1
        number, other = Column(arity, INT8), Column(arity + 1 + width, INT8)
        equal = Call("eq_int8_int8", (number, other), BOOL)
        joined = Join(JoinKind.FULL, relation, right, (equal,))
        added = Map(joined, (Coalesce((number, other), INT8),), ("ordinality",))
        relation = projected(added, (*range(arity), *range(arity + 1, arity + 1 + width), arity + width + 2))
    arity = relation_desc_of(relation).arity - 1
    return relation if ordinality else projected(relation, tuple(range(arity)))


def _numbered(call: TableCall, marked: bool) -> Relation:
    """Returns the call's rows, followed by their number; followed by the number twice if one copy becomes a mark."""
    numbered = rows_of(call, ordinality=True)
    width = call.desc.arity
    return projected(numbered, (*range(width), width, width)) if marked else numbered
