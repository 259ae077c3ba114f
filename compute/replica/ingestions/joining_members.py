"""The joining collections of all sources that are bound together: each source's are read separately, up to its bound.

Sources of transactions are bound at equal transactions at every time, and a joining collection is complete up to its
own source's frontier. It therefore agrees with the transactions from then on, although its reader knows of none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from compute.replica.ingestions.grouped_shards import GroupedShards
from compute.replica.ingestions.joining import JoiningCollections, OpenPlace
from compute.replica.ingestions.keyed_state import KeyedState
from compute.replica.ingestions.reclocked_shards import ReclockedShards, Rows
from compute.replica.ingestions.writer_schemas import KnownSchemas
from compute.replica.running.places import Places
from connectors.gauge import UpstreamFrontier, joined_note, without_joined
from connectors.sources.description import IngestionDescription, ReclockedCollection
from model.ids.global_id import GlobalId


class JoiningMembers:
    """The joining collections of all members. `follow` sets the waiting collections; their rows are offered until
    joined."""

    def __init__(
        self,
        members: tuple[IngestionDescription, ...],
        shards: ReclockedShards | GroupedShards,
        schemas: KnownSchemas,
        places: Places,
        open_place: OpenPlace,
        arrived: Callable[[], None],
    ) -> None:
        self._members = members
        self._shards = shards
        self._schemas = schemas
        self._places = places
        self._open_place = open_place
        self._arrived = arrived
        self._joining: dict[GlobalId, JoiningCollections] = {}
        """By source."""

    @property
    def waiting(self) -> frozenset[GlobalId]:
        """Returns the collections that were added, or refreshed, and have not joined since."""
        return frozenset(id_ for each in self._joining.values() for id_ in each.ids)

    @property
    def trouble(self) -> str | None:
        return next((each.trouble for each in self._joining.values() if each.trouble is not None), None)

    def joined(self, id_: GlobalId) -> int:
        """Returns the number of times that a collection has joined."""
        return self._shards.frontier_of(id_).get(joined_note(id_), 0)

    async def follow(self, waiting: Mapping[GlobalId, ReclockedCollection]) -> None:
        """Reads upstream for exactly these collections."""
        for member in self._members:
            mine = {each.id: waiting[each.id] for each in member.collections if each.id in waiting}
            joining = self._joining.get(member.source)
            if joining is not None and mine.keys() != joining.ids:
                # The others are read for again: few are added while others have not joined.
                del self._joining[member.source]
                await joining.stop()
                joining = None
            if mine and joining is None:
                self._joining[member.source] = self._started(member, mine)

    def _started(
        self, member: IngestionDescription, collections: Mapping[GlobalId, ReclockedCollection]
    ) -> JoiningCollections:
        joining = JoiningCollections(
            member.place,
            collections,
            member.policy,
            self._schemas,
            self._places,
            self._open_place,
            partial(self._bound, member.source),
            self._arrived,
        )
        joining.start()
        return joining

    def _bound(self, source: GlobalId) -> UpstreamFrontier:
        return without_joined(self._shards.frontier_of(GlobalId.remapping(source)))

    async def offer(self) -> Rows | None:
        """Returns the rows for one of the sources, once read; see `JoiningCollections.offer`."""
        for each in self._joining.values():
            if (offered := await each.offer()) is not None:
                return offered
        return None

    def kept_keys(self, id_: GlobalId) -> KeyedState | None:
        """Returns the state of keys of a collection that has just joined, and stops keeping it."""
        kept = (each.kept_keys(id_) for each in self._joining.values())
        return next((keys for keys in kept if keys is not None), None)

    async def stop(self) -> None:
        """Releases all rows of collections that have not joined."""
        await self.follow({})

    def kill(self) -> None:
        """Ends all reading at once."""
        for each in self._joining.values():
            each.kill()
