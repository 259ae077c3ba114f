"""Names of objects to be made: the schema they go to, and how they are written in SQL that must mean them for ever."""

from __future__ import annotations

import re
from typing import Any

from model.sqlstate import Sqlstate
from planner.catalog_view import QualifiedName
from planner.sql.analysis import Analysis
from planner.sql.reserved_words import RESERVED

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_SYSTEM_SCHEMAS = frozenset(("pg_catalog", "information_schema", "mz_catalog", "mz_internal"))


def quoted(name: str) -> str:
    """An identifier as SQL reads it back."""
    if _PLAIN.fullmatch(name) and name not in RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


def qualified(schema: str, name: str) -> str:
    return f"{quoted(schema)}.{quoted(name)}"


def new_relation_name(analysis: Analysis, node: Any) -> QualifiedName:
    """Where a table or view goes."""
    if node.relpersistence == "t":
        raise analysis.unsupported("a temporary table", node.location)
    parts = tuple(part for part in (node.catalogname, node.schemaname, node.relname) if part)
    return new_object_name(analysis, parts, node.location)


def new_object_name(analysis: Analysis, parts: tuple[str, ...], location: int = -1) -> QualifiedName:
    """`[[database.]schema.]name` of what is to be made: in the schema named, else in the first of the search path that
    exists."""
    context = analysis.context
    *qualifiers, name = parts
    database = qualifiers[0] if len(qualifiers) > 1 else context.database
    if database != context.database:
        message = f'cross-database references are not implemented: "{".".join(parts)}"'
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location)
    present = context.catalog.schemas(database)
    if qualifiers:
        schema = qualifiers[-1]
        if schema not in present:
            message = f'schema "{schema}" does not exist'
            raise analysis.error(Sqlstate.INVALID_SCHEMA_NAME, message, location)
    else:
        usable = [path for path in context.search_path if path in present and path not in _SYSTEM_SCHEMAS]
        if not usable:
            message = "no schema has been selected to create in"
            raise analysis.error(Sqlstate.INVALID_SCHEMA_NAME, message, location)
        schema = usable[0]
    if schema in _SYSTEM_SCHEMAS:
        message = f'permission denied to create "{schema}.{name}"'
        detail = "System catalog modifications are currently disallowed."
        raise analysis.error(Sqlstate.INSUFFICIENT_PRIVILEGE, message, detail=detail)
    return QualifiedName(database, schema, name)
