"""Changes of a table's row security."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from catalog.facts.roles.predefined import predefined_roles
from catalog.nouns.items import Item, Table
from catalog.nouns.policies import Policy, PolicyCondition, RowSecurity
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId, Namespace
from planner.privileges import PUBLIC
from planner.syntax.renamed_text import columns_named, with_new_columns


@dataclass(frozen=True, slots=True)
class SwitchedRowSecurity:
    """None leaves a switch as it is."""

    enabled: bool | None
    forced: bool | None


@dataclass(frozen=True, slots=True)
class AddedPolicy:
    policy: Policy


@dataclass(frozen=True, slots=True)
class ChangedPolicy:
    """The policy of a name becomes another, which may have another name."""

    name: str
    policy: Policy


@dataclass(frozen=True, slots=True)
class DroppedPolicy:
    name: str


RowSecurityChange = SwitchedRowSecurity | AddedPolicy | ChangedPolicy | DroppedPolicy


def altered_row_security(state: CatalogState, item: Item, change: RowSecurityChange) -> RowSecurity:
    """Returns a table's row security after a change. Raises 42710 and 42704 for names of policies, 42704 for a role
    that was dropped meanwhile."""
    assert isinstance(item.definition, Table)
    security = item.definition.row_security
    match change:
        case SwitchedRowSecurity(enabled, forced):
            enabled = security.enabled if enabled is None else enabled
            return replace(security, enabled=enabled, forced=security.forced if forced is None else forced)
        case AddedPolicy(policy):
            _require_roles(state, policy)
            _require_read(state, policy)
            _require_free(item, security, policy.name)
            return _with_policies(security, (*security.policies, policy))
        case ChangedPolicy(name, policy):
            found = policy_named(item, name)
            _require_roles(state, policy)
            _require_read(state, policy)
            if policy.name != name:
                _require_free(item, security, policy.name)
            return _with_policies(security, (policy if each == found else each for each in security.policies))
        case DroppedPolicy(name):
            found = policy_named(item, name)
            return _with_policies(security, (each for each in security.policies if each != found))
        case _:
            assert_never(change)


def policy_named(item: Item, name: str) -> Policy:
    """Returns the table's policy of this name. Raises SqlError 42704 when the table has no such policy."""
    security = item.definition.row_security if isinstance(item.definition, Table) else RowSecurity()
    found = security.named(name)
    if found is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'policy "{name}" for table "{item.name}" does not exist')
    return found


def policies_with_column(table: Item, at: int) -> tuple[Policy, ...]:
    """Returns the policies of a table whose conditions name the column at a position."""
    assert isinstance(table.definition, Table)
    name, number = table.desc.columns[at].name, table.layout.numbers[at]

    def names(condition: PolicyCondition) -> bool:
        if condition.names is not None:
            return (table.id, number) in condition.names.columns
        return name in columns_named(condition.sql)

    return tuple(policy for policy in table.definition.row_security.policies if any(map(names, policy.conditions)))


def policies_reading(state: CatalogState, table: Item, at: int) -> Iterator[tuple[Item, Policy]]:
    """Yields the policies of other tables that read the column at a position, each with the policy's table."""
    column = table.id, table.layout.numbers[at]
    for item, policy in bound_policies(state):
        columns = (each.names.columns for each in policy.conditions if each.names is not None)
        if item.id != table.id and any(column in each for each in columns):
            yield item, policy


def bound_policies(state: CatalogState) -> Iterator[tuple[Item, Policy]]:
    """Yields the policies with bound names, each with the policy's table."""
    for item in state.items.values():
        for policy in item.definition.row_security.policies if isinstance(item.definition, Table) else ():
            if any(each.names is not None for each in policy.conditions):
                yield item, policy


def items_named(policy: Policy) -> frozenset[GlobalId]:
    """Returns the items that a policy's conditions name, beside columns of the table."""
    names = (each.names for each in policy.conditions if each.names is not None)
    return frozenset(reference.id for each in names for reference in each.references)


def require_there(state: CatalogState, ids: Iterable[GlobalId]) -> None:
    """Raises SqlError 40001 where an item that a policy names is gone."""
    if any(id_.namespace is Namespace.USER and id_ not in state.items for id_ in ids):
        raise SqlError(Sqlstate.SERIALIZATION_FAILURE, "what a policy names was dropped by a concurrent statement")


def _require_read(state: CatalogState, policy: Policy) -> None:
    require_there(state, items_named(policy))
    for condition in policy.conditions:
        for id_, number in () if condition.names is None else condition.names.columns:
            item = state.items.get(id_)
            if item is not None and item.layout.stored[number - 1] is None:
                raise SqlError(
                    Sqlstate.SERIALIZATION_FAILURE, "a column that a policy reads was dropped by a concurrent statement"
                )


def with_renamed_column(security: RowSecurity, name: str, new_name: str) -> RowSecurity:
    """Returns row security whose conditions have a column's new name, but for those that keep the names of their
    time."""

    def renamed(condition: PolicyCondition | None) -> PolicyCondition | None:
        if condition is None or condition.names is not None:
            return condition
        return PolicyCondition(with_new_columns(condition.sql, {name: new_name}))

    policies = (replace(each, using=renamed(each.using), check=renamed(each.check)) for each in security.policies)
    return replace(security, policies=tuple(policies))


def without_role(security: RowSecurity, role: int) -> RowSecurity:
    """Returns row security in whose policies a role is named no more; a policy for that role alone is dropped."""
    left = (replace(each, roles=tuple(oid for oid in each.roles if oid != role)) for each in security.policies)
    return replace(security, policies=tuple(policy for policy in left if policy.roles))


def _require_roles(state: CatalogState, policy: Policy) -> None:
    if any(oid != PUBLIC and oid not in state.roles and oid not in predefined_roles() for oid in policy.roles):
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "role was dropped by a concurrent statement")


def _require_free(item: Item, security: RowSecurity, name: str) -> None:
    if security.named(name) is not None:
        message = f'policy "{name}" for table "{item.name}" already exists'
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, message)


def _with_policies(security: RowSecurity, policies: Iterable[Policy]) -> RowSecurity:
    """Sorts policies into the order in which they are asked."""
    return replace(security, policies=tuple(sorted(policies, key=lambda policy: policy.name)))
