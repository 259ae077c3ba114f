"""Named read holds in a commit: the catalog lists them, storage holds their capabilities.

Both change in the group commit's single step, together with all other writes of the transaction: a consumer that stores
received rows and advances its hold in one transaction has done both, or neither.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from catalog.declared.snapshot import HeldStatus
from catalog.nouns.items import ReadHold
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from server.ledgers.committed_catalog import CatalogCommit
from storage.capabilities import new_held, renewed
from storage.controller import StorageController
from storage.persist.shard import PreparedWrite
from storage.persist.state import CapabilityKind, Held, Holder
from timeline.commit_part import CommitPart

Origin = Timestamp | str
"""Where a new capability begins: at a time, or where another one of the same collection, by its id, is."""


@dataclass(frozen=True, slots=True)
class HoldMove:
    """Moves the hold with the oid to `time` (None: stays), and begins its lease anew."""

    oid: int
    time: Timestamp | None


@dataclass(frozen=True, slots=True)
class _Change:
    """The changes on one collection: capabilities dropped, created (by id, with origin and lease), and moved."""

    dropped: tuple[str, ...]
    created: tuple[tuple[str, Origin, int | None], ...]
    moved: tuple[tuple[str, Timestamp | None], ...]


def in_force(storage: StorageController, hold: ReadHold) -> dict[GlobalId, Held]:
    """Returns the hold's capabilities by collection; raises SqlError 55000 for an expired hold, or a replaced
    object."""
    if any(held.replaced for held in hold.objects):
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f'what read hold "{hold.name}" is on was replaced',
            hint="What it shows now does not follow on what was held. DROP the hold, CREATE it again, and begin with "
            "a new snapshot.",
        )
    found = {id_: storage.held(id_, capability) for id_, capability in hold.capabilities}
    held = {id_: record for id_, record in found.items() if record is not None}
    if len(held) < len(found):
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f'read hold "{hold.name}" has expired',
            hint="What it held may be gone. DROP it, CREATE it again, and begin with a new snapshot.",
        )
    return held


class HoldCommit(CommitPart):
    """A transaction's changes of holds, validated against the states before and after its other changes."""

    def __init__(
        self,
        catalog: CatalogCommit,
        storage: StorageController,
        origins: Mapping[str, Origin],
        moves: tuple[HoldMove, ...],
    ) -> None:
        self._catalog = catalog
        self._storage = storage
        self._origins = origins
        self._moves = moves

    def validate(self, timestamp: Timestamp) -> None:
        """Raises SqlError when a hold, or the origin of a new capability, is no longer in force."""
        for move in self._moves:
            in_force(self._storage, _hold_with_oid(self._catalog.after, move.oid))
        for id_, change in self._changes():
            for _, origin, _ in change.created:
                if isinstance(origin, str) and self._storage.held(id_, origin) is None:
                    raise SqlError(
                        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, "the read hold has expired, or was dropped"
                    )

    async def prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        """Returns the capabilities' changes, one write a collection."""
        now = self._storage.clock.now_ms()
        writes = []
        for id_, change in self._changes():
            if not self._storage.exists(id_):
                continue  # dropped and forgotten: what was held there had expired, and only that can be dropped here
            put = []
            for capability, origin, lease_ms in change.created:
                frontier = Antichain(origin) if not isinstance(origin, str) else self._record(id_, origin).frontier
                put.append(new_held(capability, CapabilityKind.READ, frontier, Holder.USER, lease_ms, now))
            for capability, time in change.moved:
                record = renewed(self._record(id_, capability), now)
                put.append(record if time is None else replace(record, frontier=record.frontier.join(Antichain(time))))
            origins = {origin for _, origin, _ in change.created if isinstance(origin, str)}
            needs = sorted(origins | {capability for capability, _ in change.moved})
            # First what is put: a transferred capability's frontier is never let go in between.
            writes.append(self._storage.prepare_capabilities(id_, needs=needs, put=put))
            if change.dropped:
                writes.append(self._storage.prepare_capabilities(id_, drop=change.dropped))
        return writes

    def _record(self, id_: GlobalId, capability: str) -> Held:
        record = self._storage.held(id_, capability)
        assert record is not None, "validated at the same moment"
        return record

    def _changes(self) -> Iterator[tuple[GlobalId, _Change]]:
        after = self._catalog.after
        old, new = _capabilities(self._catalog.before), _capabilities(after)
        moves = {
            (id_, capability): move.time
            for move in self._moves
            for id_, capability in _hold_with_oid(after, move.oid).capabilities
        }
        for id_ in sorted({id_ for id_, _ in old.keys() ^ new.keys() | moves.keys()}):
            yield (
                id_,
                _Change(
                    dropped=tuple(c for i, c in sorted(old.keys() - new.keys()) if i == id_),
                    created=tuple(
                        (c, self._origins[c], new[i, c]) for i, c in sorted(new.keys() - old.keys()) if i == id_
                    ),
                    moved=tuple((c, time) for (i, c), time in moves.items() if i == id_),
                ),
            )


def held_statuses(storage: StorageController, state: CatalogState) -> dict[str, HeldStatus]:
    """Returns the capabilities of all holds that are in force, by id, for system relations."""
    statuses = {}
    for id_, capability in _capabilities(state):
        record = storage.held(id_, capability)
        if record is not None:
            expires = record.expires_ms
            at = None if expires is None else datetime.datetime.fromtimestamp(expires / 1000, datetime.UTC)
            statuses[capability] = HeldStatus(record.frontier, at)
    return statuses


def _capabilities(state: CatalogState) -> dict[tuple[GlobalId, str], int | None]:
    """Returns every hold's capabilities, with their leases."""
    return {held: hold.lease_ms for hold in state.read_holds.values() for held in hold.capabilities}


def _hold_with_oid(state: CatalogState, oid: int) -> ReadHold:
    """Returns the hold; raises SqlError 42704 for a dropped hold."""
    for hold in state.read_holds.values():
        if hold.oid == oid:
            return hold
    raise SqlError(Sqlstate.UNDEFINED_OBJECT, "the read hold was dropped by a concurrent statement")
