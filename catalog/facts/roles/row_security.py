"""Decides whom row security binds, and by which policies, as PostgreSQL does.

Superusers and roles with BYPASSRLS are never bound, nor are roles with the privileges of a table's owner, unless the
table forces row security. Materialized views, indexes of views and sinks read as the owner, once for all readers; so an
owner must not be bound in the tables read, and `require_unbound_keepers` refuses every change by which one would be.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalog.facts.roles.decide import has_privileges_of, is_superuser, owns
from catalog.facts.roles.predefined import predefined_roles
from catalog.facts.roles.securables import item_securable
from catalog.nouns.items import Computed, FunctionDefinition, Index, Item, Table, View
from catalog.nouns.names import quote
from catalog.nouns.policies import Policy
from catalog.nouns.sinks import Sink
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.privileges import PUBLIC


def is_secured(item: Item | None) -> bool:
    """Tells whether an item is a table whose row security is on."""
    return item is not None and isinstance(item.definition, Table) and item.definition.row_security.enabled


def binding_policies(state: CatalogState, item: Item | None, role: int) -> tuple[Policy, ...] | None:
    """Returns the policies that bind a role in a table, by name; None where row security does not bind the role."""
    if item is None or not isinstance(item.definition, Table) or not item.definition.row_security.enabled:
        return None
    known = state.roles.get(role) or predefined_roles().get(role)
    if is_superuser(state, role) or (known is not None and known.bypass_row_security):
        return None
    security = item.definition.row_security
    if not security.forced and has_privileges_of(state, role, item.owner):
        return None
    roles = state.memberships.privileges_of(role, None) | {PUBLIC}
    return tuple(policy for policy in security.policies if not roles.isdisjoint(policy.roles))


def require_owner_of_policies(state: CatalogState, role: int, table: Item) -> None:
    """Raises SqlError 42501 for roles that may neither drop a table's policies nor comment on policies."""
    if not owns(state, role, item_securable(state, table)):
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, f"must be owner of relation {table.name}")


def reader_beneath(view: Item, invoker: int) -> int:
    """Returns the role by whose rights the relations in a view are read. With security_invoker it is the role that
    executes the statement, as in PostgreSQL, regardless of views in between."""
    assert isinstance(view.definition, View)
    return invoker if view.definition.as_invoker else view.owner


def require_unbound_keepers(state: CatalogState) -> None:
    """Raises SqlError 0A000 for what is maintained over a table by a role that the table's row security binds."""
    secured = {id for id, item in state.items.items() if is_secured(item)}
    if not secured:
        return
    for item in state.items.values():
        if not isinstance(item.definition, Computed | Sink):
            continue
        if isinstance(item.definition, Index) and item.definition.on.id in secured:
            # A table's own indexes are read through the table.
            continue
        for table, reader in _reading(state, item):
            if table in secured and binding_policies(state, state.items[table], reader) is not None:
                named = quote(state.items[table].name)
                raise NotSupported(
                    f"row-level security of table {named} for the owner of {item.kind.value} {quote(item.name)}",
                    hint="It is kept once for all readers. Let a role own it that row-level security does not bind.",
                )


def _reading(state: CatalogState, keeper: Item) -> Iterator[tuple[GlobalId, int]]:
    """Yields the tables that a maintained item reads, each with the role by whose rights it does."""
    waiting = [(id, keeper.owner, keeper.owner) for id in keeper.depends_on]
    seen = set[tuple[GlobalId, int, int]]()
    while waiting:
        id, reader, invoker = waiting.pop()
        item = state.items.get(id)
        if item is None or (id, reader, invoker) in seen:
            continue
        seen.add((id, reader, invoker))
        if isinstance(item.definition, View):
            beneath = reader_beneath(item, invoker)
            waiting += [(each, beneath, invoker) for each in item.depends_on]
        elif isinstance(item.definition, FunctionDefinition):
            caller = item.owner if item.definition.rules.definer else invoker
            waiting += [(each, caller, caller) for each in item.depends_on]
        elif isinstance(item.definition, Table):
            yield id, reader
