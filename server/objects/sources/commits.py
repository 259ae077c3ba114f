"""DDL's effects on sources: shards made and dropped in a commit, ingestions begun and ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from catalog.nouns.items import Item
from catalog.nouns.sources import Source, SourceTable
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from server.ledgers.committed_catalog import CatalogCommit
from server.objects.maintained.as_of import Bounds
from server.objects.maintained.dataflows import MaintainedDataflows
from server.objects.maintained.description import shard_desc
from server.objects.sources.ingestions import Ingestions, connections_of, tables_of
from server.objects.sources.left_slots import LeftSlots
from storage.persist.shard import PreparedWrite
from timeline.commit_part import CommitPart


@dataclass(slots=True)
class SourcesCommit(CommitPart):
    catalog: CatalogCommit
    ingestions: Ingestions
    dataflows: MaintainedDataflows
    left_slots: LeftSlots
    _created: tuple[Item, ...] = ()
    _dropped: tuple[Item, ...] = ()
    _made: tuple[Item, ...] = ()
    _gone: tuple[Item, ...] = ()
    """Tables of sources."""
    _widened: tuple[Item, ...] = ()
    """Those that have more columns than before."""
    _reached_anew: tuple[Item, ...] = ()
    _retained_anew: tuple[Item, ...] = ()
    begun: dict[GlobalId, Bounds] = field(default_factory=dict)
    """Collections that come to be in this commit."""

    def validate(self, timestamp: Timestamp) -> None:
        before, after = self.catalog.before, self.catalog.after
        old, new = _sources(before), _sources(after)
        tables, left = _tables(before), _tables(after)
        self._made = tuple(item for id_, item in left.items() if id_ not in tables)
        self._gone = tuple(item for id_, item in tables.items() if id_ not in left)
        self._created = tuple(item for id_, item in new.items() if id_ not in old)
        self._dropped = tuple(item for id_, item in old.items() if id_ not in new)
        self._reached_anew = tuple(
            item
            for id_, item in new.items()
            if id_ in old and (_run(before, item) != _run(after, item) or _read(before, id_) != _read(after, id_))
        )
        self._widened = tuple(
            item for id_, item in left.items() if id_ in tables and tables[id_].desc.arity != item.desc.arity
        )
        stored = {**old, **tables}
        self._retained_anew = tuple(
            item
            for id_, item in {**new, **left}.items()
            if id_ in stored and stored[id_].retain_history_ms != item.retain_history_ms
        )

    async def prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        """Returns writes that create and drop shards, and change their retention."""
        storage, lower = self.ingestions.storage, self.catalog.lower
        writes = []
        self.begun = {}
        for item in (*self._created, *self._made):
            writes += self.ingestions.prepare_shards(item, lower, self.dataflows.retention(item))
            self.begun |= dict.fromkeys(_collections(item), Bounds(lower, lower))
        writes += [storage.prepare_drop(id_) for item in (*self._dropped, *self._gone) for id_ in _collections(item)]
        writes += [
            storage.prepare_retention(id_, self.dataflows.retention(item))
            for item in self._retained_anew
            for id_ in _collections(item)
        ]
        for item in self._widened:
            assert isinstance(item.definition, SourceTable)
            desc = shard_desc(item.desc, item.definition.error_at)
            writes.append(storage.prepare_widening(item.id, desc))
        return writes

    def applied(self, timestamp: Timestamp) -> None:
        after = self.catalog.after
        left: set[GlobalId] = set()
        for item in (*self._dropped, *self._reached_anew):
            left |= self.ingestions.drop(item.id)
        again = [after.items[id_] for id_ in sorted(left) if id_ in after.items]
        for item in (*self._created, *self._reached_anew, *again):
            try:
                self.ingestions.install(item, after)
            except SqlError as error:
                # The commit is durable, so what can't begin says why, as at a start.
                self.ingestions.failed(item.id, error)
        self.left_slots.drop(after)


def _sources(state: CatalogState) -> dict[GlobalId, Item]:
    return {id_: item for id_, item in state.items.items() if isinstance(item.definition, Source)}


def _tables(state: CatalogState) -> dict[GlobalId, Item]:
    return {id_: item for id_, item in state.items.items() if isinstance(item.definition, SourceTable)}


def _run(state: CatalogState, item: Item) -> tuple[object, ...]:
    """Returns how a source is run: by which cluster, with which connections and secrets."""
    connections = connections_of(item, state)
    secrets = (id_ for connection in connections for id_ in sorted(connection.secrets))
    source = state.items[item.id].definition
    assert isinstance(source, Source)
    return (source.cluster, *connections, *(state.items[id_].definition for id_ in secrets))


def _read(state: CatalogState, source: GlobalId) -> tuple[object, ...]:
    """Returns the tables that read from a source, and how often each has been refreshed."""
    tables = [(id_, state.items[id_].definition) for id_ in tables_of(state, source)]
    return tuple((id_, table.joins) for id_, table in tables if isinstance(table, SourceTable))


def _collections(item: Item) -> tuple[GlobalId, ...]:
    return (item.id,) if isinstance(item.definition, SourceTable) else (GlobalId.remapping(item.id), item.id)
