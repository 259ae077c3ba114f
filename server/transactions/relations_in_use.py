"""Relations that an open cursor of the session reads keep their form and their rows until the cursor is closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from catalog.changes.apply import apply
from catalog.changes.change import (
    AlterTable,
    Change,
    CreateItem,
    DropDatabase,
    DropItems,
    DropSchemas,
    RebuildItems,
)
from catalog.changes.policies import AddedPolicy, ChangedPolicy, DroppedPolicy
from catalog.changes.roles.role_changes import ChangeOwner
from catalog.nouns.items import Index
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId


def require_unused(used: frozenset[GlobalId], state: CatalogState, changes: Sequence[Change]) -> None:
    """Raises SqlError 55006 for catalog changes that drop or alter relations in use."""
    for change in changes:
        for id_, command in _touched(state, change):
            refuse_in_use(used, state, id_, command)
        state = apply(state, (change,))


def refuse_in_use(used: frozenset[GlobalId], state: CatalogState, id_: GlobalId, command: str) -> None:
    """Raises SqlError 55006 where `command` is about a relation in use."""
    if id_ in used:
        message = (
            f'cannot {command} "{state.items[id_].name}" because it is being used by active queries in this session'
        )
        raise SqlError(Sqlstate.OBJECT_IN_USE, message)


def _touched(state: CatalogState, change: Change) -> Iterator[tuple[GlobalId, str]]:
    """Yields the relations that a change drops or alters, with the command's words."""
    match change:
        case DropItems() | DropSchemas() | DropDatabase():
            left = apply(state, (change,)).items
            gone = (item for item in state.items.values() if item.id not in left)
            yield from ((item.id, f"DROP {item.kind.value.upper()}") for item in gone)
        case AlterTable(change=AddedPolicy() | ChangedPolicy() | DroppedPolicy()):
            pass
        case AlterTable(id=id_):
            yield id_, "ALTER TABLE"
        case RebuildItems(rebuilt=rebuilt):
            yield from ((before, "ALTER TABLE") for before, _ in rebuilt)
        case ChangeOwner(oid=oid):
            item = state.item_by_oid(oid)
            if item is not None:
                yield item.id, "ALTER TABLE"
        case CreateItem(definition=Index() as index):
            yield index.on.id, "CREATE INDEX"
        case _:
            pass
