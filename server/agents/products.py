"""Statements about data products: what is kept up to date, materialized views and views with an index."""

from __future__ import annotations

from collections.abc import Mapping

from model.errors.deep_recursion import too_deep
from planner.functions.text.quoting import quote_identifier
from planner.syntax.parse import parse
from server.api.sql_requests import SqlQuery
from server.planning.long_texts import apart

_PRODUCTS = """
SELECT n.nspname AS schema, c.relname AS name,
       CASE c.relkind WHEN 'm' THEN 'materialized view' ELSE 'indexed view' END AS kind,
       pg_catalog.obj_description(c.oid, 'pg_class') AS description
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE (c.relkind = 'm' OR (c.relkind = 'v' AND c.oid IN (
           SELECT o.oid FROM mz_catalog.mz_indexes AS i JOIN mz_catalog.mz_objects AS o ON o.id = i.on_id)))
   AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'mz_catalog', 'mz_internal')
   AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
"""
LIST = SqlQuery(_PRODUCTS + " ORDER BY 1, 2")
_ONE = f"(SELECT * FROM ({_PRODUCTS}) AS p WHERE p.schema = $1 AND p.name = $2)"
_OID = """(SELECT c.oid FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('m', 'v'))"""
_COLUMNS = f"""
SELECT a.attname AS name, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS not_null,
       pg_catalog.col_description(a.attrelid, a.attnum) AS description
  FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = {_OID} AND a.attnum > 0 AND NOT a.attisdropped
 ORDER BY a.attnum
"""
_KEYS = f"""
SELECT i.name AS index, pg_catalog.array_agg(coalesce(a.attname, c.on_expression) ORDER BY c.index_position) AS key
  FROM mz_catalog.mz_indexes AS i
  JOIN mz_catalog.mz_objects AS o ON o.id = i.on_id
  JOIN mz_catalog.mz_index_columns AS c ON c.index_id = i.id
  LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = o.oid AND a.attnum = c.on_position
 WHERE o.oid = {_OID} GROUP BY i.id, i.name ORDER BY i.name
"""
_FRESHNESS = f"""
SELECT s.status, s.reason, h.hydrated, l.global_lag AS lag,
       f.read_frontier AS readable_from, f.write_frontier AS complete_before
  FROM (SELECT o.id FROM mz_catalog.mz_objects AS o WHERE o.oid = {_OID}
        UNION SELECT i.id FROM mz_catalog.mz_indexes AS i JOIN mz_catalog.mz_objects AS o ON o.id = i.on_id
        WHERE o.oid = {_OID}) AS m
  JOIN mz_internal.mz_dataflow_statuses AS s ON s.object_id = m.id
  LEFT JOIN mz_internal.mz_hydration_statuses AS h ON h.object_id = m.id
  LEFT JOIN mz_internal.mz_materialization_lag AS l ON l.object_id = m.id
  LEFT JOIN mz_internal.mz_frontiers AS f ON f.object_id = m.id
"""
DETAILS: Mapping[str, str] = {"product": _ONE[1:-1], "columns": _COLUMNS, "keys": _KEYS, "freshness": _FRESHNESS}
"""What is told of one data product: statements with its schema as $1 and its name as $2."""


def qualified(schema: str, name: str) -> str:
    """Returns an object's name as SQL."""
    return f"{quote_identifier(schema)}.{quote_identifier(name)}"


async def at_time(sql: str, as_of_ms: int | None) -> str:
    """Returns a query that reads as of a time, if one is given. Raises SqlError 42601 for a text that can't be read."""
    if as_of_ms is None:
        return sql
    try:
        statements = await apart(sql, parse, sql)
    except RecursionError:
        raise too_deep() from None
    # The clause stands before the semicolon, and before comments behind that. Several statements are refused later.
    return _as_of(statements[0].text if len(statements) == 1 else sql, as_of_ms)


def _as_of(sql: str, as_of_ms: int | None) -> str:
    # A comment at the end must not take the clause.
    return sql if as_of_ms is None else f"{sql}\nAS OF {as_of_ms}"


def read_by_key(schema: str, name: str, key: Mapping[str, str | None], rows_max: int, as_of_ms: int | None) -> SqlQuery:
    """Returns the query of the rows whose columns have the key's values; one row more than are shown tells that there
    are more."""
    conditions: list[str] = []
    values: list[str | None] = []
    for column, value in key.items():
        if value is None:
            conditions.append(f"{quote_identifier(column)} IS NULL")
        else:
            values.append(value)
            conditions.append(f"{quote_identifier(column)} = ${len(values)}")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = f"SELECT * FROM {qualified(schema, name)}{where} LIMIT {rows_max + 1}"
    return SqlQuery(_as_of(sql, as_of_ms), tuple(values))
