"""Plans joins by kind, made of pairs and of matched rows.

    semi(L, R)  = matched(L)                  left(L, R) = pairs + (L - matched(L)) beside NULLs
    anti(L, R)  = L - matched(L)              full(L, R) = left(L, R) + NULLs beside (R - matched(R))

A NULL key matches nothing, so rows with a NULL key are unmatched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from compute.maintain.planning.conditions import condition_of
from compute.maintain.planning.matches import distinguishable, matched, minus, pairs
from compute.maintain.planning.segments import computed, projected, united, width_of
from compute.maintain.planning.streams import Streams
from compute.maintain.steps.recompute import RecomputeStep
from model.types.relation_desc import ColumnDesc
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Join, JoinKind, LocalGet, Relation
from planner.ir.scalar import Column, Literal, Scalar


def joined(streams: Streams, join: Join, left: Relation, right: Relation) -> Relation:
    """Plans the join of two segments, by the kind and the condition of `join`."""
    assert not join.lateral, "a lateral join in a plan for maintenance: decorrelation removes it"
    condition = condition_of(join.on, relation_desc_of(left), relation_desc_of(right))
    if join.kind is JoinKind.INNER:
        return pairs(streams, left, right, condition)
    swapped = condition.swapped(width_of(left), width_of(right))
    full = join.kind is JoinKind.FULL
    if not distinguishable(left, condition) or (full and not distinguishable(right, swapped)):
        return _recomputed(streams, join, left, right)
    if join.kind is not JoinKind.SEMI or condition.rest:
        left = streams.shared(left)
    match join.kind:
        case JoinKind.SEMI:
            return matched(streams, left, right, condition)
        case JoinKind.ANTI:
            return minus(left, matched(streams, left, right, condition))
        case JoinKind.LEFT | JoinKind.FULL:
            right = streams.shared(right) if full else right
            found = pairs(streams, left, right, condition)
            unmatched = minus(left, matched(streams, left, right, condition, found))
            rows = united((found, _beside_nulls(unmatched, relation_desc_of(right).columns, behind=True)))
            if not full:
                return rows
            width = width_of(left)
            turned = projected(found, (*range(width, width_of(found)), *range(width)))
            unmatched = minus(right, matched(streams, right, left, swapped, turned))
            return united((rows, _beside_nulls(unmatched, relation_desc_of(left).columns, behind=False)))
        case _:
            assert_never(join.kind)


def _beside_nulls(rows: Relation, columns: Sequence[ColumnDesc], *, behind: bool) -> Relation:
    own: list[Scalar] = [Column(at, type_) for at, type_ in enumerate(relation_desc_of(rows).types)]
    nulls: list[Scalar] = [Literal(None, column.type) for column in columns]
    own_names, names = relation_desc_of(rows).names, tuple(column.name for column in columns)
    if behind:
        return computed(rows, (*own, *nulls), (*own_names, *names))
    return computed(rows, (*nulls, *own), (*names, *own_names))


def _recomputed(streams: Streams, join: Join, left: Relation, right: Relation) -> LocalGet:
    """Plans the join as a recomputation, because its condition reads values that can't be keys."""
    inputs = LocalGet(-1, relation_desc_of(left)), LocalGet(-2, relation_desc_of(right))
    operator = Join(join.kind, *inputs, join.on)
    return streams.add(RecomputeStep((left, right), operator), relation_desc_of(join).columns)
