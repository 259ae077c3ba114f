"""Which conditions are semi and anti joins in disguise, and when a subquery needs no domain to be one.

    EXISTS q          semi on true                 NOT EXISTS q         anti on true
    x op ANY q        semi on c                    NOT (x op ANY q)     anti on c is not false
    NOT (x op ALL q)  semi on c is false           x op ALL q           anti on c is not true

A condition in WHERE keeps a row only when it is true, which is why a NULL comparison counts against the negated forms.
"""

from __future__ import annotations

from dataclasses import dataclass

from model.scalar_type import BOOL
from planner.ir.columns import map_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Filter, Join, JoinKind, Map, Project, Reduce, Relation
from planner.ir.scalar import And, Call, Column, Exists, Quantifier, Scalar, SubqueryCompare
from planner.rules.correlation import correlated


@dataclass(frozen=True, slots=True)
class SemiJoin:
    """Keeps the rows that have (SEMI) or lack (ANTI) a row of `relation` for which all of `on` is true.

    In `on` a Column is the relation's, and OuterColumn(1, …) belongs to the row in question."""

    kind: JoinKind
    relation: Relation
    on: tuple[Scalar, ...]


def as_semi_join(predicate: Scalar) -> SemiJoin | None:
    """The join that a condition is; None for other conditions."""
    match predicate:
        case Exists():
            return SemiJoin(JoinKind.SEMI, predicate.relation, ())
        case SubqueryCompare(quantifier=Quantifier.ANY):
            return SemiJoin(JoinKind.SEMI, predicate.relation, _conjuncts(predicate.condition))
        case SubqueryCompare(quantifier=Quantifier.ALL):
            return SemiJoin(JoinKind.ANTI, predicate.relation, (_test("is_not_true_bool", predicate.condition),))
        case Call(function="not_bool", arguments=(Exists() as inner,)):
            return SemiJoin(JoinKind.ANTI, inner.relation, ())
        case Call(function="not_bool", arguments=(SubqueryCompare(quantifier=Quantifier.ANY) as inner,)):
            return SemiJoin(JoinKind.ANTI, inner.relation, (_test("is_not_false_bool", inner.condition),))
        case Call(function="not_bool", arguments=(SubqueryCompare(quantifier=Quantifier.ALL) as inner,)):
            return SemiJoin(JoinKind.SEMI, inner.relation, (_test("is_false_bool", inner.condition),))
        case _:
            return None


def _test(function: str, condition: Scalar) -> Call:
    return Call(function, (condition,), BOOL)


def _conjuncts(scalar: Scalar) -> tuple[Scalar, ...]:

    if isinstance(scalar, And):
        return tuple(part for operand in scalar.operands for part in _conjuncts(operand))
    return (scalar,)


@dataclass(frozen=True, slots=True)
class _Split:
    """A relation that reads no outer row, conditions on its rows that may, and the original's columns over its rows."""

    relation: Relation
    conditions: tuple[Scalar, ...]
    outputs: tuple[Scalar, ...]


def simple_right_side(semi: SemiJoin) -> SemiJoin | None:
    """The same join with all that reads outer rows moved from the relation to the conditions; None when it can't be."""
    split = _split(semi.relation)
    if split is None:
        return None
    on = _over(split, semi.on)
    return SemiJoin(semi.kind, split.relation, (*split.conditions, *on))


def _leaf(relation: Relation) -> _Split:
    types = relation_desc_of(relation).types
    return _Split(relation, (), tuple(Column(at, type_) for at, type_ in enumerate(types)))


def _split(relation: Relation) -> _Split | None:
    if not correlated(relation):
        return _leaf(relation)
    match relation:
        case Filter():
            inner = _split(relation.input)
            if inner is None:
                return None
            moved = _over(inner, relation.predicates)
            return _Split(inner.relation, (*inner.conditions, *moved), inner.outputs)
        case Project():
            inner = _split(relation.input)
            if inner is None:
                return None
            return _Split(inner.relation, inner.conditions, tuple(inner.outputs[at] for at in relation.columns))
        case Map():
            inner = _split(relation.input)
            if inner is None:
                return None
            added = _over(inner, relation.scalars)
            return _Split(inner.relation, inner.conditions, (*inner.outputs, *added))
        case Reduce(aggregates=()) if relation.key:
            # Of a DISTINCT only existence is asked.
            inner = _split(relation.input)
            if inner is None:
                return None
            return _Split(inner.relation, inner.conditions, _over(inner, relation.key))
        case Join(kind=JoinKind.INNER, lateral=False):
            return _split_join(relation)
        case _:
            return None


def _over(inner: _Split, scalars: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    """Expressions over the original's columns, over the rows of what it was split to."""
    return tuple(map_columns(scalar, lambda column: inner.outputs[column.index]) for scalar in scalars)


def _split_join(join: Join) -> _Split | None:
    left, right = _split(join.left), _split(join.right)
    if left is None or right is None:
        return None
    width = relation_desc_of(left.relation).arity

    def shift(scalar: Scalar) -> Scalar:
        return map_columns(scalar, lambda c: Column(c.index + width, c.type))

    outputs = (*left.outputs, *map(shift, right.outputs))
    crossed = Join(JoinKind.INNER, left.relation, right.relation, ())
    on = tuple(map_columns(p, lambda c: outputs[c.index]) for p in join.on)
    return _Split(crossed, (*left.conditions, *map(shift, right.conditions), *on), outputs)
