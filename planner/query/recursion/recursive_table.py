"""WITH RECURSIVE: a fixpoint of what is made of the rows added last."""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType, declared_type, type_text
from planner.functions.signature import CastContext
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Recursive, Relation
from planner.query.recursion.search_cycle import step_with, tracking_of
from planner.scope.analysis import Analysis
from planner.scope.bindings import DraftQuery
from planner.scope.draft import Draft
from planner.scope.environment import CommonTable, QueryEnvironment
from planner.scope.names import strings
from planner.types.coercion import common_type
from planner.types.comparability import check_equality


def column_names(analysis: Analysis, table: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    given = strings(table.aliascolnames)
    if len(given) > len(names):
        message = f'WITH query "{table.ctename}" has {len(names)} columns available but {len(given)} columns specified'
        raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, table.location)
    return (*given, *names[len(given) :])


def plan_recursive(
    analysis: Analysis, table: Any, environment: QueryEnvironment, draft: DraftQuery
) -> tuple[tuple[str, ...], Relation]:
    """Plans base UNION [ALL] step; the base alone decides the column types, and the step must yield them."""
    select = table.ctequery.select_stmt
    if select.sort_clause or select.HasField("limit_count") or select.HasField("limit_offset"):
        raise analysis.unsupported("ORDER BY, LIMIT and OFFSET in a recursive query", table.location)
    base_draft = draft(analysis, select.larg, environment)
    base = base_draft.finish()
    names = column_names(analysis, table, base.names)
    local = analysis.next_local_id()
    columns = tuple(ColumnDesc(n, declared_type(c.type)) for n, c in zip(names, base.desc.columns, strict=True))
    first, second = base.closed(), select.rarg
    passed: tuple[ColumnDesc, ...] = ()
    tracking = tracking_of(analysis, table, columns, environment)
    if tracking is not None:
        first, passed = tracking.base(first), tracking.columns
        second = step_with(analysis, table, passed)
    desc = RelationDesc((*columns, *passed))
    itself = CommonTable(table.ctename, local, desc, hidden=len(passed))
    step = draft(analysis, second, environment.having(itself))
    if len(step.names) != desc.arity:
        message = "each UNION query must have the same number of columns"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, step.location(0) if step.names else -1)
    for at, column in enumerate(columns):
        if declared_type(_overall(analysis, step, at, column.type)) != column.type:
            _refuse_type(analysis, table, step, at, column.type, base_draft.location(at))
        if not select.all:
            check_equality(analysis, column.type, base_draft.location(at))
        if not step.cast(at, column.type, CastContext.IMPLICIT):
            _refuse_type(analysis, table, step, at, column.type, base_draft.location(at))
    stepped = step.finish().closed()
    if tracking is None:
        return names, Recursive(local, first, stepped, not select.all)
    relation = tracking.shown(Recursive(local, first, tracking.step(stepped), not select.all))
    return (*names, *relation_desc_of(relation).names[len(names) :]), relation


def _overall(analysis: Analysis, step: Draft, at: int, base: ScalarType) -> ScalarType:
    """Returns the type that UNION would choose; it has a modifier where both sides have the same."""
    return common_type(analysis, [base, step.types[at]], "UNION", [-1, step.location(at)])


def _refuse_type(analysis: Analysis, table: Any, step: Draft, at: int, base: ScalarType, place: int) -> None:
    overall = _overall(analysis, step, at, base)
    message = (
        f'recursive query "{table.ctename}" column {at + 1} has type {type_text(base)} in non-recursive term '
        f"but type {type_text(overall)} overall"
    )
    hint = "Cast the output of the non-recursive term to the correct type."
    raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, place, hint=hint)
