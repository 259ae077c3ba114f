"""The storage controller: the collections that there are, their frontiers, and durable changes of them.

    prepare_…, commit                              many changes in one durable step
    frontiers, wait_for_upper, advance_timeline    how far collections are complete; volatile
    reads                                          holds, snapshots, changes: see `CollectionReads`

The seed's commands, each durable on return, are above: see `SeedCommands`. A collection of the timeline is complete up
to the timeline's upper without any write of its own. `preconditions` fences every commit.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import pyarrow as pa

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import MINIMUM, Antichain
from model.time.capability import ReadCapability, WriteCapability
from model.time.clock import Clock, Randomness
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc
from storage.capabilities import as_read, as_write, expired, new_held
from storage.collection import Collection
from storage.persist.commit import CommitOutcome, Committed, Conflict, commit
from storage.persist.location import Blob, Consensus
from storage.persist.retry import retried
from storage.persist.runner import Runner, ThreadRunner
from storage.persist.shard import PreparedWrite, ShardMachine
from storage.persist.state import CapabilityKind, Held, Holder, Part
from storage.persist.transition import Refusal
from storage.persist.version import KEY_PREFIX
from storage.persist.write import PartWriter, Stage
from storage.reads import CollectionReads

FORGOTTEN_MAX = 1000
"""Dropped collections that are forgotten in one step."""


@dataclass(frozen=True, slots=True)
class StoredFrontiers:
    """Readable at times in [since, upper); `upper` counts the timeline's."""

    since: Antichain
    upper: Antichain


@dataclass(frozen=True, slots=True)
class Creation:
    """A prepared `create`, and the resulting capabilities."""

    write: PreparedWrite
    read_capability: ReadCapability
    write_capability: WriteCapability


class StorageController:
    """The controller of storage. Call `load` before use; all calls belong to one event loop."""

    def __init__(
        self,
        consensus: Consensus,
        blob: Blob,
        clock: Clock,
        randomness: Randomness,
        runner: Runner | None = None,
    ) -> None:
        self.consensus = consensus
        self.blob = blob
        self.clock = clock
        self.randomness = randomness
        self.runner = ThreadRunner() if runner is None else runner
        self.stage = Stage(blob, clock, randomness, self.runner)
        self.preconditions: Mapping[str, int | None] = {}
        self.timeline_upper = MINIMUM
        self._collections: dict[GlobalId, Collection] = {}
        self._awaited: dict[GlobalId, Collection] = {}
        self.reads = CollectionReads(self)

    # Collections

    async def load(self, ids: Iterable[GlobalId] | None = None) -> list[GlobalId]:
        """Reads the newest states of `ids` (default: of every collection); returns the ids that exist."""
        if ids is None:
            keys = await retried(lambda: self.consensus.list_keys(KEY_PREFIX), self.clock)
            ids = [GlobalId.parse(key.removeprefix(KEY_PREFIX)) for key in keys]
        loaded = []
        for id_ in ids:
            collection = self._collection_or_new(id_)
            await retried(collection.machine.refresh, self.clock)
            if collection.machine.exists:
                loaded.append(id_)
                collection.wake(self.timeline_upper)
        return loaded

    def note_written(self, id_: GlobalId) -> None:
        """Notes that another process has written the collection: its newest state is to be read before long."""
        if self.exists(id_):
            self.collection(id_).outdated = True

    async def refresh_written(self) -> None:
        """Reads the states of collections that other processes have written."""
        for collection in self.collections():
            if collection.outdated:
                collection.outdated = False
                await retried(collection.machine.refresh, self.clock)
                collection.wake(self.timeline_upper)

    def prepare_create(
        self,
        id_: GlobalId,
        desc: RelationDesc,
        since: Antichain,
        upper: Antichain,
        *,
        timeline: bool = False,
        retain_ms: int | None = None,
    ) -> Creation:
        """Prepares `create`, for `commit`."""
        token = self.randomness.token
        read = new_held(token(), CapabilityKind.READ, since, Holder.ENVIRONMENT)
        write = new_held(token(), CapabilityKind.WRITE, upper, Holder.ENVIRONMENT)
        machine = self._collection_or_new(id_).machine
        prepared = machine.prepare_create(
            desc, since, upper, timeline=timeline, retain_ms=retain_ms, held=(read, write)
        )
        return Creation(prepared, as_read(read, id_), as_write(write, id_))

    async def prepare_append(
        self,
        id_: GlobalId,
        updates: Sequence[pa.Table | Part],
        lower: Antichain,
        upper: Antichain,
        *,
        exact: bool = False,
        desc: RelationDesc | None = None,
    ) -> PreparedWrite:
        """Returns an append with the environment's right, for `commit`; see ShardMachine.prepare_append."""
        machine = self._collection_or_new(id_).machine
        return await machine.prepare_append(updates, lower, upper, exact=exact, desc=desc)

    def prepare_retention(self, id_: GlobalId, retain_ms: int | None) -> PreparedWrite:
        """Prepares a change of how far back the collection stays readable, for `commit`; None keeps all of the past."""
        return self.collection(id_).machine.prepare_retention(retain_ms)

    def prepare_widening(self, id_: GlobalId, desc: RelationDesc) -> PreparedWrite:
        """Prepares for `commit` that the collection has the columns of `desc` from now on: its own, and more at the
        end."""
        return self.collection(id_).machine.prepare_widening(desc)

    def prepare_drop(self, id_: GlobalId) -> PreparedWrite:
        """Prepares the environment's release of the collection, for `commit`; the data goes once no reader holds it."""
        return self.collection(id_).machine.prepare_drop()

    def part_writer(self, id_: GlobalId, desc: RelationDesc | None = None) -> PartWriter:
        """Stages parts for an append to come; `desc` is needed before the collection exists."""
        desc = self.collection(id_).state.desc if desc is None else desc
        return PartWriter(self.stage, str(id_), desc)

    async def commit(
        self,
        prepared: Sequence[PreparedWrite],
        preconditions: Mapping[str, int | None] | None = None,
        extra_writes: Mapping[str, tuple[int | None, bytes]] | None = None,
        *,
        token: str | None = None,
        doubtful: Callable[[], None] | None = None,
    ) -> CommitOutcome:
        """Commits all in one durable step, or nothing; the controller's own preconditions always apply. `doubtful` as
        in storage.persist.commit."""
        outcome = await commit(
            self.consensus,
            prepared,
            {**self.preconditions, **(preconditions or {})},
            extra_writes,
            token=self.randomness.token() if token is None else token,
            clock=self.clock,
            doubtful=doubtful,
        )
        for write in prepared:
            collection = self._collections.get(GlobalId.parse(write.machine.shard))
            if collection is not None:
                collection.wake(self.timeline_upper)
        return outcome

    async def forget_dropped(self, never_again: Callable[[GlobalId], bool]) -> None:
        """Forgets some of the dropped collections of which nothing is left.

        Their states never change again. Callers must be sure that nobody will ever bind the ids anew: a creation that
        is still on its way must not find its id free.
        """
        finished = [
            collection
            for collection in self.collections()
            if collection.state.finished and not collection.machine.lock.locked() and never_again(collection.id)
        ][:FORGOTTEN_MAX]
        if not finished:
            return
        async with contextlib.AsyncExitStack() as locked:
            # In the order in which commits take theirs.
            for collection in sorted(finished, key=lambda collection: collection.machine.key):
                await locked.enter_async_context(collection.machine.lock)
            keys = [collection.machine.key for collection in finished]
            await retried(lambda: self.consensus.forget(keys), self.clock)
            for collection in finished:
                collection.machine.vanish()
                del self._collections[collection.id]

    # Frontiers

    def exists(self, id_: GlobalId) -> bool:
        return id_ in self._collections and self._collections[id_].machine.exists

    def desc(self, id_: GlobalId) -> RelationDesc:
        return self.collection(id_).state.desc

    def frontiers(self, id_: GlobalId) -> StoredFrontiers:
        """Returns since and upper; raises SqlError (undefined_object) for an unbound id."""
        collection = self.collection(id_)
        return StoredFrontiers(collection.since, self.upper_of(collection))

    def upper_of(self, collection: Collection) -> Antichain:
        return collection.upper(self.timeline_upper)

    def advance_timeline(self, upper: Antichain) -> None:
        """Notes that everything of the timeline is complete up to `upper`, durably; never moves backward."""
        self.timeline_upper = self.timeline_upper.join(upper)
        for collection in list(self._awaited.values()):
            collection.wake(self.timeline_upper)

    async def wait_for_upper(self, id_: GlobalId, time: Timestamp) -> None:
        """Returns once the collection is complete at `time`."""
        await self.wait_for_upper_of(self.collection(id_), time)

    async def wait_for_upper_of(self, collection: Collection, time: Timestamp) -> None:
        self._awaited[collection.id] = collection
        try:
            await collection.wait_beyond(time, self.timeline_upper)
        finally:
            if not collection.awaited:
                self._awaited.pop(collection.id, None)

    # Compaction of the past

    def prepare_allow_compaction(self, sinces: Mapping[GlobalId, Antichain]) -> list[PreparedWrite]:
        """Prepares writes that let storage compact up to the new sinces; holds in force keep their times."""
        writes = []
        everything = self.reads.on_everything.meet()
        for id_, since in sinces.items():
            collection = self.collection(id_)
            collection.since_wanted = collection.since_wanted.join(since)
            target = collection.since_wanted.meet(collection.holds.meet()).meet(everything)
            own = [
                held
                for held in collection.state.held
                if held.kind is CapabilityKind.READ and held.holder is Holder.ENVIRONMENT
            ]
            put = [
                new_held(held.id, held.kind, target, held.holder)
                for held in own
                if held.frontier.precedes(target) and held.frontier != target
            ]
            if put:
                resulting = target
                for other in collection.state.frontiers_of(CapabilityKind.READ, Holder.USER):
                    resulting = resulting.meet(other)
                collection.since_underway = collection.since_underway.join(resulting)
                writes.append(collection.machine.prepare_capabilities(needs=[held.id for held in put], put=put))
        return writes

    # Capabilities

    def held(self, id_: GlobalId, capability: str) -> Held | None:
        """Returns the record of a capability in force; None without one."""
        record = self.collection(id_).state.capability(capability) if self.exists(id_) else None
        return None if record is None or expired(record, self.clock.now_ms()) else record

    def prepare_capabilities(
        self, id_: GlobalId, *, needs: Sequence[str] = (), drop: Sequence[str] = (), put: Sequence[Held] = ()
    ) -> PreparedWrite:
        """Prepares dropping and putting capabilities, provided that all in `needs` are in force, for `commit`."""
        return self.collection(id_).machine.prepare_capabilities(needs=needs, drop=drop, put=put)

    # For storage's own background work

    def collections(self) -> list[Collection]:
        """Returns the collections that exist."""
        return [collection for collection in self._collections.values() if collection.machine.exists]

    def machine(self, shard: str) -> ShardMachine:
        """Returns the shard's machine; a fresh machine, which isn't kept, for an unknown collection."""
        collection = self._collections.get(GlobalId.parse(shard))
        return ShardMachine(shard, self.consensus, self.stage) if collection is None else collection.machine

    async def commit_or_raise(self, writes: Sequence[PreparedWrite]) -> Committed:
        outcome = await self.commit(writes)
        if isinstance(outcome, Conflict):
            raise_conflict(outcome)
        return outcome

    def collection(self, id_: GlobalId) -> Collection:
        collection = self._collections.get(id_)
        if collection is None or not collection.machine.exists:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"collection {id_} does not exist")
        return collection

    def _collection_or_new(self, id_: GlobalId) -> Collection:
        collection = self._collections.get(id_)
        if collection is None:
            machine = ShardMachine(str(id_), self.consensus, self.stage)
            collection = self._collections[id_] = Collection(id_, machine)
        return collection


_CONFLICTS = {
    Refusal.EXISTS: Sqlstate.DUPLICATE_OBJECT,
    Refusal.ABSENT: Sqlstate.UNDEFINED_OBJECT,
    Refusal.UPPER_MISMATCH: Sqlstate.SERIALIZATION_FAILURE,
    Refusal.CAPABILITY_INVALID: Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
    Refusal.SUPERSEDED: Sqlstate.SERIALIZATION_FAILURE,
    Refusal.FENCED: Sqlstate.ADMIN_SHUTDOWN,
}


def raise_conflict(conflict: Conflict) -> NoReturn:
    """Raises the conflict as the user's error; a lost fence takes precedence."""
    refusals = sorted(conflict.refusals.values(), key=lambda refused: refused.refusal is not Refusal.FENCED)
    raise SqlError(_CONFLICTS[refusals[0].refusal], refusals[0].message) from refusals[0]
