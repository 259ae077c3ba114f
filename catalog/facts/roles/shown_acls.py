"""Roles and access control lists as system relations show them."""

from __future__ import annotations

from catalog.facts.roles.predefined import predefined_roles
from catalog.nouns.acl import Acl, acl_text
from catalog.state.catalog_state import CatalogState


def role_name(state: CatalogState, oid: int) -> str:
    """Returns the name of a role, or the number of a dropped role."""
    role = state.roles.get(oid) or predefined_roles().get(oid)
    return str(oid) if role is None else role.name


def shown_acl(state: CatalogState, oid: int, column: int = 0) -> tuple[str, ...] | None:
    """Returns an object's list as aclitems; NULL for an object without a list."""
    acl = state.acls.get((oid, column))
    return None if acl is None else shown_items(state, acl)


def shown_items(state: CatalogState, acl: Acl) -> tuple[str, ...]:
    return acl_text(acl, lambda oid: role_name(state, oid))
