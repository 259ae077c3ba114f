"""DROP, ALTER … RENAME and COMMENT ON of secrets, connections and sinks, which are alike for all;
DROP REPLICATION SLOT."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind, ItemView
from planner.plans.objects import CommentPlan, DropPlan, ObjectKind, RenamePlan, RoleRef, RoleWord
from planner.plans.roles import OwnerPlan
from planner.privileges import USAGE
from planner.scope.analysis import Analysis
from planner.syntax.connection_statements import (
    AlterOwnObject,
    CommentOnOwnObject,
    DropOwnObjects,
    OwnedByRole,
)
from planner.syntax.own_statements import Place
from planner.syntax.parse import ParsedStatement


def plan_drop(analysis: Analysis, statement: ParsedStatement) -> DropPlan:
    node: DropOwnObjects = statement.node
    names = tuple(place.parts for place in node.names)
    return DropPlan(ObjectKind(node.object), names, node.if_exists, node.cascade)


def plan_comment(analysis: Analysis, statement: ParsedStatement) -> CommentPlan:
    node: CommentOnOwnObject = statement.node
    return CommentPlan(access_object(analysis, node.object, node.name, used=False).oid, 0, node.text or None)


def plan_rename(node: AlterOwnObject, new_name: str) -> RenamePlan:
    return RenamePlan(ObjectKind(node.object), node.name.parts, new_name, node.if_exists)


_ROLES = {
    "current_user": RoleWord.CURRENT,
    "current_role": RoleWord.CURRENT,
    "session_user": RoleWord.SESSION,
}


def written_role(role: str) -> RoleRef:
    """Returns the role that a name, or a word such as CURRENT_USER, means."""
    word = _ROLES.get(role, RoleWord.NAME)
    return RoleRef(word, role if word is RoleWord.NAME else "")


def plan_owner(node: AlterOwnObject, owned: OwnedByRole) -> OwnerPlan:
    return OwnerPlan(ObjectKind(node.object), node.name.parts, written_role(owned.role), node.if_exists)


def access_object(analysis: Analysis, object: str, place: Place, *, used: bool = True) -> ItemView:
    """Returns the secret, connection or sink of a name; raises 42704 if there is none, 42809 for an object of another
    kind. `used`: the statement connects through the object.
    """
    context, name = analysis.context, ".".join(place.parts)
    item = context.catalog.resolve_access(place.parts, context.search_path, context.database)
    if item is None:
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, f'{object} "{name}" does not exist', place.location)
    if item.kind.value != object:
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, f'"{name}" is not a {object}', place.location)
    if item.kind in (ItemKind.SECRET, ItemKind.CONNECTION) and used:
        analysis.use(item, USAGE)
    return item
