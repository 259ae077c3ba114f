"""CREATE SCHEMA, with the objects that are made in the new schema, and CREATE DATABASE."""

from __future__ import annotations

from typing import Any

import postgast
from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from planner.plans.objects import CreateDatabasePlan, CreateSchemaPlan, RoleRef, RoleWord
from planner.scope.analysis import Analysis
from planner.statements.roles.role_names import role_ref
from planner.syntax.parse import ParsedStatement

_IGNORED_OPTIONS = frozenset(
    ("encoding", "template", "locale", "lc_collate", "lc_ctype", "connection_limit", "tablespace")
)

_ORDER = ("create_seq_stmt", "create_stmt", "view_stmt", "index_stmt", "grant_stmt")
"""The objects in the order in which PostgreSQL makes them."""


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateSchemaPlan:
    node = statement.node
    owner = role_ref(node.authrole) if node.HasField("authrole") else None
    place = analysis.context.database, node.schemaname, node.if_not_exists, owner
    kinds = [element.WhichOneof("node") for element in node.schema_elts]
    for kind, element in zip(kinds, node.schema_elts, strict=True):
        if kind not in _ORDER:
            raise analysis.unsupported(f"{kind.removesuffix('_stmt')} in CREATE SCHEMA")
        _require_schema(analysis, node.schemaname, element)
    ordered = sorted(zip(kinds, node.schema_elts, strict=True), key=lambda each: _ORDER.index(each[0]))
    return CreateSchemaPlan(*place, tuple(_text(element) for _, element in ordered))


def _require_schema(analysis: Analysis, schema: str, element: Any) -> None:
    """Raises 42P15 for an object that names another schema than the new one."""
    match element.WhichOneof("node"):
        case "create_seq_stmt":
            relation = element.create_seq_stmt.sequence
        case "create_stmt":
            relation = element.create_stmt.relation
        case "view_stmt":
            relation = element.view_stmt.view
        case _:
            return
    if schema and relation.schemaname and relation.schemaname != schema:
        message = f"CREATE specifies a schema ({relation.schemaname}) different from the one being created ({schema})"
        raise analysis.error(Sqlstate.INVALID_SCHEMA_DEFINITION, message)


def _text(element: Any) -> str:
    text: str = postgast.deparse(tree.ParseResult(stmts=[tree.RawStmt(stmt=element)]))
    return text


def plan_database(analysis: Analysis, statement: ParsedStatement) -> CreateDatabasePlan:
    """Plans CREATE DATABASE; options that change nothing are accepted."""
    node = statement.node
    owner = None
    for option in node.options:
        told = option.def_elem
        if told.defname == "owner":
            owner = RoleRef(RoleWord.NAME, told.arg.string.sval) if told.HasField("arg") else None
        elif told.defname not in _IGNORED_OPTIONS:
            raise analysis.unsupported(f"the database option {told.defname}", told.location)
    return CreateDatabasePlan(node.dbname, False, owner)
