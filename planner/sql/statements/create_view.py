"""CREATE VIEW. The view's text is kept with every relation's schema written out, so that it means the same for ever."""

from __future__ import annotations

from postgast import pg_query_pb2 as tree

from model.sqlstate import Sqlstate
from planner.plans import CreateViewPlan
from planner.sql.analysis import Analysis
from planner.sql.environment import Environment
from planner.sql.names import strings
from planner.sql.parse import ParsedStatement
from planner.sql.query import plan_query
from planner.sql.statements.inner_text import text_after
from planner.sql.statements.new_names import (
    new_relation_name,
    qualified,
    quoted,
)


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateViewPlan:
    node = statement.node
    name = new_relation_name(analysis, node.view)
    if node.with_check_option != tree.NO_CHECK_OPTION or node.options:
        raise analysis.unsupported("a view's options")
    query = plan_query(analysis, node.query, Environment()).finished()
    if analysis.parameter_types:
        message = "there is no parameter $1"
        raise analysis.error(Sqlstate.UNDEFINED_PARAMETER, message, analysis.parameter_places[1])
    given = strings(node.aliases)
    if len(given) > query.desc.arity:
        raise analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, "CREATE VIEW specifies more column names than columns")
    columns = (*given, *query.desc.names[len(given) :])
    _check_columns(analysis, columns)
    listed = f" ({', '.join(map(quoted, columns))})" if given else ""
    sql = f"CREATE VIEW {qualified(name.schema, name.name)}{listed} AS {_qualified_query(analysis, statement)}"
    return CreateViewPlan(name, query, columns, frozenset(analysis.depends_on), node.replace, False, sql)


def _check_columns(analysis: Analysis, columns: tuple[str, ...]) -> None:
    for at, column in enumerate(columns):
        if column in columns[:at]:
            message = f'column "{column}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message)


def _qualified_query(analysis: Analysis, statement: ParsedStatement) -> str:
    """The query's own text, with the schema put before each name that lacks it."""
    query = text_after(statement, "as")
    data = statement.source.encode()
    begin = len(statement.source[: statement.offset].encode())
    end = begin + len(statement.text.encode())
    start = data.rindex(query.encode(), begin, end)
    pieces: list[bytes] = []
    at = start
    for (location, parts), item in sorted(analysis.used_items.items()):
        if parts == 1 and start <= location < end:
            pieces.append(data[at:location])
            pieces.append((quoted(item.name.schema) + ".").encode())
            at = location
    pieces.append(data[at:end])
    return b"".join(pieces).decode().strip()
