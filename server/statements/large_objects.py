"""ALTER, GRANT, REVOKE and COMMENT ON LARGE OBJECT; large objects as roles lose what they own."""

from __future__ import annotations

from catalog.changes.roles.applying import next_acl
from catalog.facts.roles.decide import is_superuser
from catalog.nouns.acl import acl_kept, kept_text, with_new_owner
from catalog.translation.roles.grants import changes_of_acl
from catalog.translation.roles.named import grantee_meant, require_may_become, role_meant
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.large_objects import (
    LargeObjectCommentPlan,
    LargeObjectGrantPlan,
    LargeObjectOwnerPlan,
    LargeObjectPlan,
)
from planner.plans.roles import DropOwnedPlan, DropRolePlan, ReassignOwnedPlan
from server.pgwire.backend import Command
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.transactions.large_object_rights import require_ownership, securable
from server.transactions.open_objects import StoredObject


async def sequence_large_object(plan: LargeObjectPlan, execution: Execution, session: StatementSession) -> Command:
    match plan:
        case LargeObjectOwnerPlan():
            execution.transaction.require_writable("ALTER LARGE OBJECT")
            await _give(plan, execution)
            return Command("ALTER LARGE OBJECT")
        case LargeObjectGrantPlan():
            tag = "GRANT" if plan.granting.grant else "REVOKE"
            execution.transaction.require_writable(tag)
            await _grant(plan, execution, session)
            return Command(tag)
        case LargeObjectCommentPlan():
            execution.transaction.require_writable("COMMENT")
            row = await execution.asker.large_object(execution, plan.oid)
            require_ownership(execution.newest_catalog, execution.role, row)
            await execution.asker.change_large_object(execution, row._replace(comment=plan.text))
            return Command("COMMENT")


async def _give(plan: LargeObjectOwnerPlan, execution: Execution) -> None:
    state, role = execution.newest_catalog, execution.role
    owner = role_meant(state, execution.ddl_session, plan.owner)
    row = await execution.asker.large_object(execution, plan.oid)
    if row.owner == owner.oid:
        return
    if not is_superuser(state, role):
        require_ownership(state, role, row)
        require_may_become(state, role, owner)
    await execution.asker.change_large_object(execution, _owned_by(row, owner.oid))


def _owned_by(row: StoredObject, owner: int) -> StoredObject:
    acl = None if row.acl is None else kept_text(with_new_owner(acl_kept(row.acl), row.owner, owner))
    return row._replace(owner=owner, acl=acl)


async def _grant(plan: LargeObjectGrantPlan, execution: Execution, session: StatementSession) -> None:
    state, ddl_session = execution.newest_catalog, execution.ddl_session
    if plan.grantor is not None and role_meant(state, ddl_session, plan.grantor).oid != execution.role:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "grantor must be current user")
    grantees = tuple(grantee_meant(state, ddl_session, ref) for ref in plan.granting.grantees)
    for oid in plan.oids:
        row = await execution.asker.large_object(execution, oid)
        object_ = securable(row)
        changes, notices = changes_of_acl(plan.granting, object_, grantees, state, ddl_session)
        for notice in notices:
            session.notice(notice.severity, notice.sqlstate, notice.message, detail=notice.detail)
        acl = object_.acl
        for change in changes:
            acl = next_acl(acl, row.owner, change.grantor, change)
        if changes:
            await execution.asker.change_large_object(execution, row._replace(acl=kept_text(acl)))


def roles_losing(plan: object, execution: Execution) -> dict[int, str]:
    """Returns the roles that a statement takes objects from, with their names, or that it drops."""
    if not isinstance(plan, ReassignOwnedPlan | DropOwnedPlan | DropRolePlan):
        return {}
    state, found = execution.catalog, {}
    for ref in plan.roles:
        try:
            role = role_meant(state, execution.ddl_session, ref)
        except SqlError:
            # The statement says so, or does without.
            continue
        found[role.oid] = role.name
    return found


async def refuse_dropped_owners(roles: dict[int, str], execution: Execution) -> None:
    """Raises SqlError 2BP01 for roles to be dropped that own large objects of the database, or have rights on any."""
    for role, name in roles.items():
        lines = []
        for row in await execution.asker.large_objects(execution):
            if row.owner == role:
                lines.append(f"owner of large object {row.oid}")
            elif row.acl is not None and any(role in (each.grantee, each.grantor) for each in acl_kept(row.acl)):
                lines.append(f"privileges for large object {row.oid}")
        if lines:
            message = f'role "{name}" cannot be dropped because some objects depend on it'
            raise SqlError(Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST, message, detail="\n".join(lines))


async def follow_owners(plan: ReassignOwnedPlan | DropOwnedPlan, roles: dict[int, str], execution: Execution) -> None:
    """Gives the large objects of roles to another, or drops them with the roles' rights on others."""
    new = None
    if isinstance(plan, ReassignOwnedPlan):
        new = role_meant(execution.newest_catalog, execution.ddl_session, plan.owner).oid
    for row in await execution.asker.large_objects(execution):
        if row.owner in roles:
            if new is None:
                await execution.asker.call_large_object(execution, "lo_unlink", (row.oid,))
            else:
                await execution.asker.change_large_object(execution, _owned_by(row, new))
        elif new is None and row.acl is not None:
            acl = acl_kept(row.acl)
            left = tuple(each for each in acl if roles.keys().isdisjoint((each.grantee, each.grantor)))
            if left != acl:
                await execution.asker.change_large_object(execution, row._replace(acl=kept_text(left)))
