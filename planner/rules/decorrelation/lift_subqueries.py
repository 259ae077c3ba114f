"""Subqueries in expressions become columns that lateral joins add; as conditions, semijoins and antijoins.

    WHERE EXISTS (S), x op ANY (S)      R semijoin S
    WHERE NOT EXISTS (S), NOT IN (S)    R antijoin S, matching also where the comparison is NULL
    (S)                                 R lateral (any value, count of S), then a check of the count where (S) stood
    EXISTS (S)                          R lateral (count of S), then count > 0
    x op ANY (S)                        R lateral (bool_or of the comparison, and of its being NULL)
    x = ANY (S)                         the same, by counting the matches and S, so that equality is joined on

Each takes decorrelation as `rest`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from model.errors.sql_error import NotSupported
from model.types.scalar_type import BOOL, INT8, ScalarType
from planner.interpret.reach import infallible
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.columns import map_columns, own_columns, surface
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Filter, Join, JoinKind, Map, Project, Reduce, Relation, TopK
from planner.ir.scalar import (
    FALSE,
    TRUE,
    And,
    Call,
    Case,
    Coalesce,
    Column,
    Exists,
    Literal,
    Or,
    OuterColumn,
    Quantifier,
    Scalar,
    Subquery,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
)
from planner.ir.unit import conjuncts
from planner.rules.decimals.outer import decimals_read_anywhere
from planner.rules.decorrelation.failing import at_most_one, has_subquery, sides
from planner.rules.decorrelation.frame import beside, distinct_columns, projected, reads_outside, same_columns
from planner.rules.decorrelation.guarded_lift import GuardedLift
from planner.rules.decorrelation.matched import Matched, Rest, replaced

_COUNT = Aggregate("count_star", (), INT8)


def _call(function: str, *arguments: Scalar) -> Scalar:
    return Call(function, arguments, BOOL)


def _more_than_none(count: Scalar) -> Scalar:
    return _call("gt_int8_int8", count, Literal(0, INT8))


def negated(scalar: Scalar) -> Scalar:
    """Returns NOT of a comparison; of <> an equality, which joins can use."""
    if isinstance(scalar, Call) and scalar.function.startswith("ne_"):
        return Call("eq_" + scalar.function.removeprefix("ne_"), scalar.arguments, BOOL)
    if isinstance(scalar, Call) and scalar.function == "not_bool":
        return scalar.arguments[0]
    return _call("not_bool", scalar)


# Conditions


@dataclass(frozen=True, slots=True)
class _Existence:
    """The existence of rows of `relation` that meet `condition` (or, with `kind` ANTI, their absence)."""

    kind: JoinKind
    relation: Relation
    condition: Scalar | None


def _existence(predicate: Scalar) -> _Existence | None:
    """Returns a conjunct as a semijoin or an antijoin."""
    wanted = True
    while isinstance(predicate, Call) and predicate.function == "not_bool":
        wanted, predicate = not wanted, predicate.arguments[0]
    match predicate:
        case Exists(relation):
            return _Existence(JoinKind.SEMI if wanted else JoinKind.ANTI, _rows_that_exist(relation), None)
        case SubqueryCompare(quantifier, condition, relation) if infallible(condition):
            any_ = quantifier is Quantifier.ANY
            if wanted is not any_:
                # Is not true of any row: neither true nor NULL.
                condition = condition if any_ else negated(condition)
                unknown = _call("is_null_any", condition)
                return _Existence(JoinKind.ANTI, relation, Or((condition, unknown)))
            return _Existence(JoinKind.SEMI, relation, condition if any_ else negated(condition))
        case _:
            return None


def _rows_that_exist(relation: Relation) -> Relation:
    """Returns a simpler relation that has a row exactly if the given relation has a row: without projections, sorting
    and the like."""
    match relation:
        case Project() | Map():
            return _rows_that_exist(relation.input)
        case TopK(limit=Literal(value), offset=None) if isinstance(value, int) and value > 0:
            return _rows_that_exist(relation.input)
        case TopK(limit=None, offset=None):
            return _rows_that_exist(relation.input)
        case Reduce(below, key) if key:
            return _rows_that_exist(below)
        case _:
            return relation


def open_conjuncts(predicates: Sequence[Scalar]) -> list[Scalar]:
    """Returns the conditions joined by AND, each alone, without conditions that are always true."""
    return [each for each in conjuncts(*predicates) if each != TRUE]


def filtered(rest: Rest, below: Relation, predicates: Sequence[Scalar]) -> Relation:
    """Returns the rows of `below` for which all predicates are true. What can fail is asked last."""
    parts = open_conjuncts(predicates)
    first = [each for each in parts if infallible(each)]
    relation: Relation = Filter(below, tuple(first)) if first else below
    last: list[Scalar] = []
    for conjunct in parts:
        if infallible(conjunct):
            continue
        existence = _existence(conjunct)
        if existence is None:
            last.append(conjunct)
        else:
            relation = _joined_once(rest, relation, existence)
    if not last:
        return relation
    width = relation_desc_of(relation).arity
    rows, values = lifted(rest, relation, last)
    return projected(Filter(rows, values), range(width))


def _joined_once(rest: Rest, left: Relation, existence: _Existence) -> Relation:
    width = relation_desc_of(left).arity

    def build(shared: Relation, found: Matched) -> Relation:
        on = [*found.on]
        if existence.condition is not None:
            on += open_conjuncts([replaced(existence.condition, found.outputs)])
        return Join(existence.kind, shared, found.relation, tuple(beside(each, width) for each in on))

    def accept(found: Matched) -> bool:
        if existence.condition is not None and not infallible(replaced(existence.condition, found.outputs)):
            return False
        return found.missing is None

    return rest.against(left, existence.relation, build, accept)


# Values


def lifted(rest: Rest, below: Relation, scalars: Sequence[Scalar]) -> tuple[Relation, tuple[Scalar, ...]]:
    """Returns `below` with more columns behind its own, and the expressions over it without subqueries."""
    lift = GuardedLift(below, lambda relation, subquery: _lifted(rest, relation, subquery), rest.bound)
    values = tuple(lift.scalar(scalar, ()) for scalar in scalars)
    return lift.relation, values


def _lifted(rest: Rest, below: Relation, subquery: Subquery) -> tuple[Relation, Scalar]:
    match subquery:
        case Exists(relation):
            below, (count,) = _with_aggregates(rest, below, _first(rest, _rows_that_exist(relation), 1), (_COUNT,))
            return below, _more_than_none(count)
        case SubqueryValue(relation, type_):
            if at_most_one(relation):
                at = relation_desc_of(below).arity
                return rest.lateral(JoinKind.LEFT, below, relation), Column(at, type_)
            any_value = Aggregate("any_value_anyelement", (Column(0, type_),), type_)
            below, (found, count) = _with_aggregates(rest, below, _first(rest, relation, 2), (any_value, _COUNT))
            return below, Call("single_value_int8_anyelement", (count, found), type_)
        case SubqueryArray(relation, type_):
            collected = _collected(relation, type_)
            below, (array,) = _with_aggregates(rest, below, relation, (collected,))
            return below, Coalesce((array, Literal((), type_)), type_)
        case SubqueryCompare():
            return _compared(rest, below, subquery)
        case _:
            assert_never(subquery)


def _first(rest: Rest, relation: Relation, rows: int) -> Relation:
    """Limits a relation to so many rows where those suffice, because a recursion's rows may have no end."""
    if not rest.recurs(relation):
        return relation
    return TopK(relation, (), (), Literal(rows, INT8), None)


def _with_aggregates(
    rest: Rest, below: Relation, relation: Relation, aggregates: tuple[Aggregate, ...]
) -> tuple[Relation, tuple[Scalar, ...]]:
    """Returns `below` with aggregates of what the relation has for each row."""
    at = relation_desc_of(below).arity
    names = tuple(f"value{index}" for index in range(len(aggregates)))
    rows = rest.lateral(JoinKind.INNER, below, Reduce(relation, (), aggregates, names))
    return rows, tuple(Column(at + index, aggregate.type) for index, aggregate in enumerate(aggregates))


def _collected(relation: Relation, type_: ScalarType) -> Aggregate:
    """Returns array_agg in the subquery's order, as far as its one column tells."""
    (column,) = relation_desc_of(relation).types
    order: tuple[SortKey, ...] = ()
    if isinstance(relation, TopK) and not relation.group:
        order = relation.order
    return Aggregate("array_agg_anynonarray", (Column(0, column),), type_, order=order)


def _compared(rest: Rest, below: Relation, compare: SubqueryCompare) -> tuple[Relation, Scalar]:
    below, compare = _with_operands(below, compare)
    any_ = compare.quantifier is Quantifier.ANY
    condition = compare.condition if any_ else negated(compare.condition)
    relation = compare.relation
    pair = sides(condition)
    if pair is not None:
        own, outer = pair
        matches = Reduce(Filter(relation, (condition,)), (), (_COUNT,), ("matches",))
        at = relation_desc_of(below).arity
        below = rest.lateral(JoinKind.INNER, below, matches)
        unknown = Aggregate("bool_or_bool", (_call("is_null_any", own),), BOOL)
        below, (count, nulls) = _with_aggregates(rest, below, rest.copied(relation), (_COUNT, unknown))
        is_null = Or((_call("is_null_any", surface(outer, 1)), _call("is_true_bool", nulls)))
        answer = _three_valued(_more_than_none(Column(at, INT8)), And((_more_than_none(count), is_null)))
    else:
        aggregates = (
            Aggregate("bool_or_bool", (condition,), BOOL),
            Aggregate("bool_or_bool", (_call("is_null_any", condition),), BOOL),
        )
        below, (found, unknown_found) = _with_aggregates(rest, below, relation, aggregates)
        answer = _three_valued(_call("is_true_bool", found), _call("is_true_bool", unknown_found))
    return below, answer if any_ else _call("not_bool", answer)


def _three_valued(true: Scalar, unknown: Scalar) -> Scalar:
    return Case(((true, TRUE), (unknown, Literal(None, BOOL))), FALSE, BOOL)


def _with_operands(below: Relation, compare: SubqueryCompare) -> tuple[Relation, SubqueryCompare]:
    """Adds fallible operands as columns of the relation below, so that the comparison itself can't fail."""
    condition, relation = compare.condition, compare.relation
    if infallible(condition) or not isinstance(condition, Call):
        return below, compare
    arguments: list[Scalar] = []
    for argument in condition.arguments:
        if infallible(argument) or has_subquery(argument):
            arguments.append(argument)
        elif not own_columns(argument) and reads_outside(argument):
            type_ = argument.type if isinstance(argument, Call) else None
            if type_ is None:
                arguments.append(argument)
                continue
            at = relation_desc_of(below).arity
            below = Map(below, (surface(argument, 1),), ("operand",))
            arguments.append(OuterColumn(1, at, type_))
        else:
            arguments.append(argument)
    settled = Call(condition.function, tuple(arguments), condition.type)
    return below, SubqueryCompare(compare.quantifier, settled, relation)


# Predicates of joins


def joined(rest: Rest, join: Join) -> Relation:
    """Returns the join, subqueries in its predicates decided before or after it."""
    if not any(map(has_subquery, join.on)):
        return join
    if join.kind is JoinKind.INNER:
        return rest.filtered(Join(join.kind, join.left, join.right, ()), join.on)
    if join.kind is JoinKind.FULL:
        raise NotSupported("FULL JOIN on a condition with a subquery")
    return rest.bound(join.left, lambda left: _decided_on_the_right(rest, join, left))


def _decided_on_the_right(rest: Rest, join: Join, left: Relation) -> Relation:
    """Decides subqueries on the right: each right row beside each distinct value of the left columns that the
    subqueries read decides them there."""
    width = relation_desc_of(left).arity
    right_width = relation_desc_of(join.right).arity
    parts = open_conjuncts(join.on)
    asking = [conjunct for conjunct in parts if has_subquery(conjunct)]
    columns = sorted({column for conjunct in asking for column in own_columns(conjunct) if column < width})
    shown = sorted({at for conjunct in asking for at in decimals_read_anywhere(conjunct) if at < width})
    distinct = distinct_columns(left, columns, shown)
    pairs = Join(JoinKind.INNER, join.right, distinct, ()) if columns else join.right
    copies = {column: right_width + at for at, column in enumerate(columns)}

    def on_the_right(column: Column) -> Scalar:
        index = copies[column.index] if column.index < width else column.index - width
        return Column(index, column.type)

    rows, values = lifted(rest, pairs, [map_columns(conjunct, on_the_right) for conjunct in asking])
    start = relation_desc_of(rows).arity
    decided = Map(rows, values, tuple(f"decided{at}" for at in range(len(values))))
    on = (
        *same_columns(left, columns, width + right_width, shown),
        *(conjunct for conjunct in parts if not has_subquery(conjunct)),
        *(Column(width + start + at, BOOL) for at in range(len(values))),
    )
    both = Join(join.kind, left, decided, on)
    if join.kind in (JoinKind.SEMI, JoinKind.ANTI):
        return both
    return Project(both, tuple(range(width + right_width)))
