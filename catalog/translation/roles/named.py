"""Roles in statements, and the rights to change roles."""

from __future__ import annotations

from catalog.facts.roles.decide import is_superuser
from catalog.facts.roles.predefined import known_role, role_of_name
from catalog.lookup.targets import DdlSession
from catalog.nouns.items import Role
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.objects import RoleRef, RoleWord
from planner.privileges import PUBLIC


def existing_role(state: CatalogState, name: str) -> Role:
    """Returns the role with this name. Raises SqlError 42704 when there is no such role."""
    role = role_of_name(state, name)
    if role is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'role "{name}" does not exist')
    return role


def role_meant(state: CatalogState, session: DdlSession, ref: RoleRef) -> Role:
    """Returns a role; raises 42704 for PUBLIC, which is none."""
    match ref.word:
        case RoleWord.CURRENT:
            return known_role(state, session.role(state))
        case RoleWord.SESSION:
            return existing_role(state, session.session_user or session.user)
        case RoleWord.PUBLIC:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, 'role "public" does not exist')
        case RoleWord.NAME:
            return existing_role(state, ref.name)


def grantee_meant(state: CatalogState, session: DdlSession, ref: RoleRef) -> int:
    return PUBLIC if ref.word is RoleWord.PUBLIC else role_meant(state, session, ref).oid


def denied(what: str, detail: str | None = None) -> SqlError:
    return SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, f"permission denied to {what}", detail=detail)


def creates_roles(state: CatalogState, role: int) -> bool:
    found = known_role(state, role)
    return found.createrole or found.superuser


def require_admin(state: CatalogState, by: int, role: Role, what: str) -> None:
    """Raises SqlError 42501 unless `by` may create roles, and administers this one."""
    if is_superuser(state, by):
        return
    if role.superuser:
        raise denied(
            what, f"Only roles with the SUPERUSER attribute may {what.split()[0]} roles with the SUPERUSER attribute."
        )
    if not creates_roles(state, by) or not state.memberships.administers(by, role.oid):
        verb = what.split()[0]
        detail = (
            f'Only roles with the CREATEROLE attribute and the ADMIN option on role "{role.name}" may {verb} this role.'
        )
        raise denied(what, detail)


def require_may_become(state: CatalogState, by: int, owner: Role) -> None:
    """Raises SqlError 42501 unless `by` may SET ROLE to the new owner."""
    if not is_superuser(state, by) and owner.oid not in state.memberships.settable(by):
        message = f'must be able to SET ROLE "{owner.name}"'
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
