"""CREATE, ALTER and DROP of ROLE, USER and GROUP; settings of roles, of databases and of the system."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from planner.plans.objects import RoleRef
from planner.plans.roles import (
    AlterRolePlan,
    CreateRolePlan,
    DropRolePlan,
    RoleAttribute,
    RoleOptions,
    RoleSettingPlan,
    SystemSettingPlan,
)
from planner.plans.session import ResetAllPlan, SetVariablePlan
from planner.scope.analysis import Analysis
from planner.statements.roles.role_names import role_ref, role_refs
from planner.statements.session.variables import plan_set_node
from planner.syntax.parse import ParsedStatement

_BOOLEANS = {
    "superuser": "superuser",
    "createrole": "createrole",
    "createdb": "createdb",
    "canlogin": "login",
    "inherit": "inherit",
    "isreplication": "replication",
    "bypassrls": "bypass_row_security",
}
_MEMBERS = {"addroleto": "in_roles", "rolemembers": "members", "adminmembers": "admins"}


def plan_create(analysis: Analysis, statement: ParsedStatement) -> CreateRolePlan:
    node = statement.node
    options = _options(analysis, node.options)
    if node.stmt_type == tree.ROLESTMT_USER and all(name != "login" for name, _ in options.attributes):
        attributes = (*options.attributes, ("login", True))
        options = RoleOptions(attributes, options.password, options.in_roles, options.members, options.admins)
    return CreateRolePlan(node.role, options)


def plan_alter(analysis: Analysis, statement: ParsedStatement) -> AlterRolePlan:
    node = statement.node
    return AlterRolePlan(role_ref(node.role), _options(analysis, node.options), remove=node.action < 0)


def plan_drop(analysis: Analysis, statement: ParsedStatement) -> DropRolePlan:
    return DropRolePlan(role_refs(statement.node.roles), statement.node.missing_ok)


def plan_settings(analysis: Analysis, statement: ParsedStatement) -> RoleSettingPlan:
    """Plans ALTER ROLE … [IN DATABASE …] SET."""
    node = statement.node
    role = role_ref(node.role) if node.HasField("role") else None
    return _setting(analysis, role, node.database or None, node.setstmt)


def plan_database_settings(analysis: Analysis, statement: ParsedStatement) -> RoleSettingPlan:
    """Plans ALTER DATABASE … SET."""
    return _setting(analysis, None, statement.node.dbname, statement.node.setstmt)


def plan_system_settings(analysis: Analysis, statement: ParsedStatement) -> SystemSettingPlan:
    """Plans ALTER SYSTEM SET and RESET."""
    match plan_set_node(analysis, statement.node.setstmt):
        case SetVariablePlan(name=name, value=value):
            return SystemSettingPlan(name.lower(), value)
        case ResetAllPlan():
            return SystemSettingPlan(None, None)
        case _:
            raise analysis.unsupported("this form of ALTER SYSTEM")


def _setting(analysis: Analysis, role: RoleRef | None, database: str | None, node: Any) -> RoleSettingPlan:
    match plan_set_node(analysis, node):
        case SetVariablePlan(name=name, value=value):
            return RoleSettingPlan(role, database, name.lower(), value)
        case ResetAllPlan():
            return RoleSettingPlan(role, database, None, None)
        case _:
            raise analysis.unsupported("this form of ALTER ROLE … SET")


def _options(analysis: Analysis, nodes: Iterable[Any]) -> RoleOptions:
    attributes: list[RoleAttribute] = []
    members: dict[str, tuple[RoleRef, ...]] = {}
    password: str | None = None
    given: set[str] = set()
    for node in nodes:
        option = node.def_elem
        name = option.defname
        if name in given:
            raise analysis.error(Sqlstate.SYNTAX_ERROR, "conflicting or redundant options", option.location)
        given.add(name)
        if name in _BOOLEANS:
            attributes.append((_BOOLEANS[name], option.arg.boolean.boolval))
        elif name == "connectionlimit":
            attributes.append(("connection_limit", _limit(analysis, option.arg.integer.ival)))
        elif name == "validUntil":
            attributes.append(("valid_until", _until(analysis, option)))
        elif name in _MEMBERS:
            members[_MEMBERS[name]] = role_refs(option.arg.list.items)
        elif name == "password":
            password = option.arg.string.sval if option.HasField("arg") else ""
        elif name != "sysid":
            raise analysis.unsupported(f"the role option {name}", option.location)
    named = (members.get(key, ()) for key in ("in_roles", "members", "admins"))
    return RoleOptions(tuple(attributes), password, *named)


def _limit(analysis: Analysis, limit: int) -> int:
    if limit < -1:
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, f"invalid connection limit: {limit}")
    return limit


def _until(analysis: Analysis, option: Any) -> str | None:
    """Returns the text of a moment, checked; how it is meant depends on the session's time zone, which is read
    there."""
    return str(option.arg.string.sval) if option.HasField("arg") else None
