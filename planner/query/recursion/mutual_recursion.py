"""WITH MUTUALLY RECURSIVE: queries with declared columns, so that each may read any of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType, type_text
from planner.functions.signature import CastContext
from planner.ir.relation import RecursiveBinding, Relation
from planner.scope.analysis import Analysis
from planner.scope.bindings import Binding, DraftQuery, let_recursive
from planner.scope.environment import CommonTable, QueryEnvironment
from planner.scope.names import strings
from planner.syntax.extensions import MutualRecursion
from planner.types.type_names import type_from_node


def bind_mutually(
    analysis: Analysis, clause: Any, mutual: MutualRecursion, environment: QueryEnvironment, draft: DraftQuery
) -> tuple[QueryEnvironment, Binding]:
    """Returns the environment of the body, which is that of the queries too."""
    tables = [node.common_table_expr for node in clause.ctes]
    declared = [_declared(analysis, *pair) for pair in zip(tables, mutual.types, strict=True)]
    for common in declared:
        environment = environment.having(common)
    bindings = tuple(
        RecursiveBinding(common.local_id, common.desc, _value(analysis, table, common, environment, draft))
        for table, common in zip(tables, declared, strict=True)
    )
    return environment, let_recursive(bindings, mutual.limit)


def _declared(analysis: Analysis, table: Any, types: Iterable[Any]) -> CommonTable:
    columns: list[ColumnDesc] = []
    for name, type_ in zip(strings(table.aliascolnames), types, strict=True):
        if any(column.name == name for column in columns):
            message = f'column "{name}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message, table.location)
        columns.append(ColumnDesc(name, type_from_node(analysis, type_)))
    return CommonTable(table.ctename, analysis.next_local_id(), RelationDesc(tuple(columns)))


def _value(
    analysis: Analysis, table: Any, common: CommonTable, environment: QueryEnvironment, draft: DraftQuery
) -> Relation:
    """Returns the query's rows, cast to what is declared as INSERT would cast them."""
    if table.ctequery.WhichOneof("node") != "select_stmt":
        raise analysis.unsupported("a data-modifying statement in WITH MUTUALLY RECURSIVE", table.location)
    query = draft(analysis, table.ctequery.select_stmt, environment)
    if len(query.types) != common.desc.arity:
        _refuse(analysis, common, query.types, table.location)
    for at, type_ in enumerate(common.desc.types):
        before = query.types
        if not query.cast(at, type_, CastContext.ASSIGNMENT):
            _refuse(analysis, common, before, query.location(at))
    return query.finish().closed()


def _refuse(analysis: Analysis, common: CommonTable, types: tuple[ScalarType, ...], location: int) -> None:
    declared, found = (", ".join(map(type_text, each)) for each in (common.desc.types, types))
    message = (
        f'WITH MUTUALLY RECURSIVE query "{common.name}" declared types ({declared}), but query returns types ({found})'
    )
    raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)
