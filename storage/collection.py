"""A collection in the controller: the shard, statements' holds on it, and waiting readers."""

from __future__ import annotations

import asyncio

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import MINIMUM, Antichain
from model.time.timestamp import Timestamp
from storage.holds import ReadHolds, StorageReadHold
from storage.persist.shard import ShardMachine
from storage.persist.state import ShardState


class Collection:
    """One collection that the controller knows.

    `since_underway`: a since that is being made durable; no new hold may begin before it.
    `since_wanted`: the environment no longer needs times before.
    `outdated`: another process has written the shard since the state was read.
    `uppers_underway`: frontiers of write capabilities that are being made durable; the upper must not pass them
        meanwhile.
    `dropped_after`: the number of the last hold on everything when the collection was found dropped; later holds do not
        include it.
    """

    def __init__(self, id_: GlobalId, machine: ShardMachine) -> None:
        self.id = id_
        self.machine = machine
        self.holds = ReadHolds()
        self.since_underway = MINIMUM
        self.since_wanted = MINIMUM
        self.truncated_before = 0
        self.outdated = False
        self.dropped_after: int | None = None
        self.uppers_underway: list[Antichain] = []
        self._waiting: list[tuple[Timestamp, asyncio.Future[None]]] = []

    @property
    def state(self) -> ShardState:
        return self.machine.state

    @property
    def since(self) -> Antichain:
        """Returns the frontier from which new readers may read."""
        return self.state.since.join(self.since_underway)

    def upper(self, timeline_upper: Antichain) -> Antichain:
        """Returns the upper: the collection is complete at all times before."""
        upper = self.state.logical_upper(timeline_upper)
        for underway in self.uppers_underway:
            upper = upper.meet(underway)
        return upper

    def take_hold(self, at: Antichain | None) -> StorageReadHold:
        """Returns a hold at `at`, by default the since; raises SqlError naming the since when that has passed `at`."""
        since = self.since
        frontier = since if at is None else at
        if not since.precedes(frontier) or since.empty:
            raise SqlError(
                Sqlstate.INVALID_PARAMETER_VALUE,
                f"collection {self.id} can't be read at {frontier}: its since is {since}",
                detail="History before since was compacted away.",
            )
        return self.holds.take(self.id, frontier, self.state.seqno)

    async def wait_beyond(self, time: Timestamp, timeline_upper: Antichain) -> None:
        """Returns once the collection is complete at `time`."""
        if not self.upper(timeline_upper).less_equal(time):
            return
        future = asyncio.get_running_loop().create_future()
        entry = (time, future)
        self._waiting.append(entry)
        try:
            await future
        finally:
            if entry in self._waiting:
                self._waiting.remove(entry)

    @property
    def awaited(self) -> bool:
        """Returns whether anyone waits for the collection's upper."""
        return bool(self._waiting)

    def wake(self, timeline_upper: Antichain) -> None:
        """Wakes the readers whose time is complete."""
        if not self._waiting or not self.machine.exists:
            return
        upper = self.upper(timeline_upper)
        for time, future in self._waiting:
            if not upper.less_equal(time) and not future.done():
                future.set_result(None)
