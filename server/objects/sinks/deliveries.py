"""The installed sinks: described to the replica, and followed, so that unwritten input stays readable.

A sink holds its input at T - 1, where T is the upper of its recovery log: all updates before T are in the destination.
The log is a shard, so T survives a crash, and the hold is taken again before anything is compacted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from catalog.declared.snapshot import SinkFigures, SinkStatus
from catalog.nouns.connections import Connection
from catalog.nouns.items import Item, MaterializedView
from catalog.nouns.sinks import Sink, ViewSink
from catalog.nouns.sources import Source, SourceTable
from catalog.state.catalog_state import CatalogState
from compute.controller.dataflows import DataflowController
from compute.controller.replication import ExportFrontiers
from compute.protocol.response import DataflowStatus
from connectors.sinks.description import SinkDescription
from connectors.sinks.recovery_log import LOG_DESC
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import MINIMUM, Antichain
from model.time.clock import Clock
from model.time.timestamp import Timestamp, step_back
from server.ledgers.conditions import Conditions
from server.ledgers.server_access import ServerAccess
from server.objects.maintained.description import collection_of, error_at
from server.objects.sinks.places import sink_place
from server.secrets.keyring import Keyring
from server.secrets.stored import secrets_of
from storage.controller import StorageController
from storage.holds import StorageReadHold
from storage.persist.shard import PreparedWrite


@dataclass(slots=True)
class Deliveries:
    """The installed sinks."""

    clock: Clock
    keyring: Keyring
    storage: StorageController
    controller: DataflowController
    access: ServerAccess
    _installed: dict[GlobalId, SinkDescription] = field(default_factory=dict)
    _holds: dict[GlobalId, StorageReadHold] = field(default_factory=dict)
    _conditions: Conditions = field(init=False)

    def __post_init__(self) -> None:
        self._conditions = Conditions(self.clock)
        self.controller.on_frontiers(self._moved)
        self.controller.on_status(self._changed)
        self.controller.on_versions(self._reads)

    def prepare_log(self, item: Item, at: Antichain, retain_ms: int) -> PreparedWrite:
        """Returns the recovery log of a sink that comes to be: nothing is written yet."""
        return self.storage.prepare_create(item.id, LOG_DESC, at, at, retain_ms=retain_ms).write

    def install(self, item: Item, state: CatalogState) -> None:
        """Begins or resumes a sink, unless paused or with a target switched off: unwritten input is held in any
        case. Log and input exist. Raises SqlError when a secret can't be read."""
        assert isinstance(item.definition, Sink)
        refused = self.access.to_sink(item.definition.target)
        for id_ in item.definition.connections:
            connection = state.items[id_].definition
            assert isinstance(connection, Connection)
            refused = refused or self.access.to_connection(connection)
            self.controller.tell_secrets(secrets_of(self.keyring, state, connection))
        description = sink_description(item, state)
        hold = self._held(item.id, GlobalId.parse(description.input))
        self.drop(item.id)
        self._holds[item.id] = hold
        if item.definition.paused:
            self._conditions.became(item.id, "paused", item.definition.why_paused or None)
            return
        if refused is not None:
            self.failed(item.id, refused)
            return
        self._installed[item.id] = description = replace(description, as_of=hold.frontier)
        self.controller.create_sink(description, item.definition.cluster)
        self.controller.schedule(item.id)
        self.controller.allow_writes(item.id)

    def _held(self, sink: GlobalId, input_: GlobalId) -> StorageReadHold:
        """Holds the input from the sink's frontier on, as far as it is readable."""
        log, since = self.storage.frontiers(sink), self.storage.frontiers(input_).since
        begun = log.upper.time is not None and not log.upper.precedes(log.since)
        at = Antichain(step_back(log.upper.time)) if begun and log.upper.time is not None else since
        return self.storage.reads.hold(input_, since.join(at).time)

    def failed(self, sink: GlobalId, error: SqlError) -> None:
        """Notes that the sink can't be installed."""
        self._conditions.became(sink, "stalled", error.message, error.hint)

    def drop(self, sink: GlobalId) -> None:
        """Ends a sink. The destination keeps its contents. Idempotent."""
        if self._installed.pop(sink, None) is not None:
            self.controller.drop(sink)
        if (hold := self._holds.pop(sink, None)) is not None:
            hold.release()

    def forget(self, sink: GlobalId) -> None:
        """Forgets a dropped sink."""
        self.drop(sink)
        self._conditions.forget(sink)

    def statuses(self, state: CatalogState) -> tuple[SinkStatus, ...]:
        """Returns the statuses of all sinks, by id."""
        sinks = sorted(id_ for id_, item in state.items.items() if isinstance(item.definition, Sink))
        return tuple(map(self._status, sinks))

    def _status(self, sink: GlobalId) -> SinkStatus:
        return SinkStatus(sink, *self._conditions.of(sink), self._figures(sink))

    def _figures(self, sink: GlobalId) -> SinkFigures | None:
        told, description = self.controller.reports.delivered(sink), self._installed.get(sink)
        if told is None or description is None:
            return None
        log, input_ = self.storage.frontiers(sink), GlobalId.parse(description.input)
        written, upper = log.upper.time or 0, self.storage.frontiers(input_).upper.time or 0
        behind = written == 0 or self.storage.reads.changed_after(input_, step_back(Timestamp(written)))
        counts = told.transactions, told.loaded, told.stored, told.bytes, told.commit_ms
        return SinkFigures(*counts, written, max(0, upper - written) if behind else 0)

    def _changed(self, told: DataflowStatus) -> None:
        if told.id in self._installed:
            self._conditions.told(told)

    def _moved(self, id_: GlobalId, frontiers: ExportFrontiers) -> None:
        hold = self._holds.get(id_)
        if hold is None:
            return
        self.storage.note_written(id_)
        durable = frontiers.durable.time
        if durable:
            needed = Antichain(step_back(durable))
            if hold.frontier.precedes(needed):
                hold.downgrade(needed)

    def _reads(self, id_: GlobalId, versions: Mapping[str, int]) -> None:
        hold = self._holds.get(id_)
        if hold is not None:
            for seqno in versions.values():
                hold.reads_from(seqno)


def sink_description(item: Item, state: CatalogState) -> SinkDescription:
    """Returns the replica's description of a sink, without holds."""
    sink = item.definition
    assert isinstance(sink, Sink)
    source, kept = state.items[sink.source_id], isinstance(sink, ViewSink)
    return SinkDescription(
        sink=item.id,
        name="-".join(filter(None, (str(item.id), str(item.created_ms), sink.lineage))),
        input=str(sink.collection if isinstance(sink, ViewSink) else collection_of(state, source.id)),
        desc=source.desc,
        fallible=kept or isinstance(source.definition, MaterializedView | Source | SourceTable),
        columns=sink.columns,
        names=sink.names,
        key=sink.key,
        enforced=sink.enforced,
        place=sink_place(sink.target, state),
        policy=sink.policy,
        as_of=MINIMUM,
        sums=sink.sums,
        error_at=error_at(source, source.desc),
        generation=sink.generation,
    )
