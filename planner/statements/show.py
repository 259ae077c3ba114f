"""SHOW of settings and of catalog objects; the latter are queries over mz_catalog."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import TEXT
from planner.catalog_view import ItemView
from planner.plans.plan import Plan
from planner.plans.queries import SelectPlan
from planner.plans.session import ShowVariablePlan
from planner.query.kept_expressions import new_analysis
from planner.query.query import plan_query
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.syntax.own_statements import SHOW_KINDS, ShowObjects
from planner.syntax.parse import ParsedStatement, parse
from planner.temporary_schema import named_schemas, own_name

_IN_SCHEMA = """
    SELECT o.name AS name FROM {relation} o
    JOIN mz_catalog.mz_schemas s ON s.id = o.schema_id
    LEFT JOIN mz_catalog.mz_databases d ON d.id = s.database_id
    WHERE s.name = {schema} AND (d.name IS NULL OR d.name = pg_catalog.current_database()){like} ORDER BY 1
"""
_CONNECTIONS = """
    SELECT o.name AS name, o.type AS type FROM mz_catalog.mz_connections o
    JOIN mz_catalog.mz_schemas s ON s.id = o.schema_id
    LEFT JOIN mz_catalog.mz_databases d ON d.id = s.database_id
    WHERE s.name = {schema} AND (d.name IS NULL OR d.name = pg_catalog.current_database()){like} ORDER BY 1
"""
_OBJECTS = """
    SELECT o.name AS name, o.type AS type FROM mz_catalog.mz_objects o
    JOIN mz_catalog.mz_schemas s ON s.id = o.schema_id
    LEFT JOIN mz_catalog.mz_databases d ON d.id = s.database_id
    WHERE s.name = {schema} AND (d.name IS NULL OR d.name = pg_catalog.current_database()){like} ORDER BY 1, 2
"""
_SCHEMAS = """
    SELECT o.name AS name FROM mz_catalog.mz_schemas o
    LEFT JOIN mz_catalog.mz_databases d ON d.id = o.database_id
    WHERE (d.name IS NULL OR d.name = {database}){like} ORDER BY 1
"""
_DATABASES = "SELECT o.name AS name FROM mz_catalog.mz_databases o WHERE true{like} ORDER BY 1"
_READ_HOLDS = """
    SELECT o.name AS name, s.name || '.' || i.name AS object, o.frontier AS frontier, o.expired AS expired,
        o.replaced AS replaced, o.lease_ms * interval '1 ms' AS lease, o.expires_at AS expires_at
    FROM mz_catalog.mz_read_holds o JOIN mz_catalog.mz_objects i ON i.id = o.object_id
    JOIN mz_catalog.mz_schemas s ON s.id = i.schema_id WHERE true{like} ORDER BY 1, 2
"""
_COLUMNS = """
    SELECT a.attname::text AS name, NOT a.attnotnull AS nullable,
        pg_catalog.format_type(a.atttypid, a.atttypmod) AS type
    FROM pg_catalog.pg_attribute a WHERE a.attrelid = {oid}::oid AND a.attnum > 0{like} ORDER BY a.attnum
"""
_INDEXES = """
    SELECT o.name AS name, r.name AS "on", x.name AS cluster, ARRAY(
        SELECT coalesce(k.on_expression, c.name) FROM mz_catalog.mz_index_columns k
        LEFT JOIN mz_catalog.mz_columns c ON c.id = o.on_id AND c.position = k.on_position
        WHERE k.index_id = o.id ORDER BY k.index_position
    ) AS key
    FROM mz_catalog.mz_indexes o JOIN mz_catalog.mz_relations r ON r.id = o.on_id
    JOIN mz_catalog.mz_clusters x ON x.id = o.cluster_id
    JOIN mz_catalog.mz_schemas s ON s.id = r.schema_id
    LEFT JOIN mz_catalog.mz_databases d ON d.id = s.database_id
    WHERE {which} AND (d.name IS NULL OR d.name = pg_catalog.current_database()){like} ORDER BY 1
"""
_CREATE = """
    SELECT {name}::text AS name, o.create_sql AS create_sql FROM {relation} o WHERE o.id = {id}
"""
_TYPES = """
    SELECT o.name AS name FROM mz_catalog.mz_types o
    JOIN mz_catalog.mz_schemas s ON s.id = o.schema_id
    LEFT JOIN mz_catalog.mz_databases d ON d.id = s.database_id
    WHERE s.name = {schema} AND (d.name IS NULL OR d.name = pg_catalog.current_database())
        AND o.category <> 'array'{like} ORDER BY 1
"""
_CLUSTERS = """
    SELECT o.name AS name, (
        SELECT pg_catalog.string_agg(r.name, ', ' ORDER BY r.name) FROM mz_catalog.mz_cluster_replicas r
        WHERE r.cluster_id = o.id
    ) AS replicas
    FROM mz_catalog.mz_clusters o WHERE true{like} ORDER BY 1
"""
_CLUSTER_REPLICAS = """
    SELECT c.name AS cluster, o.name AS replica, o.size AS size, coalesce(s.status = 'ready', false) AS ready
    FROM mz_catalog.mz_cluster_replicas o JOIN mz_catalog.mz_clusters c ON c.id = o.cluster_id
    LEFT JOIN mz_internal.mz_cluster_replica_statuses s ON s.replica_id = o.id WHERE true{like} ORDER BY 1, 2
"""
_ROLES = "SELECT o.name AS name FROM mz_catalog.mz_roles o WHERE true{like} ORDER BY 1"
_NOTHING = "SELECT NULL::text AS name WHERE false"
_SOURCES = """
    SELECT o.name AS name, o.type AS type, x.name AS cluster, coalesce(t.status, 'starting') AS status
    FROM mz_catalog.mz_sources o JOIN mz_catalog.mz_schemas s ON s.id = o.schema_id
    LEFT JOIN mz_catalog.mz_clusters x ON x.id = o.cluster_id
    LEFT JOIN mz_catalog.mz_databases d ON d.id = s.database_id
    LEFT JOIN mz_internal.mz_source_statuses t ON t.id = o.id
    WHERE s.name = {schema} AND (d.name IS NULL OR d.name = pg_catalog.current_database()){like} ORDER BY 1
"""
_SINKS = """
    SELECT o.name AS name, o.type AS type, x.name AS cluster, coalesce(t.status, 'starting') AS status
    FROM mz_catalog.mz_sinks o JOIN mz_catalog.mz_schemas s ON s.id = o.schema_id
    LEFT JOIN mz_catalog.mz_clusters x ON x.id = o.cluster_id
    LEFT JOIN mz_catalog.mz_databases d ON d.id = s.database_id
    LEFT JOIN mz_internal.mz_sink_statuses t ON t.id = o.id
    WHERE s.name = {schema} AND (d.name IS NULL OR d.name = pg_catalog.current_database()){like} ORDER BY 1
"""
_WHOLE = {
    "databases": _DATABASES,
    "read holds": _READ_HOLDS,
    "clusters": _CLUSTERS,
    "cluster replicas": _CLUSTER_REPLICAS,
    "roles": _ROLES,
}
"""Of what no schema holds."""
_RELATIONS = {
    "tables": "mz_catalog.mz_tables",
    "views": "mz_catalog.mz_views",
    "materialized views": "mz_catalog.mz_materialized_views",
    "indexes": "mz_catalog.mz_indexes",
    "secrets": "mz_catalog.mz_secrets",
    "connections": "mz_catalog.mz_connections",
    "sources": "mz_catalog.mz_sources",
    "sinks": "mz_catalog.mz_sinks",
}
_CREATED = {
    "table": "tables",
    "view": "views",
    "materialized view": "materialized views",
    "index": "indexes",
    "connection": "connections",
    "source": "sources",
    "sink": "sinks",
}


_UNREAD = ("connection", "sink")
"""What is no relation."""


def variable_desc(name: str) -> RelationDesc:
    """Describes the result of SHOW of a setting: text, under the setting's name."""
    if name == "all":
        return relation_desc(("name", TEXT), ("setting", TEXT), ("description", TEXT))
    return relation_desc((_DISPLAYED.get(name, name), TEXT))


_DISPLAYED = {
    "timezone": "TimeZone",
    "datestyle": "DateStyle",
    "intervalstyle": "IntervalStyle",
}


def plan(analysis: Analysis, statement: ParsedStatement) -> Plan:
    show = statement.extension.show
    name = statement.node.name
    if show is None:
        if name not in SHOW_KINDS:
            return ShowVariablePlan(name)
        show = ShowObjects(name)
    return plan_objects(analysis, show)


def plan_objects(analysis: Analysis, show: ShowObjects) -> SelectPlan:
    """Plans the query that answers a SHOW of objects."""
    sql = _query(analysis, show)
    inner = new_analysis(analysis.context, sql)
    return SelectPlan(plan_query(inner, parse(sql)[0].node, QueryEnvironment()).finished())


def _query(analysis: Analysis, show: ShowObjects) -> str:
    like = (
        ""
        if show.like is None
        else f" AND {'a.attname' if show.kind == 'columns' else 'o.name'} LIKE {_quoted(show.like)}"
    )
    match show.kind:
        case "connections":
            return _CONNECTIONS.format(schema=_schema(analysis, show), like=like)
        case "tables" | "views" | "materialized views" | "secrets":
            return _IN_SCHEMA.format(relation=_RELATIONS[show.kind], schema=_schema(analysis, show), like=like)
        case "indexes":
            which = f"o.on_id = {_quoted(str(_item(analysis, show).id))}" if show.on else None
            return _INDEXES.format(which=which or f"s.name = {_schema(analysis, show)}", like=like)
        case "sources":
            return _SOURCES.format(schema=_schema(analysis, show), like=like)
        case "sinks":
            return _SINKS.format(schema=_schema(analysis, show), like=like)
        case "objects":
            return _OBJECTS.format(schema=_schema(analysis, show), like=like)
        case "schemas":
            database = show.name[-1] if show.name else analysis.context.database
            return _SCHEMAS.format(database=_quoted(database), like=like)
        case "types":
            return _TYPES.format(schema=_schema(analysis, show), like=like)
        case kind if kind in _WHOLE:
            return _WHOLE[kind].format(like=like)
        case "columns":
            return _COLUMNS.format(oid=_item(analysis, show).oid, like=like)
        case "create":
            return _create(analysis, show)
        case _:
            return _NOTHING


def _create(analysis: Analysis, show: ShowObjects) -> str:
    item = _item(analysis, show)
    assert show.create is not None
    if item.kind.value != show.create:
        article = "an" if show.create == "index" else "a"
        message = f'"{item.name.name}" is not {article} {show.create}'
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, message)
    name = f"{item.name.database}.{item.name.schema}.{item.name.name}"
    return _CREATE.format(name=_quoted(name), relation=_RELATIONS[_CREATED[show.create]], id=_quoted(str(item.id)))


def _item(analysis: Analysis, show: ShowObjects) -> ItemView:
    context = analysis.context
    item = None
    if show.name:
        resolve = context.catalog.resolve_access if show.create in _UNREAD else context.catalog.resolve_item
        item = resolve(show.name, context.search_path, context.database)
    if item is None and show.create in _UNREAD:
        message = f'{show.create} "{".".join(show.name)}" does not exist'
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, message)
    if item is None:
        message = f'relation "{".".join(show.name)}" does not exist'
        raise SqlError(Sqlstate.UNDEFINED_TABLE, message)
    return item


def _schema(analysis: Analysis, show: ShowObjects) -> str:
    if show.name:
        return _quoted(own_name(show.name[-1], analysis.context.search_path))
    present = analysis.context.catalog.schemas(analysis.context.database)
    return _quoted(next((name for name in named_schemas(analysis.context.search_path) if name in present), "public"))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
