"""SET ROLE and SET SESSION AUTHORIZATION, also by set_config(): who may become whom."""

from __future__ import annotations

from catalog.facts.roles.decide import is_superuser
from catalog.facts.roles.predefined import role_of_name
from catalog.state.catalog_state import CatalogState
from catalog.translation.roles.named import denied
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.settings.settings import Settings, Undo

ROLE, SESSION = "role", "session_authorization"
"""The variables that name a role."""


def become(variables: Settings, state: CatalogState, variable: str, name: str | None, *, local: bool) -> list[Undo]:
    """Changes the role of the session or of the transaction; None goes back. Returns the way back for a rollback.
    Raises SqlError 42501 for a role that the session may not become, 22023 for a missing role."""
    if variables.within_definer:
        message = f'cannot set parameter "{variable}" within security-definer function'
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
    if variable == SESSION:
        return _session(variables, state, name, local=local)
    if name is None:
        return variables.become(None, superuser=is_superuser(state, variables.session_role), local=local)
    role, own = _role_named(state, name), variables.session_role
    if not is_superuser(state, own) and role not in state.memberships.settable(own):
        raise denied(f'set role "{name}"')
    return variables.become(role, superuser=is_superuser(state, role), local=local)


def _session(variables: Settings, state: CatalogState, name: str | None, *, local: bool) -> list[Undo]:
    role = variables.authenticated_role if name is None else _role_named(state, name)
    if role != variables.authenticated_role and not is_superuser(state, variables.authenticated_role):
        raise denied(f'set session authorization "{name}"')
    return variables.become_session(role, superuser=is_superuser(state, role), local=local)


def _role_named(state: CatalogState, name: str) -> int:
    role = role_of_name(state, name)
    if role is None:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'role "{name}" does not exist')
    return role.oid
