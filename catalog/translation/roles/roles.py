"""CREATE, ALTER, DROP of roles, settings and memberships."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from catalog.changes.change import Change
from catalog.changes.roles.role_changes import (
    AlterRole,
    CreateRole,
    DropRole,
    GrantRole,
    RevokeRole,
    SetRoleSetting,
    SetSystemSetting,
)
from catalog.facts.roles.decide import is_superuser, owns
from catalog.facts.roles.predefined import known_role, predefined_roles
from catalog.facts.roles.securables import database_securable
from catalog.lookup.targets import DdlSession
from catalog.nouns.items import SUPERUSER_OID, Role
from catalog.nouns.memberships import Membership
from catalog.nouns.notices import Notice, skipping, warning
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.roles.named import creates_roles, denied, existing_role, require_admin, role_meant
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.objects import RoleRef, RoleWord
from planner.plans.roles import (
    AlterRolePlan,
    CreateRolePlan,
    DropRolePlan,
    GrantRolePlan,
    RenameRolePlan,
    RoleAttribute,
    RoleOptions,
    RoleSettingPlan,
    SystemSettingPlan,
)

Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]
_PRIVILEGED = {
    "superuser": "SUPERUSER",
    "replication": "REPLICATION",
    "bypass_row_security": "BYPASSRLS",
    "createdb": "CREATEDB",
}
"""Attributes that only who has them may give; the first only superusers."""


def translate_create_role(
    plan: CreateRolePlan, state: CatalogState, session: DdlSession, allocator: IdAllocator
) -> Outcome:
    by = session.role(state)
    if not creates_roles(state, by):
        raise denied("create role", "Only roles with the CREATEROLE attribute may create roles.")
    _require_attributes(state, by, plan.options.attributes, "create role", "create roles with")
    blank = Role(allocator.oid(), plan.name, superuser=False, createrole=False, createdb=False, login=False)
    role = replace(blank, **dict(plan.options.attributes))  # type: ignore[arg-type]
    changes: list[Change] = [CreateRole(replace(role, password=plan.options.password or None))]
    for ref in plan.options.in_roles:
        granted = role_meant(state, session, ref)
        grantor = _grantor(state, session, granted, None)
        changes.append(GrantRole(Membership(allocator.oid(), granted.oid, role.oid, grantor, inherit=role.inherit)))
    if not is_superuser(state, by):
        # Who creates a role administers it, but does not have what it is granted.
        own = Membership(allocator.oid(), role.oid, by, SUPERUSER_OID, admin=True, inherit=False, set=False)
        changes.append(GrantRole(own))
    grantor = SUPERUSER_OID if is_superuser(state, by) else by
    changes += _members(state, session, allocator, role, plan.options, grantor)
    return tuple(changes), ()


def _members(
    state: CatalogState, session: DdlSession, allocator: IdAllocator, role: Role, options: RoleOptions, grantor: int
) -> Iterable[Change]:
    for refs, admin in ((options.members, False), (options.admins, True)):
        for ref in refs:
            member = role_meant(state, session, ref)
            yield GrantRole(Membership(allocator.oid(), role.oid, member.oid, grantor, admin, member.inherit))


def _require_attributes(
    state: CatalogState, by: int, attributes: Iterable[RoleAttribute], what: str, verb: str
) -> None:
    actor = known_role(state, by)
    for name, value in attributes:
        if name not in _PRIVILEGED or actor.superuser or (what == "create role" and not value):
            continue
        word = _PRIVILEGED[name]
        if name == "superuser" or not getattr(actor, name):
            raise denied(what, f"Only roles with the {word} attribute may {verb} the {word} attribute.")


def translate_alter_role(
    plan: AlterRolePlan, state: CatalogState, session: DdlSession, allocator: IdAllocator
) -> Outcome:
    by, role = session.role(state), role_meant(state, session, plan.role)
    _require_own(role)
    options = plan.options
    if options.members:
        return _altered_members(plan, role, state, session, allocator)
    attributes = options.attributes
    if not is_superuser(state, by):
        if role.superuser:
            detail = "Only roles with the SUPERUSER attribute may alter roles with the SUPERUSER attribute."
            raise denied("alter role", detail)
        _require_attributes(state, by, (each for each in attributes if each[0] == "superuser"), "alter role", "change")
        if role.oid != by or attributes:
            require_admin(state, by, role, "alter role")
    _require_attributes(state, by, attributes, "alter role", "change")
    if options.password is not None:
        attributes = (*attributes, ("password", options.password or None))
    if role.oid == SUPERUSER_OID and ("superuser", False) in attributes:
        message = "permission denied to alter role"
        detail = "The bootstrap superuser must have the SUPERUSER attribute."
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, detail=detail)
    return (AlterRole(role.oid, attributes),) if attributes else (), ()


def _altered_members(
    plan: AlterRolePlan, role: Role, state: CatalogState, session: DdlSession, allocator: IdAllocator
) -> Outcome:
    """Translates ALTER GROUP … ADD USER and DROP USER."""
    grantor = _grantor(state, session, role, None)
    if not plan.remove:
        return tuple(_members(state, session, allocator, role, plan.options, grantor)), ()
    members = (role_meant(state, session, ref).oid for ref in plan.options.members)
    return tuple(RevokeRole((role.oid, member, grantor), None, False) for member in members), ()


def _require_own(role: Role) -> None:
    if role.oid in predefined_roles():
        message = f'role name "{role.name}" is reserved'
        raise SqlError(Sqlstate.RESERVED_NAME, message, detail='Role names starting with "pg_" are reserved.')


def translate_rename_role(plan: RenameRolePlan, state: CatalogState, session: DdlSession) -> Outcome:
    by, role = session.role(state), existing_role(state, plan.name)
    _require_own(role)
    if role.name == (session.session_user or session.user):
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "session user cannot be renamed")
    if role.oid == by:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "current user cannot be renamed")
    require_admin(state, by, role, "rename role")
    return (AlterRole(role.oid, (("name", plan.new_name),)),), ()


def translate_drop_role(plan: DropRolePlan, state: CatalogState, session: DdlSession) -> Outcome:
    by = session.role(state)
    if not creates_roles(state, by):
        detail = "Only roles with the CREATEROLE attribute and the ADMIN option on the target roles may drop roles."
        raise denied("drop role", detail)
    changes: list[Change] = []
    notices: list[Notice] = []
    for ref in plan.roles:
        if ref.word is not RoleWord.NAME:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, "cannot use special role specifier in DROP ROLE")
        if plan.if_exists and state.role_named(ref.name) is None:
            notices.append(skipping(Sqlstate.SUCCESSFUL_COMPLETION, f'role "{ref.name}" does not exist'))
            continue
        role = existing_role(state, ref.name)
        if role.oid in predefined_roles():
            message = f"cannot drop role {role.name} because it is required by the database system"
            raise SqlError(Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST, message)
        if role.oid == by:
            raise SqlError(Sqlstate.OBJECT_IN_USE, "current user cannot be dropped")
        if role.name == session.session_user:
            raise SqlError(Sqlstate.OBJECT_IN_USE, "session user cannot be dropped")
        require_admin(state, by, role, "drop role")
        changes.append(DropRole(role.oid))
    return tuple(dict.fromkeys(changes)), tuple(notices)


def translate_setting(plan: RoleSettingPlan, state: CatalogState, session: DdlSession) -> Outcome:
    """Changes checked settings: a role's own, those of administered roles, and for superusers those of all roles."""
    by = session.role(state)
    role = None if plan.role is None else role_meant(state, session, plan.role)
    database = None if plan.database is None else state.database_named(plan.database)
    if plan.database is not None and database is None:
        raise SqlError(Sqlstate.INVALID_CATALOG_NAME, f'database "{plan.database}" does not exist')
    if role is not None:
        _require_own(role)
        if role.oid != by:
            require_admin(state, by, role, "alter role")
    elif database is not None:
        object_ = database_securable(state, database.oid)
        assert object_ is not None, "it was found by its name"
        if not owns(state, by, object_):
            raise object_.not_owner()
    elif not is_superuser(state, by):
        raise denied("alter setting", "Only roles with the SUPERUSER attribute may alter settings globally.")
    change = SetRoleSetting(
        0 if database is None else database.oid, 0 if role is None else role.oid, plan.name, plan.value
    )
    return (change,), ()


def translate_system_setting(plan: SystemSettingPlan, state: CatalogState, session: DdlSession) -> Outcome:
    """Changes a checked setting of the server. Raises SqlError 42501 for others than superusers."""
    require_system_settings(state, session.role(state), plan.name)
    return (SetSystemSetting(plan.name, plan.value),), ()


def require_system_settings(state: CatalogState, role: int, name: str | None) -> None:
    """Raises SqlError 42501 for a role that may not change a setting of the server; `name` None: all."""
    if not is_superuser(state, role):
        what = "perform ALTER SYSTEM RESET ALL" if name is None else f'set parameter "{name}"'
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, f"permission denied to {what}")


def translate_grant_role(
    plan: GrantRolePlan, state: CatalogState, session: DdlSession, allocator: IdAllocator
) -> Outcome:
    members = [role_meant(state, session, ref) for ref in plan.members]
    changes: list[Change] = []
    notices: list[Notice] = []
    for name in plan.roles:
        role = existing_role(state, name)
        _require_grantable(state, session.role(state), role, "grant" if plan.grant else "revoke")
        grantor = _grantor(state, session, role, plan.grantor)
        for member in members:
            known = state.memberships.by_key.get((role.oid, member.oid, grantor))
            if plan.grant:
                change, notice = _granted(plan, state, role, member, grantor, known, allocator)
            else:
                change, notice = _revoked(plan, state, role, member, grantor, known)
            changes += change
            notices += notice
    return tuple(changes), tuple(notices)


def _granted(
    plan: GrantRolePlan,
    state: CatalogState,
    role: Role,
    member: Role,
    grantor: int,
    known: Membership | None,
    allocator: IdAllocator,
) -> tuple[list[Change], list[Notice]]:
    if role.name == "pg_database_owner":
        message = f'role "{role.name}" cannot have explicit members'
        raise SqlError(Sqlstate.INVALID_GRANT_OPERATION, message)
    if member.name == "pg_database_owner":
        message = f'role "{member.name}" cannot be a member of any role'
        raise SqlError(Sqlstate.INVALID_GRANT_OPERATION, message)
    options = dict(plan.options)
    if options.get("admin") and grantor not in (SUPERUSER_OID, member.oid):
        _refuse_admin_circle(state, role, member, grantor)
    first = Membership(0, role.oid, member.oid, grantor, inherit=member.inherit)
    after = replace(known or first, **options)
    if known == after:
        who = known_role(state, grantor).name
        message = f'role "{member.name}" has already been granted membership in role "{role.name}" by role "{who}"'
        return [], [Notice(Sqlstate.SUCCESSFUL_COMPLETION, message)]
    return [GrantRole(replace(after, oid=known.oid if known else allocator.oid()))], []


def _refuse_admin_circle(state: CatalogState, role: Role, member: Role, grantor: int) -> None:
    """Raises SqlError 0LP01 for ADMIN OPTION to a member from whom the grantor has its own ADMIN OPTION."""
    given_by = {each.member: each.grantor for each in state.memberships if each.role == role.oid and each.admin}
    at, seen = grantor, set[int]()
    while at in given_by and at not in seen:
        seen.add(at)
        at = given_by[at]
        if at == member.oid:
            message = "ADMIN option cannot be granted back to your own grantor"
            raise SqlError(Sqlstate.INVALID_GRANT_OPERATION, message)


def _revoked(
    plan: GrantRolePlan, state: CatalogState, role: Role, member: Role, grantor: int, known: Membership | None
) -> tuple[list[Change], list[Notice]]:
    if known is None:
        who = known_role(state, grantor).name
        message = f'role "{member.name}" has not been granted membership in role "{role.name}" by role "{who}"'
        return [], [warning(Sqlstate.WARNING, message)]
    option = plan.options[0][0] if plan.options else None
    return [RevokeRole(known.key, option, plan.cascade)], []


def _require_grantable(state: CatalogState, by: int, role: Role, verb: str) -> None:
    if is_superuser(state, by):
        return
    what = f'{verb} role "{role.name}"'
    if role.superuser:
        detail = f"Only roles with the SUPERUSER attribute may {verb} roles with the SUPERUSER attribute."
        raise denied(what, detail)
    if not state.memberships.administers(by, role.oid):
        raise denied(what, f'Only roles with the ADMIN option on role "{role.name}" may {verb} this role.')


def _grantor(state: CatalogState, session: DdlSession, role: Role, said: RoleRef | None) -> int:
    """Returns the grantor of a membership: a superuser's grants are the first superuser's."""
    by = session.role(state)
    if said is None:
        if is_superuser(state, by):
            return SUPERUSER_OID
        _require_grantable(state, by, role, "grant")
        found = state.memberships.best_admin(by, role.oid)
        if found is None:
            message = f'no possible grantors for role "{role.name}"'
            raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
        return found
    grantor = role_meant(state, session, said)
    if not is_superuser(state, by) and grantor.oid not in state.memberships.privileges_of(by, None):
        detail = f'Only roles with privileges of role "{grantor.name}" may grant privileges as this role.'
        raise denied(f'grant privileges as role "{grantor.name}"', detail)
    if grantor.oid != SUPERUSER_OID and not any(
        each.admin and (each.role, each.member) == (role.oid, grantor.oid) for each in state.memberships
    ):
        detail = f'The grantor must have the ADMIN option on role "{role.name}".'
        raise denied(f'grant privileges as role "{grantor.name}"', detail)
    return grantor.oid
