"""UNION, INTERSECT, EXCEPT, each with ALL or without.

EXCEPT ALL      = threshold(left - right)
EXCEPT          = threshold(distinct left - distinct right)
INTERSECT [ALL] = left - (left EXCEPT [ALL] right)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import UNKNOWN, ScalarType, type_text
from planner.functions.signature import CastContext
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Let, LocalGet, Map, Negate, Relation, Threshold, Union
from planner.ir.scalar import Column, Scalar
from planner.ir.unit import distinct, projected
from planner.query.limits import plan_limits
from planner.query.locking import refuse_locking
from planner.scope.analysis import Analysis
from planner.scope.draft import Draft
from planner.scope.environment import QueryEnvironment
from planner.scope.planned_query import PlannedQuery
from planner.types.coercion import coerce, common_type
from planner.types.comparability import check_equality
from planner.types.set_order import order_by_columns

_WORDS = {tree.SETOP_UNION: "UNION", tree.SETOP_INTERSECT: "INTERSECT", tree.SETOP_EXCEPT: "EXCEPT"}


class SetOperationDraft:
    """Both branches drafted and their columns brought to common types."""

    def __init__(
        self,
        analysis: Analysis,
        select: Any,
        environment: QueryEnvironment,
        draft: Callable[[Analysis, Any, QueryEnvironment], Draft],
    ) -> None:
        self._analysis = analysis
        self._select = select
        self._left = draft(analysis, select.larg, environment)
        self._right = draft(analysis, select.rarg, environment)
        self.names = self._left.names
        for each in (select, select.larg, select.rarg):
            refuse_locking(analysis, each, "is not allowed with UNION/INTERSECT/EXCEPT")
        word = _WORDS[select.op]
        if len(self._left.names) != len(self._right.names):
            message = f"each {word} query must have the same number of columns"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, _first_place(self._right))
        self._types = [self._settle(column, word) for column in range(len(self.names))]
        self._casts: dict[int, tuple[ScalarType, CastContext]] = {}
        self._limits = plan_limits(analysis, select, environment)

    @property
    def types(self) -> tuple[ScalarType, ...]:
        return tuple(self._types)

    def location(self, column: int) -> int:
        return self._left.location(column)

    def _settle(self, column: int, word: str) -> ScalarType:
        left, right = self._left, self._right
        found = [left.types[column], right.types[column]]
        both_unknown = found == [UNKNOWN, UNKNOWN]
        type_ = common_type(self._analysis, found, word, [left.location(column), right.location(column)])
        for branch in (left, right):
            source = branch.types[column]
            if not branch.cast(column, type_, CastContext.IMPLICIT):
                message = f"{word} could not convert type {type_text(source)} to {type_text(type_)}"
                raise self._analysis.error(Sqlstate.CANNOT_COERCE, message, branch.location(column))
        assert not both_unknown or type_ != UNKNOWN
        if self._select.op != tree.SETOP_UNION or not self._select.all:
            check_equality(self._analysis, type_, left.location(column))
        return type_

    def cast(self, column: int, target: ScalarType, context: CastContext) -> bool:
        source = self._types[column]
        if source == target:
            return True
        if coerce(self._analysis, Column(column, source), target, context) is None:
            return False
        self._casts[column] = (target, context)
        self._types[column] = target
        return True

    def finish(self) -> PlannedQuery:
        left, right = self._left.finish().closed(), self._right.finish().closed()
        relation = self._combine(left, right)
        types = relation_desc_of(relation).types
        order = order_by_columns(self._analysis, self._select, self.names, types, _WORDS[self._select.op])
        query = self._limits.applied(relation, self.names, order)
        return self._converted(query) if self._casts else query

    def _combine(self, left: Relation, right: Relation) -> Relation:
        every = self._select.all
        if self._select.op == tree.SETOP_UNION:
            both = Union((*_branches(left, every), *_branches(right, every)))
            return both if every else distinct(both)
        if not every:
            left, right = distinct(left), distinct(right)
        if self._select.op == tree.SETOP_EXCEPT:
            return Threshold(Union((left, Negate(right))))
        local = self._analysis.next_local_id()
        shared = LocalGet(local, relation_desc_of(left))
        missing = Threshold(Union((shared, Negate(right))))
        return Let(local, left, Threshold(Union((shared, Negate(missing)))))

    def _converted(self, query: PlannedQuery) -> PlannedQuery:
        relation = query.closed()
        types = relation_desc_of(relation).types
        scalars: list[Scalar] = []
        positions = list(range(query.arity))
        for column, (target, context) in self._casts.items():
            value = coerce(self._analysis, Column(column, types[column]), target, context)
            assert value is not None, "the cast was found before"
            positions[column] = query.arity + len(scalars)
            scalars.append(value)
        names = tuple(self.names[column] for column in self._casts)
        return PlannedQuery(projected(Map(relation, tuple(scalars), names), tuple(positions)), self.names)


def _branches(relation: Relation, every: bool) -> tuple[Relation, ...]:
    return relation.inputs if isinstance(relation, Union) and every else (relation,)


def _first_place(draft: Draft) -> int:
    return draft.location(0) if draft.names else -1
