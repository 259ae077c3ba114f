"""All shards of a system at one moment, their parts held until they are copied.

What is captured is what a crash at that moment would leave. While it is captured nobody commits to the timeline
(`GroupCommitter.hold`), so the known states of the timeline's own collections are those of the moment: what else
changes there, compaction and capabilities, does not change what they hold. Other collections are written by replicas at
any time, so their versions are read together with the timeline's record, at one moment of consensus.

    held            each collection, from its known version on: parts that it names later can only be more
    heads           the newest versions of what replicas write, and the given keys, in one read
    states          known states brought up to these versions, once commits go on
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY
from storage.controller import StorageController
from storage.holds import StorageReadHold
from storage.persist.retry import retried
from storage.persist.state import Holder, ShardState
from storage.persist.version import fold_versions


class Overtaken(Exception):
    """Consensus has forgotten a version meanwhile; capturing again finds newer ones."""


@dataclass(slots=True)
class Captured:
    """The shards of a system as they were at one moment. `records`: values of the given keys. `release` gives up all
    holds that are left."""

    records: Mapping[str, bytes]
    _storage: StorageController
    _known: dict[GlobalId, ShardState]
    _wanted: dict[GlobalId, int]
    _holds: dict[GlobalId, StorageReadHold]

    async def states(self) -> list[ShardState]:
        """Returns the states at the moment, by id, without those of dropped shards that no user holds: nobody else
        reads them after a start. Raises Overtaken."""
        found = []
        for id_, known in sorted(self._known.items()):
            seqno = self._wanted.get(id_, known.seqno)
            state = known if seqno == known.seqno else await self._brought_to(known, seqno)
            if state.dropped and all(held.holder is Holder.ENVIRONMENT for held in state.held):
                self.release(id_)
            else:
                found.append(state)
        return found

    async def _brought_to(self, known: ShardState, seqno: int) -> ShardState:
        machine = self._storage.machine(known.shard)
        scanned = await retried(lambda: self._storage.consensus.scan(machine.key, known.seqno + 1), self._storage.clock)
        versions = [version for version in scanned if version.seqno <= seqno]
        if not versions or versions[0].seqno != known.seqno + 1 or versions[-1].seqno != seqno:
            raise Overtaken
        # A scan of consensus may answer at once, and there may be thousands.
        await asyncio.sleep(0)
        state = fold_versions(known.shard, known, versions)
        assert state is not None, "it goes on from a state"
        return state

    def release(self, id_: GlobalId | None = None) -> None:
        """Gives up the hold on a collection, or on all. Idempotent."""
        for each in list(self._holds) if id_ is None else [id_]:
            if (hold := self._holds.pop(each, None)) is not None:
                hold.release()


async def capture(storage: StorageController, keys: Sequence[str]) -> Captured:
    """Captures the moment; the caller keeps the timeline from moving meanwhile. Raises SqlError when a key has no
    value."""
    known, holds = {}, {}
    for collection in storage.collections():
        known[collection.id] = collection.state
        # Parts are held, and no time: compaction goes on.
        holds[collection.id] = collection.holds.take(collection.id, EMPTY, collection.state.seqno)
    wanted: dict[GlobalId, int] = {}
    captured = Captured({}, storage, known, wanted, holds)
    try:
        elsewhere = {storage.machine(state.shard).key: id_ for id_, state in known.items() if not state.timeline}
        heads = await retried(lambda: storage.consensus.head([*keys, *elsewhere]), storage.clock)
        for key, id_ in elsewhere.items():
            head = heads[key]
            if head is None:
                # Nothing was left of it, and it has been forgotten.
                del known[id_]
            elif head.seqno > known[id_].seqno:
                wanted[id_] = head.seqno
        records = {}
        for key in keys:
            head = heads[key]
            if head is None:
                raise SqlError(Sqlstate.DATA_CORRUPTED, f"consensus has no value of {key}")
            records[key] = head.data
        captured.records = records
    except BaseException:
        captured.release()
        raise
    return captured
