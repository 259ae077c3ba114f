"""CREATE, ALTER and DROP POLICY, and the switches of row security: changes of a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from catalog.changes.change import AlterTable, Change
from catalog.changes.policies import (
    AddedPolicy,
    ChangedPolicy,
    DroppedPolicy,
    SwitchedRowSecurity,
    policy_named,
    require_there,
)
from catalog.changes.roles.changes_allowed import require_allowed
from catalog.facts.roles.row_security import require_owner_of_policies
from catalog.lookup.planner_view import references_to
from catalog.lookup.targets import DdlSession
from catalog.nouns.items import Item, Table
from catalog.nouns.notices import Notice, skipping, warning
from catalog.nouns.policies import COMMAND_LETTERS, Policy, PolicyCondition
from catalog.nouns.reference import BoundNames
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.roles.named import grantee_meant
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.plans.alter_table import SetRowSecurityPlan
from planner.plans.objects import RoleRef
from planner.plans.policies import (
    AlterPolicyPlan,
    CreatePolicyPlan,
    DropPolicyPlan,
    NewCondition,
    PolicyPlan,
    RenamePolicyPlan,
)
from planner.privileges import DELETE, INSERT, PUBLIC, SELECT

Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]


def translate_row_security(plan: SetRowSecurityPlan) -> tuple[Change, ...]:
    return (AlterTable(plan.target, SwitchedRowSecurity(plan.enabled, plan.forced)),)


def translate_policy(plan: PolicyPlan, state: CatalogState, session: DdlSession, allocator: IdAllocator) -> Outcome:
    """Returns the changes of a statement about policies.

    Raises SqlError 42501 for a role that does not own the table. As in PostgreSQL, ownership is checked before the
    policies are looked up, but for DROP.
    """
    item = _table(state, plan.target)
    if isinstance(plan, DropPolicyPlan):
        return _dropped(plan, item, state, session)
    require_allowed(state, session.role(state), (AlterTable(item.id, SwitchedRowSecurity(None, None)),))
    match plan:
        case CreatePolicyPlan():
            command = COMMAND_LETTERS[plan.command]
            roles, notices = _roles(plan.roles, state, session)
            using, check = (_condition(state, item, each) for each in (plan.using, plan.check))
            policy = Policy(allocator.oid(), plan.name, plan.permissive, command, roles, using, check)
            return (AlterTable(item.id, AddedPolicy(policy)),), notices
        case AlterPolicyPlan():
            return _altered(plan, item, state, session)
        case RenamePolicyPlan(name=name, new_name=new_name):
            renamed = replace(policy_named(item, name), name=new_name)
            _require_free(item, name, new_name)
            return (AlterTable(item.id, ChangedPolicy(name, renamed)),), ()
        case _:
            assert_never(plan)


def _dropped(plan: DropPolicyPlan, item: Item, state: CatalogState, session: DdlSession) -> Outcome:
    if plan.if_exists and _named(item, plan.name) is None:
        message = f'policy "{plan.name}" for relation "{item.name}" does not exist'
        return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, message),)
    policy = policy_named(item, plan.name)
    require_owner_of_policies(state, session.role(state), item)
    return (AlterTable(item.id, DroppedPolicy(policy.name)),), ()


def _altered(plan: AlterPolicyPlan, item: Item, state: CatalogState, session: DdlSession) -> Outcome:
    policy = policy_named(item, plan.name)
    if plan.check is not None and policy.command in (SELECT, DELETE):
        raise SqlError(Sqlstate.SYNTAX_ERROR, "only USING expression allowed for SELECT, DELETE")
    if plan.using is not None and policy.command == INSERT:
        raise SqlError(Sqlstate.SYNTAX_ERROR, "only WITH CHECK expression allowed for INSERT")
    roles, notices = (policy.roles, ()) if plan.roles is None else _roles(plan.roles, state, session)
    using = policy.using if plan.using is None else _condition(state, item, plan.using)
    check = policy.check if plan.check is None else _condition(state, item, plan.check)
    changed = replace(policy, roles=roles, using=using, check=check)
    return (AlterTable(item.id, ChangedPolicy(plan.name, changed)),), notices


def _condition(state: CatalogState, table: Item, new: NewCondition | None) -> PolicyCondition | None:
    if new is None:
        return None
    if not new.bound:
        return PolicyCondition(new.sql)
    require_there(state, new.depends_on)
    references = references_to(state, new.depends_on | {table.id})
    return PolicyCondition(new.sql, BoundNames(state.full_name(table), references, new.columns))


def _roles(
    refs: Iterable[RoleRef], state: CatalogState, session: DdlSession
) -> tuple[tuple[int, ...], tuple[Notice, ...]]:
    """Returns the roles' oids: PUBLIC takes the place of all others, with a warning."""
    oids = tuple(grantee_meant(state, session, ref) for ref in refs)
    if PUBLIC not in oids or oids == (PUBLIC,):
        return oids, ()
    return (PUBLIC,), (warning(Sqlstate.INVALID_PARAMETER_VALUE, "ignoring specified roles other than PUBLIC"),)


def _table(state: CatalogState, id_: GlobalId) -> Item:
    item = state.items.get(id_)
    if item is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f"relation with id {id_} no longer exists")
    return item


def _named(item: Item, name: str) -> Policy | None:
    return item.definition.row_security.named(name) if isinstance(item.definition, Table) else None


def _require_free(item: Item, name: str, new_name: str) -> None:
    """Refuses (42710) the name of any policy of the table, as PostgreSQL does."""
    if _named(item, new_name) is not None:
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, f'policy "{new_name}" for table "{item.name}" already exists')
