"""The committed catalog: its newest state, its history, and changes as part of a group commit."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.changes.auditing import Auditing
from catalog.changes.change import Change
from catalog.declared.snapshot import AuditEvent
from catalog.durable.history import CatalogHistory
from catalog.durable.rows import CATALOG_DESC, CATALOG_SHARD_ID, CatalogRow, diff
from catalog.nouns.items import Table, WrittenDefinition
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.updates.update import Update, updates_to_arrow
from server.ledgers.audit_log import AUDIT_SHARD_ID, AuditLog
from storage.controller import StorageController
from storage.persist.shard import PreparedWrite
from timeline.commit_part import CommitPart
from timeline.durable_oracle import DurableOracle


class CommittedCatalog:
    """The committed catalog, and what was done to it. Only the group committer changes it, one request at a time."""

    def __init__(self, state: CatalogState, history: CatalogHistory, changed_at: Timestamp, audit: AuditLog) -> None:
        self.state = state
        self.audit = audit
        self.history = history
        self.changed_at = changed_at
        self.allocator = IdAllocator(state)

    def at(self, time: Timestamp) -> CatalogState:
        """Returns the state at a time at or after the history's since."""
        return self.state if time >= self.changed_at else self.history.at(time)

    def adopt(self, state: CatalogState, delta: Sequence[tuple[CatalogRow, int]], time: Timestamp) -> None:
        """Adopts the state that has become durable at `time`."""
        self.history.append(time, delta, self.state)
        self.state = state
        self.changed_at = time
        self.allocator.observe(state)


class CatalogCommit(CommitPart):
    """A transaction's catalog changes, if any, each with its author: the first part of a commit, which tells the other
    parts the catalog `before` and `after`. New collections begin at `lower`, the timeline's upper so far."""

    def __init__(
        self,
        catalog: CommittedCatalog,
        storage: StorageController,
        oracle: DurableOracle,
        changes: Sequence[Change],
        authors: Sequence[str | None],
    ) -> None:
        self._catalog = catalog
        self._storage = storage
        self._oracle = oracle
        self._changes = changes
        self._authors = authors
        self._events: list[AuditEvent] = []
        self._delta: list[tuple[CatalogRow, int]] = []
        self.before = self.after = catalog.state

    @property
    def lower(self) -> Antichain:
        return self._oracle.upper

    def validate(self, timestamp: Timestamp) -> None:
        """Applies the changes to the newest state; raises SqlError when they no longer fit."""
        self.before = self.after = self._catalog.state
        if self._changes:
            auditing = Auditing(self._catalog.audit.last, timestamp, self._authors)
            self.after = auditing.applied(self.before, self._changes)
            self._events = auditing.events
            self._delta = diff(self.before, self.after)

    async def prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        """Returns the catalog's own updates, and what is told of them."""
        if not self._changes:
            return ()
        table = updates_to_arrow([Update(row, timestamp, diff_) for row, diff_ in self._delta], CATALOG_DESC)
        upper = Antichain.at(timestamp + 1)
        prepared = [await self._storage.prepare_append(CATALOG_SHARD_ID, [table], self.lower, upper)]
        if self._events:
            told = self._catalog.audit.updates(self._events, timestamp)
            prepared.append(await self._storage.prepare_append(AUDIT_SHARD_ID, [told], self.lower, upper))
        return prepared

    def applied(self, timestamp: Timestamp) -> None:
        if self._changes:
            self._catalog.adopt(self.after, self._delta, timestamp)
            self._catalog.audit.add(self._events)


class TablesCommit(CommitPart):
    """The shards of tables and webhook sources that come, go and change with the catalog."""

    def __init__(self, catalog: CatalogCommit, storage: StorageController, retain_default_ms: int) -> None:
        self._catalog = catalog
        self._storage = storage
        self._retain_default_ms = retain_default_ms

    def created(self) -> dict[GlobalId, WrittenDefinition]:
        """Returns the new tables and webhook sources."""
        return {
            id_: item.definition
            for id_, item in self._catalog.after.items.items()
            if id_ not in self._catalog.before.items and isinstance(item.definition, WrittenDefinition)
        }

    def dropped(self) -> list[GlobalId]:
        """Returns the dropped tables and webhook sources."""
        return [
            id_
            for id_, item in self._catalog.before.items.items()
            if id_ not in self._catalog.after.items and isinstance(item.definition, WrittenDefinition)
        ]

    def retained_anew(self) -> dict[GlobalId, WrittenDefinition]:
        """Returns the tables and webhook sources whose RETAIN HISTORY changes."""
        anew = {}
        for id_, item in self._catalog.after.items.items():
            before, kept = self._catalog.before.items.get(id_), item.definition
            if before is None or before.definition is kept or not isinstance(kept, WrittenDefinition):
                continue
            if before.retain_history_ms != kept.retain_history_ms:
                anew[id_] = kept
        return anew

    def widened(self) -> dict[GlobalId, Table]:
        """Returns the tables with added columns."""
        return {
            id_: item.definition
            for id_, item in self._catalog.after.items.items()
            if isinstance(item.definition, Table)
            and id_ in self._catalog.before.items
            and self._catalog.before.items[id_].desc.arity != item.desc.arity
        }

    def _retain_ms(self, table: WrittenDefinition) -> int:
        return self._retain_default_ms if table.retain_history_ms is None else table.retain_history_ms

    async def prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        """Prepares the writes of new tables, which begin empty."""
        lower, prepared = self._catalog.lower, []
        for id_, definition in self.created().items():
            creation = self._storage.prepare_create(
                id_,
                definition.desc,
                lower,
                lower,
                timeline=True,
                retain_ms=self._retain_ms(definition),
            )
            prepared.append(creation.write)
        prepared.extend(
            self._storage.prepare_retention(id_, self._retain_ms(definition))
            for id_, definition in self.retained_anew().items()
        )
        prepared.extend(
            self._storage.prepare_widening(id_, definition.desc) for id_, definition in self.widened().items()
        )
        prepared.extend(self._storage.prepare_drop(id_) for id_ in self.dropped())
        return prepared
