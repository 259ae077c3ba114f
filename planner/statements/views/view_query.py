"""The common parts of views and materialized views: a query, its columns, and its text, whose meaning must never
change."""

from __future__ import annotations

from typing import Any

import postgast

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.ir.query import Query
from planner.query.query import plan_query
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.statements.inner_text import text_after
from planner.syntax.identifiers import quoted
from planner.syntax.parse import ParsedStatement
from planner.temporary_schema import is_temporary


def plan_view_query(analysis: Analysis, node: Any) -> Query:
    """Plans the query of a view, which can have no parameters."""
    query = plan_query(analysis, node, QueryEnvironment()).finished()
    if analysis.parameter_types:
        message = "there is no parameter $1"
        raise analysis.error(Sqlstate.UNDEFINED_PARAMETER, message, analysis.parameter_places[1])
    return query


def view_columns(analysis: Analysis, given: tuple[str, ...], query: Query, too_many: SqlError) -> tuple[str, ...]:
    """Returns the names of a view's columns; `too_many` when more are given than there are, 42701 when one stands
    twice."""
    if len(given) > query.desc.arity:
        raise too_many
    columns = (*given, *query.desc.names[len(given) :])
    for at, column in enumerate(columns):
        if column in columns[:at]:
            message = f'column "{column}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message)
    return columns


def names_temporary_relations(analysis: Analysis) -> bool:
    """Tells whether the planned query reads temporary relations, which end with their session."""
    items = map(analysis.context.catalog.item, analysis.depends_on)
    return any(item is not None and is_temporary(item.name.schema) for item in items)


def qualified_query(analysis: Analysis, statement: ParsedStatement) -> str:
    """Returns the query's own text, with the schema put before each name that lacks it."""
    query = _without_last_clause(text_after(statement, "as"))
    data = statement.source.encode()
    begin = len(statement.source[: statement.offset].encode())
    start = data.rindex(query.encode(), begin, begin + len(statement.text.encode()))
    end = start + len(query.encode())
    pieces: list[bytes] = []
    at = start
    for (location, parts), item in sorted(analysis.used_items.items(), key=lambda used: used[0]):
        if parts == 1 and start <= location < end:
            pieces.append(data[at:location])
            pieces.append((quoted(item.name.schema) + ".").encode())
            at = location
    pieces.append(data[at:end])
    return b"".join(pieces).decode().strip()


_LAST_CLAUSES = tuple(
    clause.encode().split()
    for clause in (
        "with no data",
        "with data",
        "with check option",
        "with local check option",
        "with cascaded check option",
    )
)


def _without_last_clause(query: str) -> str:
    """Returns the text before WITH [NO] DATA or WITH CHECK OPTION, which a query by itself never ends with."""
    data = query.encode()
    words = list(postgast.scan(query).tokens)
    texts = [data[word.start : word.end].lower() for word in words]
    for clause in _LAST_CLAUSES:
        if texts[-len(clause) :] == clause:
            return data[: words[-len(clause)].start].decode().rstrip()
    return query
