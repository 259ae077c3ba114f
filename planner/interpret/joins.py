"""Joins: the nested loop is the definition; equalities between the sides are found by hashing, with the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from model.order.datum_order import key_function
from model.types.datum import Row
from planner.interpret.execution import Evaluator, Interpretation, RowFlow, RowSource, Scopes
from planner.interpret.reach import infallible, is_equality
from planner.interpret.scalars import compile_scalar, compile_scalars
from planner.interpret.selection import selection
from planner.ir.columns import own_columns, shift_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Filter, Join, JoinKind, Relation
from planner.ir.scalar import Call, Scalar, scalar_type
from planner.ir.unit import conjuncts

Candidates = Callable[[Row], Sequence[int]]
"""The positions of the right rows that may match a left row."""


RowsBeside = Callable[[Scopes], Iterable[Row]]
"""The left rows of a join: all of them, or as they come."""


def compile_join(join: Join, execution: Interpretation) -> RowSource:
    """Returns the join's rows; lateral ones evaluate the right input for each left row."""
    if join.lateral:
        rows_of = lateral_rows(join, execution, execution.compile_relation(join.right, execution))
        beside = execution.compile_relation(join.left, execution)
        return lambda scopes: list(rows_of(beside(scopes), scopes))
    if execution.obvious:
        left = execution.compile_relation(join.left, execution)
        flow = _matching(join, conjuncts(*join.on), [], execution, left)
    else:
        placed = place(join)
        left = execution.compile_relation(placed.join.left, execution)
        flow = matching(placed, execution, left)
    return lambda scopes: list(flow(scopes))


@dataclass(frozen=True, slots=True)
class PlacedJoin:
    """A join whose condition is split: two rows match when the `equalities`, as (of the left row, of the right row),
    and the `rest` are true."""

    join: Join
    equalities: list[tuple[Scalar, Scalar]]
    rest: list[Scalar]


def place(join: Join) -> PlacedJoin:
    """Moves infallible predicates over one side into the side, if the kind of join allows."""
    width = relation_desc_of(join.left).arity
    kept: list[Scalar] = []
    left: list[Scalar] = []
    right: list[Scalar] = []
    for predicate in conjuncts(*join.on):
        columns = own_columns(predicate) if infallible(predicate) else set()
        if columns and max(columns) < width and join.kind in (JoinKind.INNER, JoinKind.SEMI):
            left.append(predicate)
        elif columns and min(columns) >= width and join.kind is not JoinKind.FULL:
            right.append(shift_columns(predicate, -width))
        else:
            kept.append(predicate)
    placed = Join(join.kind, filtered(join.left, left), filtered(join.right, right), tuple(kept))
    return PlacedJoin(placed, *_split(kept, width))


def filtered(relation: Relation, predicates: Sequence[Scalar]) -> Relation:
    """Filters a relation by predicates; an inner join takes them into its own condition."""
    if not predicates:
        return relation
    if isinstance(relation, Join) and relation.kind is JoinKind.INNER and not relation.lateral:
        return Join(relation.kind, relation.left, relation.right, (*relation.on, *predicates))
    if isinstance(relation, Filter):
        return Filter(relation.input, (*relation.predicates, *predicates))
    return Filter(relation, tuple(predicates))


def _split(predicates: list[Scalar], width: int) -> tuple[list[tuple[Scalar, Scalar]], list[Scalar]]:
    """Returns the equalities as (of the left row, of the right row), and what is left."""
    equalities: list[tuple[Scalar, Scalar]] = []
    rest: list[Scalar] = []
    for predicate in predicates:
        pair = _sides(predicate, width)
        if pair is None:
            rest.append(predicate)
        else:
            equalities.append(pair)
    return equalities, rest


def _sides(predicate: Scalar, width: int) -> tuple[Scalar, Scalar] | None:
    if not is_equality(predicate) or not infallible(predicate):
        return None
    assert isinstance(predicate, Call)
    return sides_of(predicate, width)


def sides_of(comparison: Call, width: int) -> tuple[Scalar, Scalar] | None:
    """Returns the two arguments as an expression over the left row and an expression over the right row; None if an
    argument reads both rows.
    """
    first, second = comparison.arguments
    columns, others = own_columns(first), own_columns(second)
    if not columns or not others:
        return None
    if max(columns) < width <= min(others):
        return first, shift_columns(second, -width)
    if max(others) < width <= min(columns):
        return second, shift_columns(first, -width)
    return None


def equality_key(scalars: list[Scalar], execution: Interpretation) -> Evaluator:
    """Returns the values as a hashable; None when one is NULL."""
    parts = [(compile_scalar(scalar, execution), key_function(scalar_type(scalar))) for scalar in scalars]
    if len(parts) == 1:
        evaluate, key = parts[0]
        if key is None:
            return evaluate

    def make(row: Row, scopes: Scopes) -> Any:
        values = []
        for evaluate, key in parts:
            value = evaluate(row, scopes)
            if value is None:
                return None
            values.append(value if key is None else key(value))
        return tuple(values)

    return make


def matching(placed: PlacedJoin, execution: Interpretation, left: RowsBeside) -> RowFlow:
    """Returns the rows of a join whose right rows have an end."""
    return _matching(placed.join, placed.rest, placed.equalities, execution, left)


def _matching(
    join: Join,
    predicates: Sequence[Scalar],
    equalities: list[tuple[Scalar, Scalar]],
    execution: Interpretation,
    left: RowsBeside,
) -> RowFlow:
    right = execution.compile_relation(join.right, execution)
    passes = selection(compile_scalars(predicates, execution)) if predicates else None
    left_key = equality_key([pair[0] for pair in equalities], execution) if equalities else None
    right_key = equality_key([pair[1] for pair in equalities], execution) if equalities else None
    empty_left: Row = (None,) * relation_desc_of(join.left).arity
    empty_right: Row = (None,) * relation_desc_of(join.right).arity

    def candidates(rows: list[Row], scopes: Scopes) -> Candidates:
        if left_key is None or right_key is None:
            everything = range(len(rows))
            return lambda row: everything
        index: dict[Any, list[int]] = {}
        for position, row in enumerate(rows):
            key = right_key(row, scopes)
            if key is not None:
                index.setdefault(key, []).append(position)
        return lambda row: index.get(left_key(row, scopes), ())

    def flow(scopes: Scopes) -> Iterator[Row]:
        lefts, rights = left(scopes), right(scopes)
        find = candidates(rights, scopes)
        matched: set[int] = set()
        for row in lefts:
            hits = [position for position in find(row) if passes is None or passes(row + rights[position], scopes)]
            yield from _contributed(join.kind, row, [rights[position] for position in hits], empty_right)
            if join.kind is JoinKind.FULL:
                matched.update(hits)
        if join.kind is JoinKind.FULL:
            yield from [empty_left + row for position, row in enumerate(rights) if position not in matched]

    return flow


def _contributed(kind: JoinKind, row: Row, hits: list[Row], empty_right: Row) -> list[Row]:
    """Returns the rows that a left row with its matches gives."""
    match kind:
        case JoinKind.SEMI:
            return [row] if hits else []
        case JoinKind.ANTI:
            return [] if hits else [row]
        case JoinKind.INNER | JoinKind.LEFT | JoinKind.FULL:
            return [row + hit for hit in hits] if hits or kind is JoinKind.INNER else [row + empty_right]


def lateral_rows(
    join: Join, execution: Interpretation, right: RowsBeside
) -> Callable[[Iterable[Row], Scopes], Iterator[Row]]:
    """Returns the rows that left rows make with those of the right, which is evaluated for each."""
    assert join.kind in (JoinKind.INNER, JoinKind.LEFT), "a lateral join is inner or left"
    passes = selection(compile_scalars(conjuncts(*join.on), execution))
    empty_right: Row = (None,) * relation_desc_of(join.right).arity

    def rows_of(lefts: Iterable[Row], scopes: Scopes) -> Iterator[Row]:
        for row in lefts:
            alone = join.kind is JoinKind.LEFT
            for other in right((row, *scopes)):
                if passes(row + other, scopes):
                    alone = False
                    yield row + other
            if alone:
                yield row + empty_right

    return rows_of
