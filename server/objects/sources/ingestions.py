"""The installed ingestions: described to the replica, and followed, to keep the timeline up with the sources.

A source's collections have uppers of their own. When a collection is complete beyond the time of present reads, the
timeline advances past its upper: a strict read that begins now sees every complete record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from catalog.declared.snapshot import SourceFigures, SourceStatus, TaskCondition
from catalog.facts.roles.decide import is_superuser
from catalog.facts.upstream_tables import followed_tables
from catalog.nouns.connections import Connection
from catalog.nouns.items import Item
from catalog.nouns.sources import (
    Source,
    SourceTable,
)
from catalog.state.catalog_state import CatalogState
from compute.controller.dataflows import DataflowController
from compute.controller.replication import ExportFrontiers
from compute.protocol.response import DataflowStatus
from connectors.registry.place import RegistryPlace
from connectors.sources.description import (
    BindingPolicy,
    CollectionType,
    Follower,
    IngestionDescription,
    ReclockedCollection,
    StorageCollectionId,
    members,
)
from connectors.system import InstalledSource
from connectors.upstream import UpstreamPlace
from model.errors.sql_error import SqlError
from model.external.records import RecordEncoding, registries_of
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from model.time.clock import Clock
from model.time.timestamp import Timestamp, step_back
from server.ledgers.conditions import Conditions, at
from server.ledgers.server_access import ServerAccess
from server.objects.maintained.description import shard_desc
from server.secrets.keyring import Keyring
from server.secrets.stored import secrets_of
from storage.controller import StorageController
from storage.persist.shard import PreparedWrite

_STILL_MS = 5_000
"""A source that is bound no further for so long stands still: it is bound each second, also while upstream is away."""


@dataclass(slots=True)
class Ingestions:
    """The running sources of an environment. `carry` is told up to when a source is complete."""

    clock: Clock
    keyring: Keyring
    storage: StorageController
    controller: DataflowController
    access: ServerAccess
    carry: Callable[[Timestamp], None]
    _installed: dict[GlobalId, IngestionDescription] = field(default_factory=dict)
    """By the source that is read, or that tells of the transactions of those that are bound together."""
    _clusters: dict[GlobalId, int] = field(default_factory=dict)
    _sources: dict[GlobalId, IngestionDescription] = field(default_factory=dict)
    _collections: dict[GlobalId, GlobalId] = field(default_factory=dict)
    _conditions: Conditions = field(init=False)

    def __post_init__(self) -> None:
        self._conditions = Conditions(self.clock)
        self.controller.on_frontiers(self._moved)
        self.controller.on_status(self._changed)

    def prepare_shards(self, item: Item, at: Antichain, retain_ms: int) -> list[PreparedWrite]:
        """Returns writes that create the shards of a new source, or of a table of a source: empty, and readable from
        `at` on."""
        assert isinstance(item.definition, Source | SourceTable)
        descs = {item.id: shard_desc(item.desc)}
        if isinstance(item.definition, Source):
            descs[GlobalId.remapping(item.id)] = item.definition.gauge.remap_desc
        return [
            self.storage.prepare_create(id_, desc, at, at, retain_ms=retain_ms).write for id_, desc in descs.items()
        ]

    def install(self, item: Item, state: CatalogState) -> None:
        """Begins or resumes a source, and the sources bound together with it; the shards exist. Raises SqlError when a
        secret can't be read, or files are switched off."""
        assert isinstance(item.definition, Source)
        if (refused := self.access.to_source(item.definition.system)) is not None:
            raise refused
        together = bound_together(item, state)
        for each in together:
            for connection in connections_of(each, state):
                if (refused := self.access.to_connection(connection)) is not None:
                    raise refused
                self.controller.tell_secrets(secrets_of(self.keyring, state, connection))
        head = together[0].id
        as_of = EMPTY
        for each in together:
            as_of = as_of.meet(self.storage.frontiers(each.id).since)
        description = grouped([ingestion_of(each, state, as_of) for each in together], together)
        first, known = together[0].definition, self._installed.get(head)
        assert isinstance(first, Source), "it tells of the others' transactions"
        cluster = first.cluster
        if known is not None and replace(known, as_of=as_of) == description and cluster == self._clusters[head]:
            return
        self._end(head)
        self._installed[head], self._clusters[head] = description, cluster
        for member in members(description):
            self._sources[member.source] = member
            self._collections |= dict.fromkeys(member.own_ids, member.source)
        self.controller.create_source(description, cluster)
        sources = [member.source for member in members(description)]
        self.controller.render_sources([StorageCollectionId(id_, each) for id_ in sources for each in CollectionType])

    def failed(self, source: GlobalId, error: SqlError) -> None:
        """Notes that the source can't be installed."""
        self._conditions.became(source, "stalled", error.message, error.hint)

    def drop(self, source: GlobalId) -> set[GlobalId]:
        """Ends a source, and returns the sources bound together with it, which are to be installed again if they
        still exist. Idempotent."""
        self._conditions.forget(source)
        heads = [head for head, each in self._installed.items() if source in (m.source for m in members(each))]
        return {id_ for head in heads for id_ in self._end(head)} - {source}

    def _end(self, head: GlobalId) -> list[GlobalId]:
        """Ends sources bound together, and returns them."""
        description = self._installed.pop(head, None)
        if description is None:
            return []
        del self._clusters[head]
        for id_ in description.export_ids:
            del self._collections[id_]
            self.controller.drop(id_)
        sources = [member.source for member in members(description)]
        for source in sources:
            del self._sources[source]
        return sources

    def shards_of(self, source: GlobalId) -> tuple[GlobalId, ...]:
        """Returns the collections written together with a source; none for a source without an ingestion."""
        description = self._sources.get(source)
        return () if description is None else description.export_ids

    def source_of(self, collection: GlobalId) -> GlobalId | None:
        """Returns the source of a collection."""
        return self._collections.get(collection)

    def statuses(self, state: CatalogState) -> tuple[SourceStatus, ...]:
        """Returns the statuses of all sources, by id."""
        sources = sorted(id_ for id_, item in state.items.items() if isinstance(item.definition, Source))
        return tuple(map(self._status, sources))

    def _status(self, source: GlobalId) -> SourceStatus:
        now, history = self._conditions.of(source)
        return SourceStatus(source, self._with_last_time(source, now), history, self._figures(source))

    def _with_last_time(self, source: GlobalId, condition: TaskCondition) -> TaskCondition:
        """Adds to a stalled source's status the time at which its rows can still be read: present reads wait."""
        upper = self.storage.frontiers(source).upper.time
        if condition.status != "stalled" or not upper or self.clock.now_ms() - upper < _STILL_MS:
            return condition
        told = f"Its rows are complete up to {upper - 1}: AS OF {upper - 1} reads them, where other reads wait."
        return replace(condition, hint=f"{condition.hint} {told}" if condition.hint else told)

    def _figures(self, source: GlobalId) -> SourceFigures | None:
        told = self.controller.reports.ingested(source)
        if told is None:
            return None
        counts = told.messages, told.bytes, told.updates, told.errors, told.bindings
        return SourceFigures(*counts, told.offset_known, told.offset_committed, at(told.bound_ms))

    def _changed(self, told: DataflowStatus) -> None:
        if told.id in self._sources:
            self._conditions.told(told)

    def _moved(self, id_: GlobalId, frontiers: ExportFrontiers) -> None:
        if id_ not in self._collections:
            return
        self.storage.note_written(id_)
        if id_ in self._sources and frontiers.upper.time:
            self.carry(step_back(frontiers.upper.time))


def connection_of(item: Item, state: CatalogState) -> Connection | None:
    """Returns a source's connection."""
    assert isinstance(item.definition, Source)
    id_ = item.definition.connection
    connection = None if id_ is None else state.items[id_].definition
    assert connection is None or isinstance(connection, Connection)
    return connection


def bound_together(item: Item, state: CatalogState) -> tuple[Item, ...]:
    """Returns the source and those bound together with it, by the transactions that the first describes."""
    assert isinstance(item.definition, Source)
    told = item.definition.transactions
    head = item if told is None else state.items[told.source]
    followers = (
        each
        for _, each in sorted(state.items.items())
        if isinstance(each.definition, Source)
        and each.definition.transactions is not None
        and each.definition.transactions.source == head.id
    )
    return (head, *followers)


def grouped(ingestions: list[IngestionDescription], items: tuple[Item, ...]) -> IngestionDescription:
    """Returns the description of sources bound together."""
    followers = []
    for each, item in zip(ingestions[1:], items[1:], strict=True):
        assert isinstance(item.definition, Source)
        told = item.definition.transactions
        assert told is not None, "it follows"
        followers.append(Follower(each.source, each.place, each.collections, told.counted_as))
    return replace(ingestions[0], followers=tuple(followers))


def connections_of(item: Item, state: CatalogState) -> tuple[Connection, ...]:
    """Returns all connections of a source: to its upstream, and to registries of schemas."""
    assert isinstance(item.definition, Source)
    read = (state.items[id_].depends_on for id_ in tables_of(state, item.id))
    named = item.definition.depends_on.union(*read)
    found = (state.items[id_].definition for id_ in sorted(named) if id_ in state.items)
    return tuple(each for each in found if isinstance(each, Connection))


def _registries(encoding: RecordEncoding, state: CatalogState) -> tuple[RegistryPlace, ...]:
    places = []
    for id_ in sorted(registries_of(encoding)):
        connection = state.items[id_].definition
        assert isinstance(connection, Connection)
        options = tuple((name, value) for name, value in connection.options if not isinstance(value, tuple))
        places.append(RegistryPlace(id_, options))
    return tuple(places)


def _policy(source: Source) -> BindingPolicy:
    usual = BindingPolicy()
    return BindingPolicy(
        source.interval_ms, source.records_max or usual.records_max, source.bytes_max or usual.bytes_max
    )


def tables_of(state: CatalogState, source: GlobalId) -> tuple[GlobalId, ...]:
    """Returns the tables of a source, by id."""
    tables = (
        id_
        for id_, item in state.items.items()
        if isinstance(item.definition, SourceTable) and item.definition.source_id == source
    )
    return tuple(sorted(tables))


def _collection(item: Item, state: CatalogState) -> ReclockedCollection:
    definition = item.definition
    assert isinstance(definition, Source | SourceTable)
    encoding = definition.encoding
    registries = _registries(encoding, state) if isinstance(encoding, RecordEncoding) else ()
    if isinstance(definition, Source):
        return ReclockedCollection(item.id, shard_desc(definition.desc), encoding, registries)
    known = definition.joins, definition.former, definition.error_at
    desc = shard_desc(definition.desc, definition.error_at)
    return ReclockedCollection(item.id, desc, encoding, registries, *known)


def ingestion_of(item: Item, state: CatalogState, as_of: Antichain) -> IngestionDescription:
    """Returns the description of a single source."""
    source, connection = item.definition, connection_of(item, state)
    assert isinstance(source, Source)
    collections = tuple(_collection(state.items[id_], state) for id_ in (item.id, *tables_of(state, item.id)))
    return IngestionDescription(item.id, _place(item, source, connection, state), collections, _policy(source), as_of)


def _place(item: Item, source: Source, connection: Connection | None, state: CatalogState) -> UpstreamPlace:
    others, options = False, {}
    if source.connection is not None and connection is not None:
        others = not is_superuser(state, state.items[source.connection].owner)
        options = dict(connection.options)
    tables = tuple(followed_tables(state, item.id).values())
    installed = InstalledSource(item.id, item.created_ms, item.desc, options, others, tables)
    return source.system.place(source.records, installed)
