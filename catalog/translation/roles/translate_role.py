"""Finds the translator of each statement about roles."""

from __future__ import annotations

from typing import assert_never

from catalog.changes.change import Change
from catalog.lookup.targets import DdlSession
from catalog.nouns.notices import Notice
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.roles.grants import translate_default_privileges, translate_grant
from catalog.translation.roles.owners import translate_drop_owned, translate_owner, translate_reassign
from catalog.translation.roles.roles import (
    translate_alter_role,
    translate_create_role,
    translate_drop_role,
    translate_grant_role,
    translate_rename_role,
    translate_setting,
    translate_system_setting,
)
from planner.plans.roles import (
    AlterRolePlan,
    CreateRolePlan,
    DefaultPrivilegesPlan,
    DropOwnedPlan,
    DropRolePlan,
    GrantPlan,
    GrantRolePlan,
    OwnerPlan,
    ReassignOwnedPlan,
    RenameRolePlan,
    RolePlan,
    RoleSettingPlan,
    SystemSettingPlan,
)


def translate_role(
    plan: RolePlan, state: CatalogState, session: DdlSession, allocator: IdAllocator
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    match plan:
        case CreateRolePlan():
            return translate_create_role(plan, state, session, allocator)
        case AlterRolePlan():
            return translate_alter_role(plan, state, session, allocator)
        case RenameRolePlan():
            return translate_rename_role(plan, state, session)
        case DropRolePlan():
            return translate_drop_role(plan, state, session)
        case RoleSettingPlan():
            return translate_setting(plan, state, session)
        case SystemSettingPlan():
            return translate_system_setting(plan, state, session)
        case GrantRolePlan():
            return translate_grant_role(plan, state, session, allocator)
        case GrantPlan():
            return translate_grant(plan, state, session)
        case DefaultPrivilegesPlan():
            return translate_default_privileges(plan, state, session)
        case OwnerPlan():
            return translate_owner(plan, state, session)
        case ReassignOwnedPlan():
            return translate_reassign(plan, state, session)
        case DropOwnedPlan():
            return translate_drop_owned(plan, state, session)
        case _:
            assert_never(plan)
