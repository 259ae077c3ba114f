"""GRANT and REVOKE of roles and of privileges, ALTER DEFAULT PRIVILEGES."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from planner.plans.large_objects import LargeObjectGrantPlan
from planner.plans.objects import RoleRef, RoleWord
from planner.plans.roles import DefaultPrivilegesPlan, Granting, GrantPlan, GrantRolePlan, PrivilegeWord
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts, strings
from planner.statements.functions.function_names import ROUTINES, function_ref
from planner.statements.large_objects import large_object_oid
from planner.statements.roles.role_names import role_ref, role_refs
from planner.syntax.parse import ParsedStatement

_KINDS = {
    tree.OBJECT_TABLE: "table",
    tree.OBJECT_SEQUENCE: "sequence",
    tree.OBJECT_SCHEMA: "schema",
    tree.OBJECT_DATABASE: "database",
    tree.OBJECT_TYPE: "type",
    tree.OBJECT_DOMAIN: "domain",
    tree.OBJECT_FUNCTION: "function",
    tree.OBJECT_ROUTINE: "function",
    tree.OBJECT_PROCEDURE: "function",
}
_OPTIONS = ("admin", "inherit", "set")


def plan_grant(analysis: Analysis, statement: ParsedStatement) -> GrantPlan | LargeObjectGrantPlan:
    """Plans GRANT … ON and REVOKE … ON."""
    node = statement.node
    if node.objtype == tree.OBJECT_LARGEOBJECT:
        oids = tuple(large_object_oid(analysis, each) for each in node.objects)
        return LargeObjectGrantPlan(oids, _granting(analysis, node), _grantor(node))
    own = statement.extension.granted_on
    # A source is a relation, and has a table's privileges.
    kind = _KINDS.get(node.objtype) if own in (None, "source") else own
    if kind is None:
        words = tree.ObjectType.Name(node.objtype).removeprefix("OBJECT_").replace("_", " ")
        raise analysis.unsupported(f"{'GRANT' if node.is_grant else 'REVOKE'} ON {words}")
    routine = ROUTINES.get(node.objtype) if node.targtype == tree.ACL_TARGET_OBJECT else None
    if routine is not None:
        functions = tuple(function_ref(analysis, each, routine) for each in node.objects)
        return GrantPlan("function", (), False, _granting(analysis, node), _grantor(node), functions)
    names = tuple(_name(each) for each in node.objects)
    in_schemas = node.targtype == tree.ACL_TARGET_ALL_IN_SCHEMA
    return GrantPlan(kind, names, in_schemas, _granting(analysis, node), _grantor(node))


def _name(node: Any) -> tuple[str, ...]:
    match node.WhichOneof("node"):
        case "range_var":
            return range_parts(node.range_var)
        case "list":
            return strings(node.list.items)
        case _:
            return (node.string.sval,)


def _grantor(node: Any) -> RoleRef | None:
    return role_ref(node.grantor) if node.HasField("grantor") else None


def _granting(analysis: Analysis, node: Any) -> Granting:
    words: list[PrivilegeWord] = []
    all_columns: tuple[str, ...] = ()
    for each in node.privileges:
        privilege = each.access_priv
        if privilege.priv_name:
            words.append(PrivilegeWord(privilege.priv_name, strings(privilege.cols)))
        else:
            all_columns = strings(privilege.cols)
    grantees = role_refs(node.grantees)
    if node.is_grant and node.grant_option and any(each.word is RoleWord.PUBLIC for each in grantees):
        message = "grant options can only be granted to roles"
        raise analysis.error(Sqlstate.INVALID_GRANT_OPERATION, message)
    cascade = node.behavior == tree.DROP_CASCADE
    return Granting(tuple(words) or None, grantees, node.is_grant, node.grant_option, cascade, all_columns)


def plan_default_privileges(analysis: Analysis, statement: ParsedStatement) -> DefaultPrivilegesPlan:
    node = statement.node
    roles: tuple[RoleRef, ...] = ()
    schemas: tuple[str, ...] = ()
    given: set[str] = set()
    for each in node.options:
        option = each.def_elem
        if option.defname in given:
            raise analysis.error(Sqlstate.SYNTAX_ERROR, "conflicting or redundant options", option.location)
        given.add(option.defname)
        if option.defname == "schemas":
            schemas = strings(option.arg.list.items)
        else:
            roles = role_refs(option.arg.list.items)
    kind = _KINDS.get(node.action.objtype)
    if kind not in ("table", "sequence", "schema", "type", "function"):
        words = tree.ObjectType.Name(node.action.objtype).removeprefix("OBJECT_").replace("_", " ")
        raise analysis.unsupported(f"ALTER DEFAULT PRIVILEGES … ON {words}S")
    if kind == "schema" and schemas:
        message = "cannot use IN SCHEMA clause when using GRANT/REVOKE ON SCHEMAS"
        raise analysis.error(Sqlstate.INVALID_GRANT_OPERATION, message)
    return DefaultPrivilegesPlan(roles, schemas, kind, _granting(analysis, node.action))


def plan_grant_role(analysis: Analysis, statement: ParsedStatement) -> GrantRolePlan:
    """Plans GRANT role TO role and REVOKE role FROM role."""
    node = statement.node
    roles = []
    for each in node.granted_roles:
        if each.access_priv.cols:
            message = "column names cannot be included in GRANT/REVOKE ROLE"
            raise analysis.error(Sqlstate.INVALID_GRANT_OPERATION, message)
        roles.append(each.access_priv.priv_name)
    options = []
    for each in node.opt:
        option = each.def_elem
        if option.defname not in _OPTIONS:
            message = f'unrecognized role option "{option.defname}"'
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, option.location)
        options.append((option.defname, _truth(analysis, option) if node.is_grant else False))
    cascade = node.behavior == tree.DROP_CASCADE
    members = role_refs(node.grantee_roles)
    return GrantRolePlan(tuple(roles), members, node.is_grant, tuple(options), _grantor(node), cascade)


def _truth(analysis: Analysis, option: Any) -> bool:
    if option.arg.WhichOneof("node") == "boolean":
        return bool(option.arg.boolean.boolval)
    word = option.arg.string.sval.lower()
    if word not in ("true", "false"):
        message = f'unrecognized value for role option "{option.defname}": "{option.arg.string.sval}"'
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, option.location)
    return bool(word == "true")
