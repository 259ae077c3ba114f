"""Decides whether a role has a right on an object. Superusers have every right. Other roles have the rights in the
object's access control list: the owner all unless revoked, a role the rights granted to PUBLIC, to the role, and to
roles whose privileges the role has.
"""

from __future__ import annotations

from dataclasses import replace

from catalog.facts.roles.predefined import READ_ALL_DATA, WRITE_ALL_DATA
from catalog.facts.roles.securables import (
    Securable,
    cluster_securable,
    column_acl,
    database_securable,
    item_securable,
    relation_securable,
    schema_securable,
)
from catalog.nouns.acl import Acl, rights_of
from catalog.nouns.items import FunctionDefinition
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId, Namespace
from planner.privileges import COLUMN_PRIVILEGES, Need
from planner.temporary_schema import is_temporary

_READ = "r"
_WRITTEN = "awd"
_CHANGES_SYSTEM = "awdDU"


def is_superuser(state: CatalogState, role: int) -> bool:
    found = state.roles.get(role)
    return found is not None and found.superuser


def has_privileges_of(state: CatalogState, role: int, other: int, database_owner: int | None = None) -> bool:
    """Returns whether a role has all privileges of another role."""
    return is_superuser(state, role) or other in state.memberships.privileges_of(role, database_owner)


def held(state: CatalogState, role: int, object_: Securable, acl: Acl | None = None) -> str:
    """Returns a role's rights on an object, or by another list such as a column's, in letters."""
    if is_superuser(state, role):
        from_list = "arwdDxtXUCTcsA"
    else:
        roles = state.memberships.privileges_of(role, object_.database_owner)
        from_list = rights_of(object_.acl if acl is None else acl, roles)
        if object_.kind in ("table", "sequence"):
            from_list += _READ * (READ_ALL_DATA in roles) + _WRITTEN * (WRITE_ALL_DATA in roles)
        if object_.kind == "schema" and roles & {READ_ALL_DATA, WRITE_ALL_DATA}:
            from_list += "U"
        if object_.system:
            from_list = "".join(letter for letter in from_list if letter not in _CHANGES_SYSTEM)
    return from_list


def owns(state: CatalogState, role: int, object_: Securable) -> bool:
    return has_privileges_of(state, role, object_.owner, object_.database_owner)


def require_owner(state: CatalogState, role: int, object_: Securable) -> None:
    """Raises SqlError 42501 `must be owner of table t` unless the role owns the object."""
    if not owns(state, role, object_):
        raise object_.not_owner()


def may_use_schema(state: CatalogState, role: int, oid: int, right: str = "U") -> bool:
    """Returns whether a role may look into a schema (U), or create in a schema (C): into temporary ones any may."""
    schema = state.schemas.get(oid)
    if schema is not None and is_temporary(schema.name):
        return True
    object_ = schema_securable(state, oid)
    return object_ is None or right in held(state, role, object_)


def require_schema(state: CatalogState, role: int, oid: int, right: str) -> None:
    """Raises SqlError 42501 `permission denied for schema s` unless the role has the right on the schema."""
    if not may_use_schema(state, role, oid, right):
        object_ = schema_securable(state, oid)
        assert object_ is not None, "a schema that is not there is nobody's to be kept from"
        raise object_.refusal()


def require_database(state: CatalogState, role: int, oid: int, right: str) -> None:
    """Raises SqlError 42501 `permission denied for database d` unless the role has the right on the database."""
    object_ = database_securable(state, oid)
    if object_ is None or right in held(state, role, object_):
        return
    if right == "T":
        message = f'permission denied to create temporary tables in database "{object_.name}"'
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
    raise object_.refusal()


def require_cluster(state: CatalogState, role: int, oid: int, right: str) -> None:
    """Raises SqlError 42501 `permission denied for cluster c` unless the role has the right on the cluster."""
    object_ = cluster_securable(state, oid)
    if object_ is not None and right not in held(state, role, object_):
        raise object_.refusal()


def require_item(state: CatalogState, role: int, id_: GlobalId, rights: str) -> None:
    """Raises SqlError 42501 unless the role has any of these rights on an item."""
    item = state.items.get(id_)
    if item is None:
        return
    object_ = item_securable(state, item)
    if not frozenset(rights) & frozenset(held(state, role, object_)):
        raise object_.refusal()


def require_need(state: CatalogState, role: int, need: Need) -> None:
    """Raises SqlError 42501 unless the role has all that a statement asks of a relation."""
    object_ = _of_id(state, need.item)
    if object_ is None or is_superuser(state, role):
        return
    missing = frozenset(need.rights) - frozenset(held(state, role, object_))
    for right in missing:
        columns = _columns_of(need).get(right)
        if columns is None or not _by_columns(state, role, object_, right, columns):
            item = state.items.get(need.item)
            if item is not None and isinstance(item.definition, FunctionDefinition):
                # Where a procedure is granted or owned, PostgreSQL says function.
                object_ = replace(object_, noun=item.definition.rules.noun)
            raise object_.refusal()


def _columns_of(need: Need) -> dict[str, frozenset[int]]:
    return {"r": need.selected, "a": need.inserted, "w": need.updated, "x": need.referenced}


def _of_id(state: CatalogState, id_: GlobalId) -> Securable | None:
    if id_.namespace is Namespace.SYSTEM:
        # The ids of the system's relations are their oids.
        return relation_securable(state, id_.number)
    item = state.items.get(id_)
    return None if item is None else item_securable(state, item)


def _by_columns(state: CatalogState, role: int, object_: Securable, right: str, columns: frozenset[int]) -> bool:
    """Returns whether lists of columns give a right: on all named columns, on any column where none is named."""
    if columns:
        return all(right in held(state, role, object_, column_acl(state, object_.oid, at)) for at in columns)
    lists = (acl for (oid, column), acl in state.acls.items() if oid == object_.oid and column)
    return any(right in held(state, role, object_, acl) for acl in lists)


def column_rights(state: CatalogState, role: int, object_: Securable, column: int) -> str:
    """Returns a role's rights on one column, by the relation's list or the column's own."""
    both = held(state, role, object_) + held(state, role, object_, column_acl(state, object_.oid, column))
    return "".join(letter for letter in COLUMN_PRIVILEGES if letter in both)
