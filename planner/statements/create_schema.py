"""CREATE SCHEMA, CREATE DATABASE."""

from __future__ import annotations

from planner.plans.objects import CreateDatabasePlan, CreateSchemaPlan, RoleRef, RoleWord
from planner.scope.analysis import Analysis
from planner.statements.roles.role_names import role_ref
from planner.syntax.parse import ParsedStatement

_IGNORED_OPTIONS = frozenset(
    ("encoding", "template", "locale", "lc_collate", "lc_ctype", "connection_limit", "tablespace")
)


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateSchemaPlan:
    node = statement.node
    if node.schema_elts:
        raise analysis.unsupported("CREATE SCHEMA with its objects in one statement")
    owner = role_ref(node.authrole) if node.HasField("authrole") else None
    return CreateSchemaPlan(analysis.context.database, node.schemaname, node.if_not_exists, owner)


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
