"""The seed's commands over collections and capabilities: each is durable on return (source: seed 2, "Storage").

    create, allow_compaction                                          of collections
    subscribe_at, update_and_downgrade                                with a capability
    acquire_capabilities, clone, transfer, downgrade, drop_capability, renew       of capabilities

`create` gives the environment's own capabilities; `acquire_capabilities` gives users theirs. Statements do with
`CollectionReads.follow` and `StorageController.commit` what `subscribe_at` and `update_and_downgrade` do, by the same
law (docs/design/2026-11-25-statements-and-capabilities.md).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.capability import ReadCapability, WriteCapability
from model.types.relation_desc import RelationDesc
from storage.capabilities import Capability, as_read, as_write, in_force, new_held, renewed, validated
from storage.collection import Collection
from storage.controller import StorageController
from storage.persist.state import CapabilityKind, Held, Holder, Part
from storage.subscription import SubscribedShape, SubscriptionEvent, subscribe


class SeedCommands:
    """The commands over the collections of one controller."""

    def __init__(self, storage: StorageController) -> None:
        self._storage = storage

    # Collections

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
        """Binds `id_` for ever; raises SqlError (duplicate_object) when `id_` was ever bound."""
        creation = self._storage.prepare_create(id_, desc, since, upper, timeline=timeline, retain_ms=retain_ms)
        await self._storage.commit_or_raise([creation.write])
        return creation.read_capability, creation.write_capability

    async def allow_compaction(self, id_: GlobalId, since: Antichain) -> None:
        """Commits `prepare_allow_compaction` of one collection."""
        writes = self._storage.prepare_allow_compaction({id_: since})
        if writes:
            await self._storage.commit_or_raise(writes)

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
        return subscribe(self._storage, self, capability, SubscribedShape(filter, projection), snapshot)

    async def update_and_downgrade(
        self, capability: WriteCapability, updates: Sequence[pa.Table | Part], new_frontier: Antichain
    ) -> WriteCapability:
        """Applies updates at times in [frontier, new_frontier); the capability is then at `new_frontier`."""
        collection = self.validate(capability)
        write = await collection.machine.prepare_append(
            updates, capability.frontier, new_frontier, capability=capability.id
        )
        try:
            await self._storage.commit_or_raise([write])
        except SqlError:
            write.abandon()
            raise
        return WriteCapability(capability.id, capability.collection, new_frontier, capability.lease_ms)

    async def acquire_capabilities(
        self, id_: GlobalId, lease_ms: int | None = None
    ) -> tuple[ReadCapability, WriteCapability]:
        """Returns new capabilities at the current since and upper; useless empty capabilities when the frontiers are
        empty."""
        collection = self._storage.collection(id_)
        now = self._storage.clock.now_ms()
        tokens = (self._storage.randomness.token(), self._storage.randomness.token())
        upper = self._storage.upper_of(collection)
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
            collection.wake(self._storage.timeline_upper)
        return as_read(read, id_), as_write(write, id_)

    async def clone(self, capability: Capability, lease_ms: int | None = None) -> Capability:
        """Returns another capability with the same right."""
        return await self._derive(capability, lease_ms, drop=False)

    async def transfer(self, capability: Capability) -> Capability:
        """Returns the same right under a new id, known only to the recipient; the old id becomes void."""
        return await self._derive(capability, capability.lease_ms, drop=True)

    async def downgrade(self, capability: Capability, frontier: Antichain) -> Capability:
        """Returns the capability at a later frontier; raises SqlError for an earlier frontier than the held
        frontier."""
        collection = self.validate(capability)
        held = validated(collection.state, capability, self._storage.clock.now_ms())
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

    async def drop_capability(self, capability: Capability) -> None:
        """Releases the capability's constraint on the frontier. Works on an expired capability, too."""
        collection = self._storage.collection(capability.collection)
        await self._storage.commit_or_raise(
            [collection.machine.prepare_capabilities(needs=[capability.id], drop=[capability.id])]
        )

    async def renew(self, capability: Capability) -> None:
        """Begins the lease anew; raises SqlError once the lease has run out."""
        collection = self.validate(capability)
        now = self._storage.clock.now_ms()
        held = renewed(validated(collection.state, capability, now), now)
        await self._put(collection, (held.id,), (held,))

    def validate(self, capability: Capability) -> Collection:
        """Returns the collection of a valid capability; raises SqlError when the capability is not valid as stated."""
        collection = self._storage.collection(capability.collection)
        validated(collection.state, capability, self._storage.clock.now_ms())
        return collection

    def check_in_force(self, capability: Capability) -> None:
        """Raises SqlError when the capability was dropped or has expired; it may have been downgraded."""
        in_force(self._storage.collection(capability.collection).state, capability, self._storage.clock.now_ms())

    async def _derive(self, capability: Capability, lease_ms: int | None, *, drop: bool) -> Capability:
        collection = self.validate(capability)
        now = self._storage.clock.now_ms()
        held = validated(collection.state, capability, now)
        holder = held.holder if drop else Holder.USER
        fresh = new_held(self._storage.randomness.token(), held.kind, capability.frontier, holder, lease_ms, now)
        (fresh,) = await self._put(collection, (held.id,), (fresh,), drop=(held.id,) if drop else ())
        return _as_capability(fresh, capability.collection)

    async def _put(
        self, collection: Collection, needs: Sequence[str], put: Sequence[Held], drop: Sequence[str] = ()
    ) -> list[Held]:
        await self._storage.commit_or_raise([collection.machine.prepare_capabilities(needs=needs, drop=drop, put=put)])
        records = [collection.state.capability(held.id) for held in put]
        return [record if record is not None else held for record, held in zip(records, put)]


def _as_capability(held: Held, collection: GlobalId) -> Capability:
    return as_read(held, collection) if held.kind is CapabilityKind.READ else as_write(held, collection)
