"""WITH: each query bound to a local id around the body; WITH RECURSIVE as a fixpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from postgast import pg_query_pb2 as tree

from model.relation_desc import ColumnDesc, RelationDesc
from model.scalar_type import ScalarType, type_text
from model.sqlstate import Sqlstate
from planner.functions.signature import CastContext
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Let, LocalGet, Recursive, Relation
from planner.ir.visit import walk_relation
from planner.sql.analysis import Analysis
from planner.sql.coercion import common_type
from planner.sql.draft import Draft
from planner.sql.environment import CommonTable, Environment
from planner.sql.names import strings
from planner.sql.planned_query import PlannedQuery

DraftQuery = Callable[[Analysis, Any, Environment], Draft]


def bind_common_tables(
    analysis: Analysis, clause: Any, environment: Environment, draft: DraftQuery
) -> tuple[Environment, list[tuple[int, Relation]]]:
    """The environment of the body, and what each local id stands for, in order."""
    bindings: list[tuple[int, Relation]] = []
    seen: set[str] = set()
    for node in clause.ctes:
        table = node.common_table_expr
        if table.ctename in seen:
            message = f'WITH query name "{table.ctename}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_ALIAS, message, table.location)
        seen.add(table.ctename)
        if table.ctequery.WhichOneof("node") != "select_stmt":
            environment = environment.having(_modification(analysis, table, environment))
            continue
        if table.HasField("search_clause") or table.HasField("cycle_clause"):
            raise analysis.unsupported("SEARCH and CYCLE", table.location)
        names, relation = _plan(analysis, table, environment.inner(), draft, clause.recursive)
        local = analysis.next_local_id()
        desc = relation_desc_of(relation)
        columns = tuple(ColumnDesc(n, c.type, c.nullable) for n, c in zip(names, desc.columns, strict=True))
        environment = environment.having(CommonTable(table.ctename, local, RelationDesc(columns)))
        bindings.append((local, relation))
    return environment.inner(), bindings


def _modification(analysis: Analysis, table: Any, environment: Environment) -> CommonTable:
    if not environment.top or analysis.plan_modification is None:
        message = "WITH clause containing a data-modifying statement must be at the top level"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, table.location)
    local, desc = analysis.plan_modification(analysis, table.ctequery, environment.inner())
    if desc is None:
        return CommonTable(table.ctename, local, RelationDesc(()), returns=False)
    names = _column_names(analysis, table, desc.names)
    columns = tuple(ColumnDesc(n, c.type, c.nullable) for n, c in zip(names, desc.columns, strict=True))
    return CommonTable(table.ctename, local, RelationDesc(columns))


def _column_names(analysis: Analysis, table: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    given = strings(table.aliascolnames)
    if len(given) > len(names):
        message = f'WITH query "{table.ctename}" has {len(names)} columns available but {len(given)} columns specified'
        raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, table.location)
    return (*given, *names[len(given) :])


def _plan(
    analysis: Analysis, table: Any, environment: Environment, draft: DraftQuery, recursive: bool
) -> tuple[tuple[str, ...], Relation]:
    select = table.ctequery.select_stmt
    if recursive and select.op == tree.SETOP_UNION and _mentions(select.rarg, table.ctename):
        return _plan_recursive(analysis, table, environment, draft)
    query = draft(analysis, select, environment).finish()
    return _column_names(analysis, table, query.names), query.closed()


def _mentions(message: Any, name: str) -> bool:
    """Whether a tree names a table so, anywhere."""
    pending = [message]
    while pending:
        at = pending.pop()
        if at.DESCRIPTOR.name == "RangeVar" and at.relname == name and not at.schemaname:
            return True
        for field, value in at.ListFields():
            if field.type == field.TYPE_MESSAGE:
                pending.extend(value if field.is_repeated else [value])
    return False


def _plan_recursive(
    analysis: Analysis, table: Any, environment: Environment, draft: DraftQuery
) -> tuple[tuple[str, ...], Relation]:
    """Base UNION [ALL] step; the base alone decides the column types, and the step must yield them."""
    select = table.ctequery.select_stmt
    if select.sort_clause or select.HasField("limit_count") or select.HasField("limit_offset"):
        raise analysis.unsupported("ORDER BY, LIMIT and OFFSET in a recursive query", table.location)
    base_draft = draft(analysis, select.larg, environment)
    base = base_draft.finish()
    names = _column_names(analysis, table, base.names)
    local = analysis.next_local_id()
    columns = tuple(ColumnDesc(n, c.type) for n, c in zip(names, base.desc.columns, strict=True))
    desc = RelationDesc(columns)
    itself = CommonTable(table.ctename, local, desc, recursive=True)
    step = draft(analysis, select.rarg, environment.having(itself))
    if len(step.names) != len(names):
        message = "each UNION query must have the same number of columns"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, step.location(0) if step.names else -1)
    for at, column in enumerate(columns):
        if _overall(analysis, step, at, column.type) != column.type.plain():
            _refuse_type(analysis, table, step, at, column.type, base_draft.location(at))
        if not step.cast(at, column.type, CastContext.IMPLICIT):
            _refuse_type(analysis, table, step, at, column.type, base_draft.location(at))
    return names, Recursive(local, base.closed(), step.finish().closed(), not select.all)


def _overall(analysis: Analysis, step: Draft, at: int, base: ScalarType) -> ScalarType:

    types = [base, step.types[at]]
    return common_type(analysis, types, "UNION", [-1, step.location(at)]).plain()


def _refuse_type(analysis: Analysis, table: Any, step: Draft, at: int, base: ScalarType, place: int) -> None:
    overall = _overall(analysis, step, at, base)
    message = (
        f'recursive query "{table.ctename}" column {at + 1} has type {type_text(base)} in non-recursive term '
        f"but type {type_text(overall)} overall"
    )
    hint = "Cast the output of the non-recursive term to the correct type."
    raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, place, hint=hint)


def bound(relation: Relation, bindings: list[tuple[int, Relation]]) -> Relation:
    """The relation within the bindings that it uses."""
    for local, value in reversed(bindings):
        if any(isinstance(node, LocalGet) and node.local_id == local for node in walk_relation(relation)):
            relation = Let(local, value, relation)
    return relation


class WithDraft:
    """A query behind WITH."""

    def __init__(self, analysis: Analysis, select: Any, environment: Environment, draft_body: DraftQuery) -> None:
        from planner.sql.query import draft_query

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
