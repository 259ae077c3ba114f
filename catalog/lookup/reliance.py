"""Tracks the names that a transaction has used: until its end, each name must keep the same meaning.

A name's meaning depends on the search path: another session may create a namesake in an earlier schema. Items beneath a
view count by their definitions alone, since views bind by id.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import assert_never

from catalog.lookup.planner_view import StateCatalogView
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import (
    Composite,
    Definition,
    Domain,
    Enum,
    FunctionDefinition,
    Index,
    Item,
    MaterializedView,
    MultirangeDefinition,
    RangeDefinition,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.sinks import Sink, SinkProgress
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.webhooks import WebhookSource
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId


class Reliance:
    """The reliance of one transaction. All states here are committed ones: a transaction's own changes never make it
    fail."""

    def __init__(self) -> None:
        self._items: dict[GlobalId, Item] = {}
        self._names: dict[tuple[GlobalId, str, tuple[str, ...]], CatalogState] = {}
        self._least_version: int | None = None

    @property
    def items(self) -> Set[GlobalId]:
        """Returns what statements have named, and what lies beneath."""
        return self._items.keys()

    def note(self, ids: Iterable[GlobalId], state: CatalogState, database: str, search_path: tuple[str, ...]) -> None:
        """Notes that a statement planned in `state` named `ids`."""
        for id_ in ids:
            if id_ in state.items and (id_, database, search_path) not in self._names:
                self._names[id_, database, search_path] = state
                for each in state.items_under(id_):
                    self._items.setdefault(each, state.items[each])
        least = self._least_version
        self._least_version = state.version if least is None else min(least, state.version)

    def holds_in(self, state: CatalogState) -> bool:
        """Tells whether everything noted still means the same in `state`."""
        if self._least_version is None or self._least_version == state.version:
            return True
        for id_, item in self._items.items():
            if not unchanged(item, state.items.get(id_)):
                return False
        return all(
            before.version == state.version
            or _named(before, id_, database, search_path) == _named(state, id_, database, search_path)
            for (id_, database, search_path), before in self._names.items()
        )


def unchanged(item: Item, present: Item | None) -> bool:
    """Tells whether an item is there still and shows the same rows."""
    if present is None:
        return False
    return present is item or _shown(present.definition) == _shown(item.definition)


def _named(state: CatalogState, id_: GlobalId, database: str, search_path: tuple[str, ...]) -> tuple[object, ...]:
    """Returns the item's full name, and the id that its bare name means to the session."""
    item = state.items[id_]
    found = StateCatalogView(state).resolve_item((item.name,), search_path, database)
    return state.full_name(item), None if found is None else found.id


def _shown(definition: Definition) -> object:
    """Returns the part of a definition that decides which rows are read."""
    match definition:
        case Table(desc=desc, row_security=security):
            return desc, security
        case View(desc=desc, create_sql=sql, references=references):
            return desc, sql, references
        case MaterializedView(desc=desc, create_sql=sql, references=references):
            return desc, sql, references
        case Source(desc=desc) | SourceTable(desc=desc) | SourceProgress(desc=desc) | WebhookSource(desc=desc):
            return desc
        case SinkProgress():
            return definition.desc
        case Index() | SequenceDefinition() | Secret() | Connection() | Sink():
            return None
        case Enum() | Domain() | Composite() | RangeDefinition() | MultirangeDefinition() | FunctionDefinition():
            return definition
        case _:
            assert_never(definition)
