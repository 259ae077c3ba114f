"""DDL's effects on sinks: logs made and dropped in a commit, deliveries begun and ended afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from catalog.nouns.connections import Connection
from catalog.nouns.items import Item
from catalog.nouns.sinks import Sink
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from server.ledgers.committed_catalog import CatalogCommit
from server.objects.maintained.dataflows import MaintainedDataflows
from server.objects.sinks.deliveries import Deliveries, sink_description
from storage.persist.shard import PreparedWrite
from timeline.commit_part import CommitPart


@dataclass(slots=True)
class SinksCommit(CommitPart):
    catalog: CatalogCommit
    deliveries: Deliveries
    dataflows: MaintainedDataflows
    _created: tuple[Item, ...] = ()
    _dropped: tuple[Item, ...] = ()
    _changed: tuple[Item, ...] = ()
    """What they write, or how it is reached, is another."""

    def validate(self, timestamp: Timestamp) -> None:
        before, after = self.catalog.before, self.catalog.after
        old, new = _sinks(before), _sinks(after)
        self._created = tuple(item for id_, item in new.items() if id_ not in old)
        self._dropped = tuple(item for id_, item in old.items() if id_ not in new)
        self._changed = tuple(
            item for id_, item in new.items() if id_ in old and _reached(old[id_], before) != _reached(item, after)
        )

    async def prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        """Returns writes that create and drop logs."""
        storage, dataflows, lower = self.deliveries.storage, self.dataflows, self.catalog.lower
        come = [self.deliveries.prepare_log(item, lower, dataflows.retain_default_ms) for item in self._created]
        return [*come, *(storage.prepare_drop(item.id) for item in self._dropped)]

    def applied(self, timestamp: Timestamp) -> None:
        """Installs and removes deliveries after the commit."""
        for item in self._dropped:
            self.deliveries.forget(item.id)
        for item in (*self._created, *self._changed):
            try:
                self.deliveries.install(item, self.catalog.after)
            except SqlError as error:
                # The commit is durable, so what can't begin says why, as at a start.
                self.deliveries.failed(item.id, error)


def _sinks(state: CatalogState) -> dict[GlobalId, Item]:
    return {id_: item for id_, item in state.items.items() if isinstance(item.definition, Sink)}


def _reached(item: Item, state: CatalogState) -> tuple[object, ...]:
    """Returns the facts that decide how a sink runs: if paused, where, its description, the connections' secrets."""
    assert isinstance(item.definition, Sink)
    connections = (state.items[id_].definition for id_ in item.definition.connections)
    secrets = sorted({id_ for each in connections if isinstance(each, Connection) for id_ in each.secrets})
    how = item.definition.paused, item.definition.cluster, sink_description(item, state)
    return *how, *(state.items[id_].definition for id_ in secrets)
