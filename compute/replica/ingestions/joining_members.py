"""The collections that have not joined, of all sources that are bound together: each source's are read by themselves,
up to what is bound of it.

Sources of transactions are bound at the same transactions at every time, and what joins is there up to its own source's
frontier: so it is of the same transactions from then on, though whoever reads for it knows of none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from compute.replica.dataflows.places import Places
from compute.replica.ingestions.grouped_shards import GroupedShards
from compute.replica.ingestions.joining import JoiningCollections, OpenPlace
from compute.replica.ingestions.keyed_state import KeyedState
from compute.replica.ingestions.reclocked_shards import ReclockedShards, Rows
from compute.replica.ingestions.writer_schemas import KnownSchemas
from connectors.sources.description import IngestionDescription, ReclockedCollection
from connectors.sources.gauge import UpstreamFrontier, joined_note, without_joined
from model.ids.global_id import GlobalId


class JoiningMembers:
    """`follow` says which collections wait; what has come for them is offered until it has joined."""

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
        """Collections that were added, or refreshed, and have not joined since."""
        return frozenset(id_ for each in self._joining.values() for id_ in each.ids)

    @property
    def trouble(self) -> str | None:
        return next((each.trouble for each in self._joining.values() if each.trouble is not None), None)

    def joined(self, id_: GlobalId) -> int:
        """How often a collection has joined."""
        return self._shards.frontier_of(id_).get(joined_note(id_), 0)

    async def follow(self, waiting: Mapping[GlobalId, ReclockedCollection]) -> None:
        """Upstream is read for these, and for no others."""
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
        """The rows of all that one of the sources has, once they are here; as `JoiningCollections.offer`."""
        for each in self._joining.values():
            if (offered := await each.offer()) is not None:
                return offered
        return None

    def kept_keys(self, id_: GlobalId) -> KeyedState | None:
        """What the keys of a collection have that has joined just now; it is no longer kept here."""
        kept = (each.kept_keys(id_) for each in self._joining.values())
        return next((keys for keys in kept if keys is not None), None)

    async def stop(self) -> None:
        """Lets go of all that has not joined."""
        await self.follow({})

    def kill(self) -> None:
        """Ends it where it stands."""
        for each in self._joining.values():
            each.kill()
