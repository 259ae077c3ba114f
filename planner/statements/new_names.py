"""Names of objects to be made: the schema they go to.

Temporary relations go to schema pg_temp, whatever the session's is called, or will be: the catalog knows."""

from __future__ import annotations

from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import QualifiedName
from planner.scope.analysis import Analysis
from planner.syntax.own_statements import Place
from planner.temporary_schema import ALIAS, is_temporary, named_schemas, own_schema

_SYSTEM_SCHEMAS = frozenset(("pg_catalog", "information_schema", "mz_catalog", "mz_internal"))


def new_relation_name(analysis: Analysis, node: Any) -> QualifiedName:
    """Returns the full name of a new table or view."""
    parts = tuple(part for part in (node.catalogname, node.schemaname, node.relname) if part)
    temporary = node.relpersistence == "t"
    if temporary and len(parts) == 1:
        return QualifiedName(analysis.context.database, ALIAS, node.relname)
    name = _new_name(analysis, parts, node.location)
    if name.schema == ALIAS:
        if node.relpersistence == "u":
            raise _misplaced(analysis, "only temporary relations may be created in temporary schemas")
    elif is_temporary(name.schema):
        raise _misplaced(analysis, "cannot create relations in temporary schemas of other sessions")
    elif temporary:
        raise _misplaced(analysis, "cannot create temporary relation in non-temporary schema")
    elif name.schema in _SYSTEM_SCHEMAS:
        raise _system_schema(analysis, name)
    return name


def temporary_view_name(analysis: Analysis, node: Any) -> QualifiedName:
    """Returns the full name of a view that becomes temporary because of what it reads; raises 42P16 when another
    schema was given."""
    if node.schemaname:
        raise _misplaced(analysis, "cannot create temporary relation in non-temporary schema")
    return QualifiedName(analysis.context.database, ALIAS, node.relname)


def new_object_name(analysis: Analysis, parts: tuple[str, ...], location: int = -1) -> QualifiedName:
    """Returns the full name of a new type or other object."""
    name = _new_name(analysis, parts, location)
    if name.schema == ALIAS or is_temporary(name.schema):
        raise analysis.unsupported("a temporary type", location)
    if name.schema in _SYSTEM_SCHEMAS:
        raise _system_schema(analysis, name)
    return name


def progress_name(analysis: Analysis, place: Place | None, of: QualifiedName, kind: str) -> QualifiedName | None:
    """Returns the name given by EXPOSE PROGRESS AS, in the schema of the source or sink."""
    if place is None:
        return None
    name = new_object_name(analysis, place.parts, place.location)
    if name.schema != of.schema and len(place.parts) > 1:
        message = f"a {kind} progress relation is in the schema of its {kind}"
        raise analysis.error(Sqlstate.INVALID_SCHEMA_NAME, message, place.location)
    return QualifiedName(of.database, of.schema, name.name)


def _new_name(analysis: Analysis, parts: tuple[str, ...], location: int) -> QualifiedName:
    """Reads `[[database.]schema.]name`: in the schema named, else in the first of the search path that exists."""
    context = analysis.context
    *qualifiers, name = parts
    database = qualifiers[0] if len(qualifiers) > 1 else context.database
    if database != context.database:
        message = f'cross-database references are not implemented: "{".".join(parts)}"'
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location)
    present = context.catalog.schemas(database)
    if qualifiers:
        schema = ALIAS if qualifiers[-1] == own_schema(context.search_path) else qualifiers[-1]
        if schema not in present and schema != ALIAS:
            message = f'schema "{schema}" does not exist'
            raise analysis.error(Sqlstate.INVALID_SCHEMA_NAME, message, location)
    else:
        named = [path for path in named_schemas(context.search_path) if path not in _SYSTEM_SCHEMAS]
        usable = [path for path in named if path in present or path == ALIAS]
        if not usable:
            message = "no schema has been selected to create in"
            raise analysis.error(Sqlstate.INVALID_SCHEMA_NAME, message, location)
        schema = usable[0]
    return QualifiedName(database, schema, name)


def _misplaced(analysis: Analysis, message: str) -> SqlError:
    return analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, message)


def _system_schema(analysis: Analysis, name: QualifiedName) -> SqlError:
    message = f'permission denied to create "{name.schema}.{name.name}"'
    detail = "System catalog modifications are currently disallowed."
    return analysis.error(Sqlstate.INSUFFICIENT_PRIVILEGE, message, detail=detail)
