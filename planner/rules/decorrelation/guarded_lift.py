"""Lifts subqueries out of expressions, under the guards (CASE, COALESCE, AND, OR) that may prevent their evaluation.

    case when c then (S) end, S may fail   =  rows for which c is true, with S  +  the other rows, with NULL

A subquery that can't fail is evaluated for every row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from model.types.scalar_type import BOOL
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Filter, Map, Relation, Union
from planner.ir.scalar import (
    And,
    Call,
    Case,
    Coalesce,
    Exists,
    Literal,
    Or,
    Scalar,
    Subquery,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
)
from planner.ir.visit import rewrite_scalar
from planner.rules.decorrelation.failing import has_subquery, safe, safe_relation

Guards = tuple[Scalar, ...]
"""Over the row below, without subqueries: all must be true for the expression to be evaluated."""

Lift = Callable[[Relation, Subquery], tuple[Relation, Scalar]]
"""Adds columns behind the relation's own; the subquery's value over them."""

Bound = Callable[[Relation, Callable[[Relation], Relation]], Relation]


def _is(word: str, condition: Scalar) -> Scalar:
    return Call(f"is_{word}_bool", (condition,), BOOL)


class GuardedLift:
    """Lifts the subqueries out of one relation's expressions. `relation` grows by the columns of each lifted
    subquery."""

    def __init__(self, below: Relation, lift: Lift, bound: Bound) -> None:
        self.relation = below
        self._lift = lift
        self._bound = bound
        self._known: list[tuple[Subquery, Guards, Scalar]] = []

    def scalar(self, scalar: Scalar, guards: Guards) -> Scalar:
        """Returns the expression over `relation`."""
        if not has_subquery(scalar):
            return scalar
        match scalar:
            case Exists() | SubqueryValue() | SubqueryArray() | SubqueryCompare():
                return self._subquery(scalar, guards)
            case Case():
                return self._case(scalar, guards)
            case Coalesce():
                return self._coalesce(scalar, guards)
            case And(operands):
                return And(self._logical(operands, "not_false", guards))
            case Or(operands):
                return Or(self._logical(operands, "not_true", guards))
            case _:
                return rewrite_scalar(scalar, lambda node, level: None if node is scalar else self.scalar(node, guards))

    def _case(self, case: Case, guards: Guards) -> Scalar:
        branches: list[tuple[Scalar, Scalar]] = []
        for condition, value in case.branches:
            decided = self.scalar(condition, guards)
            branches.append((decided, self.scalar(value, (*guards, _is("true", decided)))))
            guards = (*guards, _is("not_true", decided))
        return Case(tuple(branches), self.scalar(case.otherwise, guards), case.type)

    def _coalesce(self, coalesce: Coalesce, guards: Guards) -> Scalar:
        operands: list[Scalar] = []
        for operand in coalesce.operands:
            operands.append(self.scalar(operand, guards))
            guards = (*guards, Call("is_null_any", (operands[-1],), BOOL))
        return Coalesce(tuple(operands), coalesce.type)

    def _logical(self, operands: Sequence[Scalar], undecided: str, guards: Guards) -> tuple[Scalar, ...]:
        """Lifts AND and OR: an operand that decides keeps the others from being asked; those without subqueries are
        asked first."""
        plain = tuple(_is(undecided, operand) for operand in operands if not has_subquery(operand))
        return tuple(self.scalar(operand, (*guards, *plain)) for operand in operands)

    def _subquery(self, subquery: Subquery, guards: Guards) -> Scalar:
        condition = isinstance(subquery, SubqueryCompare) and not safe(subquery.condition)
        if not condition and safe_relation(subquery.relation):
            guards = ()
        for known, under, value in self._known:
            if known == subquery and under == guards:
                return value
        value = self._guarded(subquery, guards) if guards else self._plain(subquery)
        self._known.append((subquery, guards, value))
        return value

    def _plain(self, subquery: Subquery) -> Scalar:
        self.relation, value = self._lift(self.relation, subquery)
        return value

    def _guarded(self, subquery: Subquery, guards: Guards) -> Scalar:
        guard = And(guards)
        values: list[Scalar] = []

        def parts(shared: Relation) -> Relation:
            asking, value = self._lift(Filter(shared, (_is("true", guard),)), subquery)
            values.append(value)
            added = relation_desc_of(asking).columns[relation_desc_of(shared).arity :]
            nulls = tuple(Literal(None, column.type) for column in added)
            others = Map(Filter(shared, (_is("not_true", guard),)), nulls, tuple(column.name for column in added))
            return Union((asking, others))

        self.relation = self._bound(self.relation, parts)
        return values[0]
