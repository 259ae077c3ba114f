"""Named read holds in a catalog: lookup, creation and ownership. They belong to no schema, as roles don't."""

from __future__ import annotations

from catalog.nouns.items import Item, Maintained, ReadHold
from catalog.nouns.names import quote
from catalog.nouns.notices import Notice
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId


def read_hold_named(state: CatalogState, name: str) -> ReadHold:
    """Returns the hold; raises SqlError 42704 when there is none."""
    hold = state.read_holds.get(name)
    if hold is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'read hold "{name}" does not exist')
    return hold


def require_owner(state: CatalogState, hold: ReadHold, user: str) -> None:
    """Raises SqlError 42501 unless `user` owns the hold, or is a superuser."""
    role = state.role_named(user)
    if role is None or not (role.superuser or role.oid == hold.owner):
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, f"must be owner of read hold {hold.name}")


def require_free_name(state: CatalogState, name: str) -> None:
    """Raises SqlError 42710 when there is such a hold."""
    if name in state.read_holds:
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, f'read hold "{name}" already exists')


def create_read_hold(state: CatalogState, hold: ReadHold) -> CatalogState:
    require_free_name(state, hold.name)
    if any(held.id not in state.items for held in hold.objects):
        raise SqlError(Sqlstate.UNDEFINED_TABLE, "relation was dropped by a concurrent statement")
    existing = {collection for item in state.items.values() for collection in _collections(item)}
    if any(id not in existing for held in hold.objects for id in held.inputs):
        raise SqlError(Sqlstate.SERIALIZATION_FAILURE, "what is held was replaced by a concurrent statement")
    return edits.with_read_hold(state, hold)


def _collections(item: Item) -> tuple[GlobalId, ...]:
    """Returns the ids under which the item's contents may be stored."""
    return (item.id, item.definition.collection) if isinstance(item.definition, Maintained) else (item.id,)


def lost_holds(before: CatalogState, after: CatalogState) -> list[Notice]:
    """Returns notices about holds whose objects a statement drops; the holds may be other users'."""
    notices: list[Notice] = []
    for name, hold in sorted(before.read_holds.items()):
        lost = [held.id for held in hold.objects if held.id not in after.items]
        if lost:
            dropped = ", ".join(quote(before.items[id_].name) for id_ in lost if id_ in before.items)
            gone = name not in after.read_holds
            message = f"read hold {quote(name)} {'is dropped with' if gone else 'no longer holds'} {dropped}"
            notices.append(Notice(Sqlstate.SUCCESSFUL_COMPLETION, message))
    return notices
