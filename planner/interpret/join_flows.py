"""Joins whose inputs may have no end: each side is read as far as the rows that are asked for need it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from model.types.datum import Row
from planner.interpret.execution import Evaluator, Interpretation, RowFlow, Scopes
from planner.interpret.gathering import GatheredIndex
from planner.interpret.joins import PlacedJoin, equality_key, lateral_rows, matching, place
from planner.interpret.scalars import compile_scalars
from planner.interpret.selection import selection
from planner.ir.relation import Join, JoinKind


def compile_join_flow(join: Join, execution: Interpretation) -> RowFlow:
    """Returns the join's rows as they are found. Every pair of an inner join is found in time, whichever side has an
    end."""
    if join.lateral:
        rows_of = lateral_rows(join, execution, execution.compile_flow(join.right, execution))
        left = execution.compile_flow(join.left, execution)
        return lambda scopes: rows_of(left(scopes), scopes)
    placed = place(join)
    if execution.endless(join.right) and join.kind is JoinKind.INNER:
        return _meeting(placed, execution)
    if execution.endless(join.right) and join.kind in (JoinKind.SEMI, JoinKind.ANTI):
        return _seeking(placed, execution)
    return matching(placed, execution, execution.compile_flow(placed.join.left, execution))


def _keys(placed: PlacedJoin, execution: Interpretation) -> tuple[Evaluator, Evaluator]:
    """Returns the keys of a left row and of a right row; constant where the join has no equalities."""
    if not placed.equalities:
        return (lambda row, scopes: ()), (lambda row, scopes: ())
    lefts, rights = zip(*placed.equalities, strict=True)
    return equality_key(list(lefts), execution), equality_key(list(rights), execution)


def _passes(placed: PlacedJoin, execution: Interpretation) -> Evaluator:
    return selection(compile_scalars(placed.rest, execution))


def _seeking(placed: PlacedJoin, execution: Interpretation) -> RowFlow:
    """Joins SEMI and ANTI: for each left row the right is read up to its first match."""
    left = execution.compile_flow(placed.join.left, execution)
    right = execution.compile_flow(placed.join.right, execution)
    left_key, right_key = _keys(placed, execution)
    passes, wanted = _passes(placed, execution), placed.join.kind is JoinKind.SEMI

    def flow(scopes: Scopes) -> Iterator[Row]:
        index = GatheredIndex(right(scopes), lambda row: right_key(row, scopes))
        for row in left(scopes):
            hits = index.matching(left_key(row, scopes))
            if any(passes(row + other, scopes) for other in hits) is wanted:
                yield row

    return flow


def _meeting(placed: PlacedJoin, execution: Interpretation) -> RowFlow:
    """Returns the flow of an INNER join: each row of either side is joined with the earlier rows of the other side."""
    flows = [execution.compile_flow(side, execution) for side in (placed.join.left, placed.join.right)]
    ends = not execution.endless(placed.join.left)
    keys, passes = _keys(placed, execution), _passes(placed, execution)

    def flow(scopes: Scopes) -> Iterator[Row]:
        held: tuple[dict[Any, list[Row]], ...] = ({}, {})
        coming = [flow(scopes) for flow in flows]
        for side, row in _in_turn(coming, first_ends=ends):
            key = keys[side](row, scopes)
            if key is None:
                continue
            if side == 0 or not ends:
                held[side].setdefault(key, []).append(row)
            for other in held[1 - side].get(key, ()):
                pair = row + other if side == 0 else other + row
                if passes(pair, scopes):
                    yield pair

    return flow


def _in_turn(flows: list[Iterator[Row]], *, first_ends: bool) -> Iterator[tuple[int, Row]]:
    """Yields rows of two flows, each with its flow's number: one after the other where the first has an end."""
    if first_ends:
        for side in (0, 1):
            yield from ((side, row) for row in flows[side])
        return
    going = [0, 1]
    while going:
        for side in tuple(going):
            row = next(flows[side], None)
            if row is None:
                going.remove(side)
            else:
                yield side, row
