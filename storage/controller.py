"""The storage controller: the seed's commands over collections, and what the environment needs beside them.

    create, subscribe_at, update_and_downgrade, acquire_capabilities          the seed's, durable on return
    clone, transfer, downgrade, drop_capability, renew                        of capabilities, durable on return
    prepare_…, commit                                                         many changes in one durable step
    frontiers, snapshot, hold, follow, wait_for_upper, advance_timeline       volatile

`create` gives the environment's own capabilities; `acquire_capabilities` gives users theirs. Statements do with the
last two what the first does, by the same law (docs/design/2026-11-25-statements-and-capabilities.md). A collection
of the timeline is complete up to the timeline's upper without any write of its own. `preconditions` fences every
commit.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import pyarrow as pa
import pyarrow.compute as pc

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import MINIMUM, Antichain
from model.time.capability import ReadCapability, WriteCapability
from model.time.clock import Clock, Randomness
from model.time.timestamp import TIMESTAMP_MAX, Timestamp
from model.types.relation_desc import RelationDesc
from storage.capabilities import Capability, as_read, as_write, expired, in_force, new_held, renewed, validated
from storage.collection import Collection
from storage.holds import ReadHolds, StorageReadHold
from storage.persist.commit import CommitOutcome, Committed, Conflict, commit
from storage.persist.location import Blob, Consensus
from storage.persist.retry import retried
from storage.persist.runner import Runner, ThreadRunner
from storage.persist.shard import PreparedWrite, ShardMachine
from storage.persist.snapshot import Changes, Snapshot, read_changes, read_snapshot, snapshot, updates_between
from storage.persist.state import CapabilityKind, Held, Holder, Part
from storage.persist.transition import Refusal
from storage.persist.version import KEY_PREFIX
from storage.persist.write import PartWriter, Stage
from storage.subscription import SubscribedShape, SubscriptionEvent, follow, subscribe

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
        self.on_everything = ReadHolds()
        self._holds_on_everything = 0
        self._collections: dict[GlobalId, Collection] = {}
        self._awaited: dict[GlobalId, Collection] = {}

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
        """Another process has written the collection: its newest state is to be read before long."""
        if self.exists(id_):
            self._collection(id_).outdated = True

    async def refresh_written(self) -> None:
        """Reads the states of collections that other processes have written."""
        for collection in self.collections():
            if collection.outdated:
                collection.outdated = False
                await retried(collection.machine.refresh, self.clock)
                collection.wake(self.timeline_upper)

    async def create(
        self,
        id_: GlobalId,
        desc: RelationDesc,
        since: Antichain,
        upper: Antichain,
        *,
        timeline: bool = False,
        retain_ms: int | None = None,
    ) -> tuple[ReadCapability, WriteCapability]:
        """Binds `id_` for ever; SqlError (duplicate_object) when `id_` was ever bound."""
        creation = self.prepare_create(id_, desc, since, upper, timeline=timeline, retain_ms=retain_ms)
        await self._commit_or_raise([creation.write])
        return creation.read_capability, creation.write_capability

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
        """An append with the environment's right, for `commit`; see ShardMachine.prepare_append."""
        machine = self._collection_or_new(id_).machine
        return await machine.prepare_append(updates, lower, upper, exact=exact, desc=desc)

    def prepare_retention(self, id_: GlobalId, retain_ms: int | None) -> PreparedWrite:
        """Prepares a change of how far back the collection stays readable, for `commit`; None keeps all of the past."""
        return self._collection(id_).machine.prepare_retention(retain_ms)

    def prepare_widening(self, id_: GlobalId, desc: RelationDesc) -> PreparedWrite:
        """The collection has the columns of `desc` from now on, for `commit`: its own, and more at the end."""
        return self._collection(id_).machine.prepare_widening(desc)

    def prepare_drop(self, id_: GlobalId) -> PreparedWrite:
        """Prepares the environment's release of the collection, for `commit`; the data goes once no reader holds it."""
        return self._collection(id_).machine.prepare_drop()

    def part_writer(self, id_: GlobalId, desc: RelationDesc | None = None) -> PartWriter:
        """Stages parts for an append to come; `desc` is needed before the collection exists."""
        desc = self._collection(id_).state.desc if desc is None else desc
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
        """All in one durable step, or nothing; the controller's own preconditions always apply. `doubtful` as in
        storage.persist.commit."""
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

    # Frontiers and reads

    def exists(self, id_: GlobalId) -> bool:
        return id_ in self._collections and self._collections[id_].machine.exists

    def desc(self, id_: GlobalId) -> RelationDesc:
        return self._collection(id_).state.desc

    def frontiers(self, id_: GlobalId) -> StoredFrontiers:
        """Returns since and upper; SqlError (undefined_object) for an unbound id."""
        collection = self._collection(id_)
        return StoredFrontiers(collection.since, self.upper_of(collection))

    def upper_of(self, collection: Collection) -> Antichain:
        return collection.upper(self.timeline_upper)

    def advance_timeline(self, upper: Antichain) -> None:
        """Everything of the timeline is complete up to `upper`, durably; never moves backward."""
        self.timeline_upper = self.timeline_upper.join(upper)
        for collection in list(self._awaited.values()):
            collection.wake(self.timeline_upper)

    async def wait_for_upper(self, id_: GlobalId, time: Timestamp) -> None:
        """Returns once the collection is complete at `time`."""
        await self.wait_for_upper_of(self._collection(id_), time)

    async def wait_for_upper_of(self, collection: Collection, time: Timestamp) -> None:
        self._awaited[collection.id] = collection
        try:
            await collection.wait_beyond(time, self.timeline_upper)
        finally:
            if not collection.awaited:
                self._awaited.pop(collection.id, None)

    def hold(self, id_: GlobalId, at: Timestamp | None = None) -> StorageReadHold:
        """A volatile read hold at `at`, by default at the since; SqlError naming the since when it has passed `at`."""
        return self._collection(id_).take_hold(None if at is None else Antichain(at))

    def hold_everything(self, at: Timestamp) -> StorageReadHold:
        """Takes a hold at `at` on all collections, including collections dropped later. Takes constant time."""
        self._holds_on_everything += 1
        return self.on_everything.take(None, Antichain(at), self._holds_on_everything)

    def is_wanted(self, collection: Collection) -> bool:
        """Returns whether a statement holds the dropped collection, or an older transaction may still read it."""
        if collection.dropped_after is None:
            collection.dropped_after = self._holds_on_everything
        oldest = self.on_everything.oldest_seqno()
        return bool(len(collection.holds)) or (oldest is not None and oldest <= collection.dropped_after)

    def snapshot(self, id_: GlobalId, as_of: Timestamp) -> Snapshot:
        """The pieces of the collection at `as_of`; take a hold first, and wait for the upper.

        SqlError naming the collection and its since when `as_of` is before it.
        """
        collection = self._collection(id_)
        upper = self.upper_of(collection)
        assert not upper.less_equal(as_of), f"{id_} is complete up to {upper}, not yet at {as_of}"
        return snapshot(collection.state, as_of)

    def updates_between(self, id_: GlobalId, lower: Timestamp, upper: Timestamp) -> Changes:
        """The pieces with updates at times in [lower, upper); take a hold at lower - 1 first."""
        return updates_between(self._collection(id_).state, lower, upper)

    def stored_bytes(self, id_: GlobalId) -> int:
        """Returns the bytes of the pieces in the newest state."""
        return sum(piece.bytes for batch in self._collection(id_).state.batches for piece in batch.pieces)

    def version(self, id_: GlobalId) -> int:
        """Returns the seqno of the newest known state."""
        return self._collection(id_).state.seqno

    def empty(self, id_: GlobalId) -> bool:
        """Returns whether the newest state has no updates: the collection is then empty at every held time."""
        return not any(batch.pieces for batch in self._collection(id_).state.batches)

    def changed_after(self, id_: GlobalId, time: Timestamp) -> bool:
        """Returns whether the collection has an update after `time`, which is held."""
        for batch in reversed(self._collection(id_).state.batches):
            # In the order of their uppers. What compaction has advanced, to since, is not later than what is held.
            if batch.upper.less_equal(Timestamp(time + 1)):
                return False
            if any(piece.time_max is not None and piece.time_max > time for piece in batch.pieces):
                return True
        return False

    def still_until(self, id_: GlobalId, begin: Timestamp) -> Antichain | None:
        """Returns the time up to which a table has had no update since `begin`.

        None when the table has had an update, or others write the collection.
        """
        collection = self._collections.get(id_)
        if collection is None or not collection.machine.exists or not collection.state.timeline:
            return None
        return None if self.changed_after(id_, Timestamp(begin - 1)) else self.upper_of(collection)

    async def changes_after(self, id_: GlobalId, time: Timestamp) -> pa.Table:
        """The updates at times after `time`, which is held (c0, c1, …, time, diff)."""
        changes = self.updates_between(id_, Timestamp(time + 1), TIMESTAMP_MAX)
        return await read_changes(changes, self.blob, self.runner)

    async def read(self, id_: GlobalId, as_of: Timestamp) -> pa.Table:
        """The contents at `as_of` (c0, c1, …, diff), as soon as they are known."""
        with self.hold(id_, as_of):
            await self.wait_for_upper(id_, as_of)
            return await read_snapshot(self.snapshot(id_, as_of), self.blob, self.runner)

    # Compaction of the past

    def prepare_allow_compaction(self, sinces: Mapping[GlobalId, Antichain]) -> list[PreparedWrite]:
        """Prepares writes that let storage compact up to the new sinces; holds in force keep their times."""
        writes = []
        everything = self.on_everything.meet()
        for id_, since in sinces.items():
            collection = self._collection(id_)
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

    async def allow_compaction(self, id_: GlobalId, since: Antichain) -> None:
        """Commits `prepare_allow_compaction` of one collection."""
        writes = self.prepare_allow_compaction({id_: since})
        if writes:
            await self._commit_or_raise(writes)

    # Capabilities

    def subscribe_at(
        self,
        capability: ReadCapability,
        *,
        filter: pc.Expression | None = None,
        projection: Sequence[int] | None = None,
        snapshot: bool = True,
    ) -> AsyncIterator[SubscriptionEvent]:
        """Yields the contents at the capability's frontier, then updates and progress as they become known.

        `filter` is over columns c0, c1, …; `projection` then picks columns by index. Close the iterator to cancel.
        """
        return subscribe(self, capability, SubscribedShape(filter, projection), snapshot)

    def follow(
        self, id_: GlobalId, as_of: Timestamp, *, projection: Sequence[int] | None = None, snapshot: bool = True
    ) -> AsyncGenerator[SubscriptionEvent]:
        """Subscribes like `subscribe_at`, with a volatile read hold at `as_of` instead of a capability."""
        return follow(self, self._collection(id_), as_of, SubscribedShape(None, projection), snapshot)

    async def update_and_downgrade(
        self, capability: WriteCapability, updates: Sequence[pa.Table | Part], new_frontier: Antichain
    ) -> WriteCapability:
        """Applies updates at times in [frontier, new_frontier); the capability is then at `new_frontier`."""
        collection = self.validate(capability)
        write = await collection.machine.prepare_append(
            updates, capability.frontier, new_frontier, capability=capability.id
        )
        try:
            await self._commit_or_raise([write])
        except SqlError:
            write.abandon()
            raise
        return WriteCapability(capability.id, capability.collection, new_frontier, capability.lease_ms)

    async def acquire_capabilities(
        self, id_: GlobalId, lease_ms: int | None = None
    ) -> tuple[ReadCapability, WriteCapability]:
        """Returns new capabilities at the current since and upper; useless empty capabilities when the frontiers are
        empty."""
        collection = self._collection(id_)
        now = self.clock.now_ms()
        tokens = (self.randomness.token(), self.randomness.token())
        upper = self.upper_of(collection)
        put = (
            new_held(tokens[0], CapabilityKind.READ, collection.since, Holder.USER, lease_ms, now),
            new_held(tokens[1], CapabilityKind.WRITE, upper, Holder.USER, lease_ms, now),
        )
        # The timeline may advance while this becomes durable; the collection must not be complete further than its
        # new writer may write.
        collection.uppers_underway.append(upper)
        try:
            read, write = await self._put(collection, (), put)
        finally:
            collection.uppers_underway.remove(upper)
            collection.wake(self.timeline_upper)
        return as_read(read, id_), as_write(write, id_)

    async def clone(self, capability: Capability, lease_ms: int | None = None) -> Capability:
        """Another capability with the same right."""
        return await self._derive(capability, lease_ms, drop=False)

    async def transfer(self, capability: Capability) -> Capability:
        """Returns the same right under a new id, known only to the recipient; the old id becomes void."""
        return await self._derive(capability, capability.lease_ms, drop=True)

    async def downgrade(self, capability: Capability, frontier: Antichain) -> Capability:
        """Returns the capability at a later frontier; SqlError for an earlier frontier than the held frontier."""
        collection = self.validate(capability)
        held = validated(collection.state, capability, self.clock.now_ms())
        if not held.frontier.precedes(frontier):
            raise SqlError(
                Sqlstate.INVALID_PARAMETER_VALUE, f"a capability at {held.frontier} can't go back to {frontier}"
            )
        moved = Held(
            id=held.id,
            kind=held.kind,
            frontier=frontier,
            holder=held.holder,
            lease_ms=held.lease_ms,
            expires_ms=held.expires_ms,
        )
        (moved,) = await self._put(collection, (held.id,), (moved,))
        return _as_capability(moved, capability.collection)

    def held(self, id_: GlobalId, capability: str) -> Held | None:
        """Returns the record of a capability in force; None without one."""
        record = self._collection(id_).state.capability(capability) if self.exists(id_) else None
        return None if record is None or expired(record, self.clock.now_ms()) else record

    def prepare_capabilities(
        self, id_: GlobalId, *, needs: Sequence[str] = (), drop: Sequence[str] = (), put: Sequence[Held] = ()
    ) -> PreparedWrite:
        """Prepares dropping and putting capabilities, provided that all in `needs` are in force, for `commit`."""
        return self._collection(id_).machine.prepare_capabilities(needs=needs, drop=drop, put=put)

    async def drop_capability(self, capability: Capability) -> None:
        """Releases the capability's constraint on the frontier. Works on an expired capability, too."""
        collection = self._collection(capability.collection)
        await self._commit_or_raise(
            [collection.machine.prepare_capabilities(needs=[capability.id], drop=[capability.id])]
        )

    async def renew(self, capability: Capability) -> None:
        """Begins the lease anew; SqlError once the lease has run out."""
        collection = self.validate(capability)
        now = self.clock.now_ms()
        held = renewed(validated(collection.state, capability, now), now)
        await self._put(collection, (held.id,), (held,))

    def validate(self, capability: Capability) -> Collection:
        """Returns the collection of a valid capability; SqlError when the capability is not valid as stated."""
        collection = self._collection(capability.collection)
        validated(collection.state, capability, self.clock.now_ms())
        return collection

    def check_in_force(self, capability: Capability) -> None:
        """Raises SqlError when the capability was dropped or has expired; it may have been downgraded."""
        in_force(self._collection(capability.collection).state, capability, self.clock.now_ms())

    # For storage's own background work

    def collections(self) -> list[Collection]:
        """Returns the collections that exist."""
        return [collection for collection in self._collections.values() if collection.machine.exists]

    def machine(self, shard: str) -> ShardMachine:
        """Returns the shard's machine; a fresh machine, which isn't kept, for an unknown collection."""
        collection = self._collections.get(GlobalId.parse(shard))
        return ShardMachine(shard, self.consensus, self.stage) if collection is None else collection.machine

    async def _derive(self, capability: Capability, lease_ms: int | None, *, drop: bool) -> Capability:
        collection = self.validate(capability)
        now = self.clock.now_ms()
        held = validated(collection.state, capability, now)
        holder = held.holder if drop else Holder.USER
        fresh = new_held(self.randomness.token(), held.kind, capability.frontier, holder, lease_ms, now)
        (fresh,) = await self._put(collection, (held.id,), (fresh,), drop=(held.id,) if drop else ())
        return _as_capability(fresh, capability.collection)

    async def _put(
        self, collection: Collection, needs: Sequence[str], put: Sequence[Held], drop: Sequence[str] = ()
    ) -> list[Held]:
        await self._commit_or_raise([collection.machine.prepare_capabilities(needs=needs, drop=drop, put=put)])
        records = [collection.state.capability(held.id) for held in put]
        return [record if record is not None else held for record, held in zip(records, put)]

    async def _commit_or_raise(self, writes: Sequence[PreparedWrite]) -> Committed:
        outcome = await self.commit(writes)
        if isinstance(outcome, Conflict):
            raise_conflict(outcome)
        return outcome

    def _collection(self, id_: GlobalId) -> Collection:
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


def _as_capability(held: Held, collection: GlobalId) -> Capability:
    return as_read(held, collection) if held.kind is CapabilityKind.READ else as_write(held, collection)
