"""CREATE TABLE … AS and SELECT … INTO: a table with a query's columns, and the query's rows in it."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType, declared_type
from planner.ir.query import Query
from planner.plans.plan import Plan
from planner.plans.tables import ColumnDefinition, CreateTableAsPlan, CreateTablePlan
from planner.query.query import plan_query
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import strings
from planner.statements.changes.generating import with_decimals_of_rows
from planner.statements.history_interval import retain_history_ms
from planner.statements.new_names import new_relation_name
from planner.statements.tables.create_table import create_table_sql, on_commit, pseudo_type, refuse_name
from planner.statements.tables.storage_parameters import check_table_parameters
from planner.statements.views import create_materialized_view
from planner.syntax.identifiers import qualified
from planner.syntax.parse import ParsedStatement


def plan(analysis: Analysis, statement: ParsedStatement) -> Plan:
    """Plans CREATE TABLE AS, or a materialized view, which is made by the same syntax."""
    node = statement.node
    if node.objtype == tree.OBJECT_MATVIEW:
        return create_materialized_view.plan(analysis, statement)
    if node.query.WhichOneof("node") != "select_stmt":
        raise analysis.unsupported("CREATE TABLE AS EXECUTE", hint="Use CREATE TABLE AS with the query itself.")
    return _plan(analysis, statement, node.query.select_stmt, node.into, node.if_not_exists)


def plan_select_into(analysis: Analysis, statement: ParsedStatement) -> CreateTableAsPlan | None:
    """Plans SELECT … INTO; None for a query without INTO, which stands in the first SELECT of a UNION."""
    if not _first(statement.node).HasField("into_clause"):
        return None
    select = tree.SelectStmt()
    select.CopyFrom(statement.node)
    first = _first(select)
    into = tree.IntoClause()
    into.CopyFrom(first.into_clause)
    first.ClearField("into_clause")
    return _plan(analysis, statement, select, into, False)


def _first(select: Any) -> Any:
    while select.op != tree.SETOP_NONE:
        select = select.larg
    return select


def _plan(
    analysis: Analysis, statement: ParsedStatement, select: Any, into: Any, if_not_exists: bool
) -> CreateTableAsPlan:
    name = new_relation_name(analysis, into.rel)
    check_table_parameters(into.options)
    analysis.locks_apart = False
    query = plan_query(analysis, select, QueryEnvironment()).finished()
    columns = _columns(analysis, query, strings(into.col_names))
    history = retain_history_ms(analysis, statement.extension)
    ending = on_commit(analysis, name, into.on_commit)
    sql = create_table_sql(qualified(name.schema, name.name), columns, statement.extension.retain_history)
    table = CreateTablePlan(name, tuple(columns), if_not_exists, history, sql, ending)
    return CreateTableAsPlan(table, with_decimals_of_rows(query), not into.skip_data)


def _columns(analysis: Analysis, query: Query, given: tuple[str, ...]) -> list[ColumnDefinition]:
    if len(given) > query.desc.arity:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "too many column names were specified")
    names = (*given, *query.desc.names[len(given) :])
    columns: list[ColumnDefinition] = []
    for name, type_ in zip(names, query.desc.types, strict=True):
        refuse_name(analysis, name)
        _check_type(analysis, name, type_)
        columns.append(ColumnDefinition(name, declared_type(type_), True, None))
    return columns


def _check_type(analysis: Analysis, name: str, type_: ScalarType) -> None:
    message = pseudo_type(name, type_)
    if message is not None:
        raise analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, message)
