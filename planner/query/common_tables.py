"""WITH: each query bound to a local id around the body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType
from planner.functions.signature import CastContext
from planner.functions.volatility import volatile_relation
from planner.ir.aggregate import SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from planner.ir.relation import Finishing, Relation
from planner.plans.changes import ModifyingStep
from planner.plans.queries import SelectPlan
from planner.query.locked_apart import locked_apart
from planner.query.recursion.mutual_recursion import bind_mutually
from planner.query.recursion.recursion_checks import check_recursion, mentions
from planner.query.recursion.recursive_table import column_names, plan_recursive
from planner.scope.analysis import Analysis
from planner.scope.bindings import Binding, DraftQuery, bound, let
from planner.scope.environment import CommonTable, QueryEnvironment
from planner.scope.planned_query import PlannedQuery
from planner.syntax.parse import modifies


def bind_common_tables(
    analysis: Analysis, clause: Any, environment: QueryEnvironment, draft: DraftQuery
) -> tuple[QueryEnvironment, list[Binding]]:
    """Returns the environment of the body, and the bindings in order."""
    bindings: list[Binding] = []
    _check_names(analysis, clause)
    mutual = analysis.recursions.get(clause.location)
    if mutual is not None:
        environment, binding = bind_mutually(analysis, clause, mutual, environment.inner(), draft)
        return environment, [binding]
    for node in clause.ctes:
        table = node.common_table_expr
        if modifies(node):
            environment = environment.having(_modification(analysis, table, environment, bindings))
            continue
        names, relation, order = _plan(analysis, table, environment.inner(), draft, clause.recursive, bindings)
        local = analysis.next_local_id()
        found = relation_desc_of(relation).columns
        named = tuple(ColumnDesc(n, c.type, c.nullable) for n, c in zip(names, found, strict=False))
        columns = (*named, *found[len(named) :])
        common = CommonTable(
            table.ctename, local, RelationDesc(columns), order=order, unnamed=len(columns) - len(named)
        )
        environment = environment.having(common)
        if volatile_relation(relation) and any(map(modifies, clause.ctes)) and environment.top:
            # It is evaluated once, whatever reads it: statements are evaluated apart.
            analysis.modifications.append(_evaluated_once(local, bound(relation, bindings), columns))
        else:
            bindings.append(let(local, relation))
    return environment.inner(), bindings


def _evaluated_once(local: int, relation: Relation, columns: tuple[ColumnDesc, ...]) -> ModifyingStep:
    finishing = Finishing((), None, None, tuple(range(len(columns))))
    return ModifyingStep(local, SelectPlan(Query(relation, finishing, RelationDesc(columns))))


def _check_names(analysis: Analysis, clause: Any) -> None:
    seen: set[str] = set()
    for node in clause.ctes:
        table = node.common_table_expr
        if table.ctename in seen:
            message = f'WITH query name "{table.ctename}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_ALIAS, message, table.location)
        seen.add(table.ctename)


def _modification(
    analysis: Analysis, table: Any, environment: QueryEnvironment, bindings: Sequence[Binding]
) -> CommonTable:
    if not environment.top or analysis.plan_modification is None:
        message = "WITH clause containing a data-modifying statement must be at the top level"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, table.location)
    local, desc = analysis.plan_modification(analysis, table.ctequery, environment.inner(), bindings)
    if desc is None:
        return CommonTable(table.ctename, local, RelationDesc(()), returns=False)
    names = column_names(analysis, table, desc.names)
    columns = tuple(ColumnDesc(n, c.type, c.nullable) for n, c in zip(names, desc.columns, strict=True))
    return CommonTable(table.ctename, local, RelationDesc(columns))


def _plan(
    analysis: Analysis,
    table: Any,
    environment: QueryEnvironment,
    draft: DraftQuery,
    recursive: bool,
    bindings: Sequence[Binding],
) -> tuple[tuple[str, ...], Relation, tuple[SortKey, ...]]:
    """Plans one common table of a WITH clause. Returns the names of its columns; a relation of its rows, in which
    columns that are only sort keys come last; and the order of the rows."""
    select = table.ctequery.select_stmt
    if recursive and mentions(select, table.ctename):
        check_recursion(analysis, table)
        return *plan_recursive(analysis, table, environment, draft), ()
    if table.HasField("search_clause") or table.HasField("cycle_clause"):
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "WITH query is not recursive", table.location)
    query = locked_apart(analysis, draft(analysis, select, environment).finish(), bindings)
    relation = query.limited() if query.order else query.closed()
    return column_names(analysis, table, query.names), relation, query.order


class WithDraft:
    """The query that follows a WITH clause, half planned: the clause's common tables are bound around the query's rows
    once `finish` is called."""

    def __init__(
        self,
        analysis: Analysis,
        select: Any,
        environment: QueryEnvironment,
        draft_query: DraftQuery,
        draft_body: DraftQuery,
    ) -> None:
        inner, self._bindings = bind_common_tables(analysis, select.with_clause, environment, draft_query)
        self._body = draft_body(analysis, select, inner)

    @property
    def names(self) -> tuple[str, ...]:
        return self._body.names

    @property
    def types(self) -> tuple[ScalarType, ...]:
        return self._body.types

    def location(self, column: int) -> int:
        return self._body.location(column)

    def cast(self, column: int, target: ScalarType, context: CastContext) -> bool:
        return self._body.cast(column, target, context)

    def finish(self) -> PlannedQuery:
        query = self._body.finish()
        return replace(query, relation=bound(query.relation, self._bindings))
