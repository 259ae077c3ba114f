"""ALTER … OWNER TO, REASSIGN OWNED, DROP OWNED; SET ROLE and SET SESSION AUTHORIZATION."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from planner.plans.large_objects import LargeObjectOwnerPlan
from planner.plans.objects import ObjectKind
from planner.plans.roles import DropOwnedPlan, OwnerPlan, ReassignOwnedPlan, SetRolePlan
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts, strings
from planner.statements.functions.function_names import ROUTINES, function_ref
from planner.statements.large_objects import large_object_oid
from planner.statements.roles.role_names import role_ref, role_refs
from planner.syntax.parse import ParsedStatement

_KINDS = {
    tree.OBJECT_SCHEMA: ObjectKind.SCHEMA,
    tree.OBJECT_DATABASE: ObjectKind.DATABASE,
    tree.OBJECT_TYPE: ObjectKind.TYPE,
    tree.OBJECT_DOMAIN: ObjectKind.DOMAIN,
}


def plan_owner(analysis: Analysis, statement: ParsedStatement) -> OwnerPlan | LargeObjectOwnerPlan:
    """Plans OWNER TO for an object that is no relation."""
    node = statement.node
    if node.object_type == tree.OBJECT_LARGEOBJECT:
        return LargeObjectOwnerPlan(large_object_oid(analysis, node.object), role_ref(node.newowner))
    routine = ROUTINES.get(node.object_type)
    if routine is not None:
        function = function_ref(analysis, node.object, routine)
        return OwnerPlan(routine, function.parts, role_ref(node.newowner), function=function)
    kind = _KINDS.get(node.object_type)
    if kind is None:
        words = tree.ObjectType.Name(node.object_type).removeprefix("OBJECT_").replace("_", " ")
        raise analysis.unsupported(f"ALTER {words} OWNER TO")
    named = node.object
    name = strings(named.list.items) if named.WhichOneof("node") == "list" else (named.string.sval,)
    return OwnerPlan(kind, name, role_ref(node.newowner))


def owner_of_relation(node: Any, kind: ObjectKind) -> OwnerPlan | None:
    """Plans ALTER TABLE, VIEW, … OWNER TO; returns None for another ALTER."""
    if len(node.cmds) != 1 or node.cmds[0].alter_table_cmd.subtype != tree.AT_ChangeOwner:
        return None
    owner = role_ref(node.cmds[0].alter_table_cmd.newowner)
    return OwnerPlan(kind, range_parts(node.relation), owner, node.missing_ok)


def plan_reassign(analysis: Analysis, statement: ParsedStatement) -> ReassignOwnedPlan:
    return ReassignOwnedPlan(role_refs(statement.node.roles), role_ref(statement.node.newrole))


def plan_drop_owned(analysis: Analysis, statement: ParsedStatement) -> DropOwnedPlan:
    return DropOwnedPlan(role_refs(statement.node.roles), statement.node.behavior == tree.DROP_CASCADE)


def set_role(name: str, value: str | None, *, local: bool, reset: bool) -> SetRolePlan | None:
    """Plans SET ROLE and SET SESSION AUTHORIZATION, which are variables in the grammar; None for another variable."""
    if name == "session_authorization":
        return SetRolePlan(value, True, local, reset)
    if name == "role":
        return SetRolePlan(None if value == "none" else value, False, local, reset)
    return None
