"""Conditions move toward the data: beneath projections, joins, groups and unions, and into the joins they connect.

    Filter(L × R, p over both) = L ⋈p R          Filter(L ⋈ R, p over L) = Filter(L, p) ⋈ R

Only conditions that can't fail are moved: one that can would judge rows that a join above would have left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.types.scalar_type import TypeName
from planner.interpret.reach import infallible
from planner.ir.columns import map_columns, own_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Filter,
    FlatMap,
    Join,
    JoinKind,
    Let,
    LetRecursive,
    Map,
    Negate,
    Project,
    Reduce,
    Relation,
    Union,
    Window,
)
from planner.ir.scalar import Column, Scalar
from planner.ir.unit import conjuncts
from planner.ir.visit import inputs_of, with_inputs

Predicates = tuple[Scalar, ...]


def push_filters(relation: Relation) -> Relation:
    """Moves a relation's conditions as deep as possible."""
    return _push(relation, ())


def _distinct(predicates: Sequence[Scalar]) -> Predicates:
    return tuple(dict.fromkeys(conjuncts(*predicates)))


def _filtered(relation: Relation, predicates: Sequence[Scalar]) -> Relation:
    return Filter(relation, tuple(predicates)) if predicates else relation


def _push(relation: Relation, predicates: Predicates) -> Relation:
    """Pushes conditions that can't fail into `relation`, somewhere."""
    match relation:
        case Filter():
            parts = _distinct(relation.predicates)
            movable = tuple(p for p in parts if infallible(p))
            staying = tuple(p for p in parts if not infallible(p))
            if staying:
                return Filter(_push(relation.input, (*movable, *predicates)), staying)
            return _push(relation.input, _distinct((*movable, *predicates)))
        case Project():
            moved = tuple(map_columns(p, lambda c: Column(relation.columns[c.index], c.type)) for p in predicates)
            return Project(_push(relation.input, moved), relation.columns)
        case Map() | FlatMap():
            width = relation_desc_of(relation.input).arity
            below = tuple(p for p in predicates if all(at < width for at in own_columns(p)))
            rest = tuple(p for p in predicates if p not in below)
            return _filtered(with_inputs(relation, (_push(relation.input, below),)), rest)
        case Join() if not relation.lateral:
            return _push_join(relation, predicates)
        case Union() | Negate():
            return with_inputs(relation, tuple(_push(i, predicates) for i in inputs_of(relation)))
        case Let():
            return Let(relation.local_id, _push(relation.value, ()), _push(relation.body, predicates))
        case LetRecursive():
            *values, body = inputs_of(relation)
            return with_inputs(relation, (*(_push(each, ()) for each in values), _push(body, predicates)))
        case Reduce() if relation.key:
            return _push_reduce(relation, predicates)
        case Window():
            whole = _alike_in_groups(relation)
            below = tuple(p for p in predicates if own_columns(p) <= whole)
            rest = tuple(p for p in predicates if p not in below)
            return _filtered(with_inputs(relation, (_push(relation.input, below),)), rest)
        case _:
            inner = with_inputs(relation, tuple(_push(i, ()) for i in inputs_of(relation)))
            return _filtered(inner, predicates)


def _push_reduce(relation: Reduce, predicates: Predicates) -> Relation:
    """Pushes below a reduce: a condition on a group's key chooses the same groups when it chooses their rows."""
    keys = len(relation.key)
    movable = infallible_keys(relation)
    below = tuple(p for p in predicates if all(at < keys and at in movable for at in own_columns(p)))
    rest = tuple(p for p in predicates if p not in below)
    moved = tuple(map_columns(p, lambda c: relation.key[c.index]) for p in below)
    inner = Reduce(_push(relation.input, moved), relation.key, relation.aggregates, relation.names)
    return _filtered(inner, rest)


_WRITTEN_DIFFERENTLY = frozenset(
    (
        *(TypeName.INTERVAL, TypeName.JSONB, TypeName.TSQUERY, TypeName.WIDE, TypeName.BPCHAR),
        *(TypeName.FLOAT4, TypeName.FLOAT8),
        *(TypeName.ARRAY, TypeName.RECORD, TypeName.LIST, TypeName.MAP),
        *(TypeName.RANGE, TypeName.MULTIRANGE),
    )
)


def _alike_in_groups(window: Window) -> set[int]:
    """Returns the columns that are identical, not only equal, in all rows of a group: a condition on them keeps or
    drops a whole group.
    """
    types = relation_desc_of(window.input).types
    return {at for at in window.group if types[at].name not in _WRITTEN_DIFFERENTLY}


def infallible_keys(relation: Reduce) -> frozenset[int]:
    """Returns the key columns that may be computed before grouping, for a condition."""
    return frozenset(at for at, key in enumerate(relation.key) if infallible(key))


def _push_join(join: Join, predicates: Predicates) -> Relation:
    width = relation_desc_of(join.left).arity
    on = _distinct(join.on)
    if join.kind is JoinKind.INNER:
        mine = tuple(p for p in on if infallible(p))
        on = tuple(p for p in on if not infallible(p))
        predicates = _distinct((*mine, *predicates))
    to_left = tuple(p for p in predicates if _within(p, 0, width))
    if join.kind in (JoinKind.SEMI, JoinKind.ANTI):
        return _push_semi(join, predicates, on, width)
    if join.kind is JoinKind.FULL:
        inner = Join(join.kind, _push(join.left, ()), _push(join.right, ()), on)
        return _filtered(inner, predicates)
    to_right: Predicates
    if join.kind is JoinKind.LEFT:
        # Of the condition of the join, what concerns the right alone chooses the partners beforehand.
        to_right = tuple(p for p in on if _within(p, width, None) and infallible(p))
        above = tuple(p for p in predicates if p not in to_left)
        on = tuple(p for p in on if p not in to_right)
    else:
        to_right = tuple(p for p in predicates if p not in to_left and _within(p, width, None))
        above = ()
        on = (*(p for p in predicates if p not in to_left and p not in to_right), *on)
    left = _push(join.left, to_left)
    right = _push(join.right, _unshift(to_right, width))
    return _filtered(Join(join.kind, left, right, on), above)


def _push_semi(join: Join, predicates: Predicates, on: Predicates, width: int) -> Relation:
    """Pushes into a semijoin: all that is above concerns the left; of the join's own condition, what concerns the
    right alone goes there."""
    to_right = tuple(p for p in on if own_columns(p) and _within(p, width, None) and infallible(p))
    rest = tuple(p for p in on if p not in to_right)
    return Join(join.kind, _push(join.left, predicates), _push(join.right, _unshift(to_right, width)), rest)


def _within(predicate: Scalar, low: int, high: int | None) -> bool:
    return all(low <= at and (high is None or at < high) for at in own_columns(predicate))


def _unshift(predicates: Predicates, by: int) -> Predicates:
    return tuple(map_columns(p, lambda c: Column(c.index - by, c.type)) for p in predicates)
