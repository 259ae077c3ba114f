"""Several set-returning functions side by side: row n of each, NULLs for those that have ended."""

from __future__ import annotations

from collections.abc import Sequence

from model.scalar_type import BOOL, INT8
from planner.ir.properties import relation_desc_of
from planner.ir.relation import FlatMap, Join, JoinKind, Map, Relation
from planner.ir.scalar import Call, Coalesce, Column
from planner.sql.table_call import TableCall
from planner.sql.unit import UNIT, projected


def flat_map(relation: Relation, call: TableCall, *, ordinality: bool = False) -> FlatMap:
    """The function for each row of a relation; its arguments see that row."""
    return FlatMap(relation, call.function, call.arguments, call.desc, ordinality)


def side_by_side(calls: Sequence[TableCall], *, ordinality: bool = False) -> Relation:
    """All functions' columns (then the row number); the arguments see an enclosing row at most."""
    relation: Relation = flat_map(UNIT, calls[0], ordinality=True)
    arity = calls[0].desc.arity
    for call in calls[1:]:
        right = flat_map(UNIT, call, ordinality=True)
        number = Column(arity, INT8)
        other = Column(arity + 1 + call.desc.arity, INT8)
        equal = Call("eq_int8_int8", (number, other), BOOL)
        joined = Join(JoinKind.FULL, relation, right, (equal,))
        added = Map(joined, (Coalesce((number, other), INT8),), ("ordinality",))
        total = relation_desc_of(added).arity
        kept = (*range(arity), *range(arity + 1, arity + 1 + call.desc.arity), total - 1)
        relation = projected(added, kept)
        arity += call.desc.arity
    return relation if ordinality else projected(relation, tuple(range(arity)))
