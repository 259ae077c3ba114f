"""A single SELECT: its clauses in PostgreSQL's order of name resolution; `assemble` puts the relation together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType
from planner.expressions.grouped.windows import plan_named_windows
from planner.expressions.planner import ClausePlace, Expressions
from planner.functions.signature import CastContext
from planner.ir.scalar import Scalar, scalar_type
from planner.ir.unit import filtered
from planner.query.assemble import assemble
from planner.query.from_clause import plan_from
from planner.query.group_keys import group_keys
from planner.query.grouping_sets import grouping_sets
from planner.query.limits import plan_limits
from planner.query.locking import plan_locking
from planner.query.select_parts import SelectParts
from planner.query.source_order import in_source_order, keeps_order, source_order
from planner.query.targets import Target, check_target_count, plan_targets
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of, strings
from planner.scope.ordering import sort_directions
from planner.scope.planned_query import PlannedQuery
from planner.scope.scope import Scope, SelectState
from planner.types.coercion import coerce, known
from planner.types.comparability import check_equality, check_order


class SelectDraft:
    """A SELECT whose expressions are planned; the result columns may still be cast."""

    def __init__(self, analysis: Analysis, select: Any, environment: QueryEnvironment) -> None:
        _refuse(analysis, select)
        self._analysis = analysis
        source = plan_from(analysis, select.from_clause, environment)
        self._state = SelectState()
        self._scope = Scope(source.items, environment.outer, self._state)
        self._expressions = Expressions(analysis, self._scope, environment, ClausePlace.SELECT)
        relation = source.relation
        if select.HasField("where_clause"):
            where = self._expressions.at(ClausePlace.WHERE).plan_boolean(select.where_clause, "WHERE")
            relation = filtered(relation, where)
        self._relation = relation
        plan_named_windows(self._expressions, select.window_clause)
        self._targets = plan_targets(self._expressions, select.target_list)
        self._arity = len(self._targets)
        self._having: Scalar | None = None
        if select.HasField("having_clause"):
            self._having = self._expressions.at(ClausePlace.HAVING).plan_boolean(select.having_clause, "HAVING")
        self._order = self._plan_order(select)
        self._sets = grouping_sets(analysis, select, self._group_key)
        self._distinct = self._plan_distinct(select)
        self._limits = plan_limits(analysis, select, environment, source.items)
        if (order := source_order(self._scope)) and not self._gathered(select):
            self._state.windows = [in_source_order(use, order) for use in self._state.windows]
        self._grouped = bool(select.group_clause) or select.HasField("having_clause")
        self._locked = plan_locking(analysis, select, self._scope, self._state, self._targets)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(target.name for target in self._targets[: self._arity])

    @property
    def types(self) -> tuple[ScalarType, ...]:
        return tuple(scalar_type(target.scalar) for target in self._targets[: self._arity])

    def location(self, column: int) -> int:
        return self._targets[column].location

    def cast(self, column: int, target: ScalarType, context: CastContext) -> bool:
        it = self._targets[column]
        value = coerce(self._analysis, it.scalar, target, context, it.location)
        if value is None:
            return False
        it.scalar = value
        return True

    def finish(self) -> PlannedQuery:
        check_target_count(self._analysis, len(self._targets))
        for target in self._targets:
            target.scalar = known(self._analysis, target.scalar)
        self._check_types()
        parts = SelectParts(
            self._analysis,
            self._relation,
            self._scope,
            self._state,
            self._targets,
            self._arity,
            group_keys(self._sets, self._targets),
            self._having,
            self._order,
            self._distinct,
            self._grouped,
        )
        return replace(assemble(parts, self._limits), locked=self._locked)

    def _check_types(self) -> None:
        """Raises 42883 where rows are compared by values that can't be."""
        for at, _, _ in self._order:
            check_order(self._analysis, scalar_type(self._targets[at].scalar), self._targets[at].location)
        for key in dict.fromkeys(key for each in self._sets for key in each):
            check_equality(self._analysis, scalar_type(self._targets[key].scalar if isinstance(key, int) else key))
        if self._distinct is not None:
            for at in self._distinct or range(self._arity):
                check_equality(self._analysis, scalar_type(self._targets[at].scalar), self._targets[at].location)

    def _group_key(self, node: Any) -> int | Scalar:
        """Finds a group's key: an ordinal, an input column, a result column's name, an expression, in this order."""
        ordinal = self._ordinal(node, "GROUP BY")
        if ordinal is not None:
            return ordinal
        name = _bare_name(node)
        if name is not None and not self._is_input(name):
            matches = self._named(name, "GROUP BY", location_of(node))
            if matches is not None:
                return matches
        value = self._expressions.at(ClausePlace.GROUP_BY).plan(node)
        return known(self._analysis, value)

    def _is_input(self, name: str) -> bool:
        return any(f.name == name for item in self._scope.items if item.columns_visible for f in item.fields)

    def _ordinal(self, node: Any, clause: str) -> int | None:
        if node.WhichOneof("node") != "a_const":
            return None
        if node.a_const.WhichOneof("val") != "ival":
            message = f"non-integer constant in {clause}"
            raise self._analysis.error(Sqlstate.SYNTAX_ERROR, message, location_of(node))
        number = node.a_const.ival.ival
        if not 1 <= number <= self._arity:
            message = f"{clause} position {number} is not in select list"
            raise self._analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, location_of(node))
        return int(number) - 1

    def _named(self, name: str, clause: str, location: int) -> int | None:
        found = [at for at in range(self._arity) if self._targets[at].name == name]
        if not found:
            return None
        if any(self._targets[at].scalar != self._targets[found[0]].scalar for at in found):
            message = f'{clause} "{name}" is ambiguous'
            raise self._analysis.error(Sqlstate.AMBIGUOUS_COLUMN, message, location)
        return found[0]

    def _target_for(self, node: Any, clause: str, place: ClausePlace) -> int:
        """Returns the result column that an ORDER BY or DISTINCT ON expression means; a new, hidden one when it is
        none."""
        ordinal = self._ordinal(node, clause)
        if ordinal is not None:
            return ordinal
        name = _bare_name(node)
        if name is not None:
            at = self._named(name, clause, location_of(node))
            if at is not None:
                return at
        value = self._expressions.at(place).plan(node)
        for at, target in enumerate(self._targets):
            if target.scalar == value:
                return at
        self._targets.append(Target(clause, known(self._analysis, value), location_of(node)))
        return len(self._targets) - 1

    def _plan_order(self, select: Any) -> tuple[tuple[int, bool, bool], ...]:
        """Returns (result column, descending, nulls first) for each key."""
        keys: list[tuple[int, bool, bool]] = []
        for node in select.sort_clause:
            sort = node.sort_by
            at = self._target_for(sort.node, "ORDER BY", ClausePlace.ORDER_BY)
            keys.append((at, *sort_directions(self._analysis, sort)))
        return tuple(keys) or self._order_of_source(select)

    def _order_of_source(self, select: Any) -> tuple[tuple[int, bool, bool], ...]:
        """Returns the order of a subquery in FROM, where this query's rows keep that order."""
        if self._gathered(select) or select.distinct_clause or not keeps_order(self._state):
            return ()
        keys: list[tuple[int, bool, bool]] = []
        for key in source_order(self._scope):
            at = next((at for at, target in enumerate(self._targets) if target.scalar == key.expression), None)
            if at is None:
                at = len(self._targets)
                self._targets.append(Target("ORDER BY", key.expression, -1))
            keys.append((at, key.descending, key.nulls_first))
        return tuple(keys)

    def _gathered(self, select: Any) -> bool:
        """Tells whether rows are grouped."""
        state = self._state
        return bool(select.group_clause or self._having is not None or state.aggregates or state.groupings)

    def _plan_distinct(self, select: Any) -> tuple[int, ...] | None:
        """Returns None for not distinct; (): on the whole row; else ON these result columns."""
        if not select.distinct_clause:
            return None
        if select.distinct_clause[0].WhichOneof("node") is None:
            self._check_distinct_order()
            return ()
        places: dict[int, int] = {}
        for node in select.distinct_clause:
            places.setdefault(self._target_for(node, "DISTINCT ON", ClausePlace.DISTINCT_ON), location_of(node))
        columns = tuple(places)
        leading = [at for at, _, _ in self._order]
        for position, at in enumerate(leading):
            rest = set(columns) - set(leading[:position])
            if rest and at not in columns:
                message = "SELECT DISTINCT ON expressions must match initial ORDER BY expressions"
                place = places[next(at for at in columns if at in rest)]
                raise self._analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, place)
        return columns

    def _check_distinct_order(self) -> None:
        for at, _, _ in self._order:
            if at >= self._arity:
                message = "for SELECT DISTINCT, ORDER BY expressions must appear in select list"
                place = self._targets[at].location
                raise self._analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, place)


def _bare_name(node: Any) -> str | None:
    if node.WhichOneof("node") != "column_ref" or len(node.column_ref.fields) != 1:
        return None
    field = node.column_ref.fields[0]
    return strings([field])[0] if field.WhichOneof("node") == "string" else None


def _refuse(analysis: Analysis, select: Any) -> None:
    if select.HasField("into_clause"):
        message = "SELECT ... INTO is not allowed here"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, select.into_clause.rel.location)
