"""Answers has_table_privilege() and its kin: does a role have any of some privileges?"""

from __future__ import annotations

from collections.abc import Callable

from catalog.facts.roles.decide import column_rights, has_privileges_of, held, is_superuser
from catalog.facts.roles.predefined import predefined_roles
from catalog.facts.roles.securables import (
    Securable,
    column_acl,
    database_securable,
    default_acl,
    item_securable,
    relation_securable,
    schema_securable,
)
from catalog.nouns.acl import AclItem
from catalog.nouns.items import PUBLIC_OWNER_OID
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind
from planner.privileges import COLUMN_PRIVILEGES, WORDS

_KNOWN = {
    "pg_class": ("select", "insert", "update", "delete", "truncate", "references", "trigger"),
    "pg_sequence": ("usage", "select", "update"),
    "pg_attribute": ("select", "insert", "update", "references"),
    "pg_namespace": ("create", "usage"),
    "pg_database": ("create", "temporary", "temp", "connect"),
    "pg_proc": ("execute",),
    "pg_type": ("usage",),
    "pg_language": ("usage",),
    "pg_tablespace": ("create",),
    "pg_authid": ("usage", "member", "set"),
}
_GRANTABLE = " with grant option"
_ADMIN = " with admin option"

Requested = tuple[tuple[str, bool], ...]
"""The words of privileges, and whether the right to grant them on is asked for."""


def requested_privileges(catalog: str, text: str) -> Requested:
    """Splits `SELECT, INSERT WITH GRANT OPTION` into lower-case words; raises 22023 for a word that is no privilege
    of the catalog."""
    found = []
    for part in text.split(","):
        word = " ".join(part.lower().split())
        plain = word.removesuffix(_GRANTABLE)
        if catalog == "pg_authid":
            plain = plain.removesuffix(_ADMIN)
        if plain not in _KNOWN.get(catalog, ()):
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'unrecognized privilege type: "{part.strip()}"')
        found.append((plain, plain != word))
    return tuple(found)


def allowed(state: CatalogState, role: int, catalog: str, oid: int, requested: Requested) -> bool | None:
    """Returns whether `role` has any of these privileges on the object; None for a missing object."""
    if catalog == "pg_authid":
        return _allowed_as_role(state, role, oid, requested)
    object_ = _FOUND.get(catalog, _builtin)(state, oid)
    if object_ is None:
        return None
    return any(_has(state, role, object_, WORDS[word], option) for word, option in requested)


def _has(
    state: CatalogState, role: int, object_: Securable, letter: str, option: bool, column: int | None = None
) -> bool:
    if not option:
        rights = held(state, role, object_) if column is None else column_rights(state, role, object_, column)
        return letter in rights
    if is_superuser(state, role) or has_privileges_of(state, role, object_.owner, object_.database_owner):
        return True
    roles = state.memberships.privileges_of(role, object_.database_owner)
    acl = object_.acl if column is None else (*object_.acl, *column_acl(state, object_.oid, column))
    return any(letter in each.grantable for each in acl if each.grantee in roles)


def column_allowed(state: CatalogState, role: int, oid: int, column: int, requested: Requested) -> bool | None:
    """Returns whether a role has any of these privileges on one column."""
    object_ = relation_securable(state, oid)
    if object_ is None:
        return None
    return any(_has(state, role, object_, WORDS[word], option, column) for word, option in requested)


def any_column_allowed(state: CatalogState, role: int, oid: int, requested: Requested) -> bool | None:
    """Returns whether a role has any of these privileges on the relation, or on a column."""
    object_ = relation_securable(state, oid)
    if object_ is None:
        return None
    columns = [column for of, column in state.acls if of == oid and column]
    return any(
        _has(state, role, object_, WORDS[word], option)
        or (
            WORDS[word] in COLUMN_PRIVILEGES
            and any(_has(state, role, object_, WORDS[word], option, column) for column in columns)
        )
        for word, option in requested
    )


def _allowed_as_role(state: CatalogState, role: int, oid: int, requested: Requested) -> bool | None:
    """Answers pg_has_role(): MEMBER by any membership, USAGE of the privileges, SET ROLE."""
    if oid not in state.roles and oid not in predefined_roles():
        return None
    for word, option in requested:
        if is_superuser(state, role):
            return True
        if option:
            found = state.memberships.administers(role, oid)
        elif word == "usage":
            found = oid in state.memberships.privileges_of(role, None)
        elif word == "set":
            found = oid in state.memberships.settable(role)
        else:
            found = oid in state.memberships.member_of(role, None)
        if found:
            return True
    return False


def _builtin(state: CatalogState, oid: int) -> Securable | None:
    """Returns a function, a language or a tablespace: everybody may use the system's functions."""
    own = state.item_by_oid(oid)
    if own is not None and own.kind is ItemKind.FUNCTION:
        return item_securable(state, own)
    return Securable("function", "object", str(oid), oid, PUBLIC_OWNER_OID, (AclItem(0, PUBLIC_OWNER_OID, "XU"),))


def _type(state: CatalogState, oid: int) -> Securable | None:
    """Returns a user's type, or a type of the system for everybody to use."""
    own = relation_securable(state, oid)
    return own or Securable("type", "type", str(oid), oid, PUBLIC_OWNER_OID, default_acl("type", PUBLIC_OWNER_OID))


_FOUND: dict[str, Callable[[CatalogState, int], Securable | None]] = {
    "pg_class": relation_securable,
    "pg_sequence": relation_securable,
    "pg_attribute": relation_securable,
    "pg_namespace": schema_securable,
    "pg_database": database_securable,
    "pg_type": _type,
}
