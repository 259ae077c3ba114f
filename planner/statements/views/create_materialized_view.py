"""CREATE MATERIALIZED VIEW: as CREATE VIEW, with what says how it is to be kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.errors.sqlstate import Sqlstate
from planner.functions.text.quoting import quote_literal
from planner.functions.types.domains import ASSERTION
from planner.ir.query import Query
from planner.plans.views import CreateMaterializedViewPlan
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.cluster import new_cluster
from planner.statements.history_interval import retain_history_ms
from planner.statements.new_names import new_relation_name
from planner.statements.views.view_query import (
    names_temporary_relations,
    plan_view_query,
    qualified_query,
    view_columns,
)
from planner.syntax.identifiers import qualified, quoted
from planner.syntax.parse import ParsedStatement, parse
from planner.temporary_schema import ALIAS

_STRICT = "strict"


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateMaterializedViewPlan:
    node = statement.node
    into = node.into
    name = new_relation_name(analysis, into.rel)
    if name.schema == ALIAS:
        message = "cannot create temporary table within security-restricted operation"
        raise analysis.error(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
    cluster = new_cluster(analysis, statement.extension.cluster)
    if into.table_space_name or into.access_method not in ("", "heap"):
        raise analysis.unsupported("storage options of a materialized view")
    strict = _is_strict(analysis, into.options)
    query = plan_view_query(analysis, node.query)
    if names_temporary_relations(analysis):
        message = "materialized views must not use temporary tables or views"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    given = strings(into.col_names)
    too_many = analysis.error(Sqlstate.SYNTAX_ERROR, "too many column names were specified")
    columns = view_columns(analysis, given, query, too_many)
    listed = f" ({', '.join(map(quoted, columns))})" if given else ""
    title = f"CREATE MATERIALIZED VIEW {qualified(name.schema, name.name)}{listed}"
    text = qualified_query(analysis, statement)
    if statement.extension.asserted:
        text = _asserting(analysis, statement.extension.asserted, columns, text)
        query = _planned_again(analysis, text)
    return CreateMaterializedViewPlan(
        name=name,
        query=query,
        columns=columns,
        depends_on=frozenset(analysis.depends_on),
        or_replace=statement.extension.or_replace,
        if_not_exists=node.if_not_exists,
        strict=strict,
        retain_history_ms=retain_history_ms(analysis, statement.extension),
        with_data=not into.skip_data,
        create_sql=f"{title} AS {text}",
        cluster=cluster,
    )


def _asserting(analysis: Analysis, asserted: tuple[str, ...], columns: tuple[str, ...], text: str) -> str:
    """Returns a query over the query `text` that fails where an asserted column is NULL. Raises SqlError 42703,
    42701."""
    for at, column in enumerate(asserted):
        if column not in columns:
            message = f'column "{column}" in ASSERT NOT NULL option not found'
            raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message)
        if column in asserted[:at]:
            message = f'column "{column}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message)
    listed = ", ".join(
        f"pg_catalog.{ASSERTION}({quoted(column)}, {quote_literal(column)}) AS {quoted(column)}"
        if column in asserted
        else quoted(column)
        for column in columns
    )
    return f"SELECT {listed} FROM ({text}\n) AS asserted ({', '.join(map(quoted, columns))})"


def _planned_again(analysis: Analysis, text: str) -> Query:
    """Plans the query of a text that has the planned one in it."""
    (again,) = parse(text)
    fresh = replace(
        analysis,
        source=again.source,
        recursions=again.recursions,
        members=again.members,
        call_stars=again.call_stars,
        taken_stars=set(),
        used_items={},
        uses=[],
    )
    return plan_view_query(fresh, again.node)


def _is_strict(analysis: Analysis, options: Any) -> bool:
    """Reads WITH (INCREMENTAL = STRICT), the one option there is."""
    strict = False
    for option in options:
        element = option.def_elem
        if element.defname != "incremental":
            message = f'unrecognized parameter "{element.defname}"'
            raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message)
        if _word(element.arg) != _STRICT:
            message = 'invalid value for option "incremental"'
            raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, hint="The only value is STRICT.")
        strict = True
    return strict


def _word(value: Any) -> str:
    """Returns an option's value, a word or a string."""
    if value.WhichOneof("node") == "type_name":
        return value.type_name.names[-1].string.sval.lower()  # type: ignore[no-any-return]
    return value.string.sval.lower()  # type: ignore[no-any-return]
