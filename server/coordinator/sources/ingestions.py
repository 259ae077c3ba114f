"""The ingestions that are installed: told to the replica, and followed, so that the timeline keeps up with them.

A source's collections have uppers of their own. When one is complete beyond the time at which reads are answered, the
timeline is carried past it, so that a strict read that begins now sees what was complete before.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from catalog.builtin.snapshot import SourceFigures, SourceStatus
from catalog.connections import Connection
from catalog.items import Item
from catalog.sources import Source
from catalog.state import CatalogState
from compute.controller.dataflows import DataflowController, ExportFrontiers
from compute.protocol.response import DataflowPhase, DataflowStatus
from model.antichain import Antichain
from model.clock import Clock
from model.errors import SqlError
from model.global_id import GlobalId
from model.timestamp import Timestamp, step_back
from planner.statements.connections.checked_options import security_protocol
from server.coordinator.maintained.description import shard_desc
from server.secrets.keyring import Keyring
from server.secrets.stored import secrets_of
from storage.controller import StorageController
from storage.persist.shard import PreparedWrite
from storage.sources.description import (
    BindingPolicy,
    CollectionType,
    IngestionDescription,
    KafkaTopic,
    ReclockedCollection,
    StorageCollectionId,
)
from storage.sources.gauge import KAFKA_OFFSETS
from storage.sources.kafka.settings import kafka_settings, secret_settings

_STATUSES = {
    DataflowPhase.CREATED: "starting",
    DataflowPhase.HYDRATING: "starting",
    DataflowPhase.RUNNING: "running",
    DataflowPhase.FAILING: "stalled",
    DataflowPhase.FINISHED: "dropped",
}


@dataclass(slots=True)
class Ingestions:
    """`carry` is told up to when a source is complete."""

    clock: Clock
    keyring: Keyring
    storage: StorageController
    controller: DataflowController
    carry: Callable[[Timestamp], None]
    _sources: dict[GlobalId, IngestionDescription] = field(default_factory=dict)
    _collections: dict[GlobalId, GlobalId] = field(default_factory=dict)
    _statuses: dict[GlobalId, SourceStatus] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.controller.on_frontiers(self._moved)
        self.controller.on_status(self._changed)

    def prepare_shards(self, item: Item, at: Antichain, retain_ms: int) -> list[PreparedWrite]:
        """The shards of a source that comes to be: empty, and readable from `at` on."""
        assert isinstance(item.definition, Source)
        remap_desc = KAFKA_OFFSETS.remap_desc
        descs = {GlobalId.remapping(item.id): remap_desc, item.id: shard_desc(item.definition)}
        return [
            self.storage.prepare_create(id_, desc, at, at, retain_ms=retain_ms).write for id_, desc in descs.items()
        ]

    def install(self, item: Item, state: CatalogState) -> None:
        """Begins it, or goes on with it; its shards exist. SqlError when a secret can't be read."""
        connection = connection_of(item, state)
        if connection is not None:
            self.controller.tell_secrets(secrets_of(self.keyring, state, connection))
        description = ingestion_of(item, connection, self.storage.frontiers(item.id).since)
        self._sources[item.id] = description
        self._collections |= dict.fromkeys(description.export_ids, item.id)
        self.controller.create_source(description)
        self.controller.render_sources([StorageCollectionId(item.id, each) for each in CollectionType])

    def failed(self, source: GlobalId, error: SqlError) -> None:
        """The source can't be installed."""
        self._statuses[source] = SourceStatus(source, "stalled", error.message, _at(self.clock.now_ms()))

    def drop(self, source: GlobalId) -> None:
        """Idempotent."""
        description = self._sources.pop(source, None)
        self._statuses.pop(source, None)
        for id_ in () if description is None else description.export_ids:
            del self._collections[id_]
            self.controller.drop(id_)

    def shards_of(self, source: GlobalId) -> tuple[GlobalId, ...]:
        """The collections that are written together; none of a source that is not ingested."""
        description = self._sources.get(source)
        return () if description is None else description.export_ids

    def source_of(self, collection: GlobalId) -> GlobalId | None:
        """The source that a collection belongs to."""
        return self._collections.get(collection)

    def statuses(self, state: CatalogState) -> tuple[SourceStatus, ...]:
        """Of all sources, by id."""
        sources = sorted(id_ for id_, item in state.items.items() if isinstance(item.definition, Source))
        statuses = (self._statuses.get(id_) or SourceStatus(id_, "starting", None, None) for id_ in sources)
        return tuple(replace(status, figures=self._figures(status.id)) for status in statuses)

    def _figures(self, source: GlobalId) -> SourceFigures | None:
        told = self.controller.ingested(source)
        if told is None:
            return None
        counts = told.messages, told.bytes, told.updates, told.errors, told.bindings
        return SourceFigures(*counts, told.offset_known, told.offset_committed, _at(told.bound_ms))

    def _changed(self, told: DataflowStatus) -> None:
        if told.id in self._sources:
            status, error = _STATUSES[told.phase], told.message or None
            if status == "running" and error is not None:
                status = "stalled"
            known = self._statuses.get(told.id)
            if known is None or (known.status, known.error) != (status, error):
                self._statuses[told.id] = SourceStatus(told.id, status, error, _at(self.clock.now_ms()))

    def _moved(self, id_: GlobalId, frontiers: ExportFrontiers) -> None:
        if id_ not in self._collections:
            return
        self.storage.note_written(id_)
        if id_ in self._sources and frontiers.upper.time:
            self.carry(step_back(frontiers.upper.time))


def _at(wall_ms: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(wall_ms / 1000, datetime.UTC)


def connection_of(item: Item, state: CatalogState) -> Connection | None:
    """The connection that a source uses."""
    assert isinstance(item.definition, Source)
    id_ = item.definition.records.connection
    connection = None if id_ is None else state.items[id_].definition
    assert connection is None or isinstance(connection, Connection)
    return connection


def ingestion_of(item: Item, connection: Connection | None, as_of: Antichain) -> IngestionDescription:
    """What the replica is told of a source."""
    source = item.definition
    assert isinstance(source, Source)
    records = source.records
    settings: tuple[tuple[str, str], ...] = records.settings
    secrets: tuple[tuple[str, GlobalId], ...] = ()
    if connection is not None:
        options = dict(connection.options)
        secrets = secret_settings(options)
        hidden = {name for name, _ in secrets}
        known = kafka_settings(options, security_protocol(options), dict.fromkeys(connection.secrets, ""))
        settings = tuple((name, value) for name, value in known.items() if name not in hidden)
    return IngestionDescription(
        item.id,
        KafkaTopic(settings, records.topic, records.start, secrets),
        (ReclockedCollection(item.id, shard_desc(source), source.encoding),),
        BindingPolicy(interval_ms=source.interval_ms),
        as_of,
    )
