"""A collection as the controller holds it: the shard, the statements' holds on it, and who waits for it."""

from __future__ import annotations

import asyncio

from model.antichain import MINIMUM, Antichain
from model.errors import SqlError
from model.global_id import GlobalId
from model.sqlstate import Sqlstate
from model.timestamp import Timestamp
from storage.holds import ReadHolds, StorageReadHold
from storage.persist.shard import ShardMachine
from storage.persist.state import ShardState


class Collection:
    """`since_underway`: a since that is being made durable, so no new hold may begin before it.

    `since_wanted`: up to where the environment no longer needs the past. `outdated`: another process has written the
    shard since its state was read. `uppers_underway`: frontiers of write capabilities that are being made durable,
    which the upper must not pass meanwhile. `dropped_after`: the number of the last hold on everything when it was
    found to be dropped; later ones do not want it.
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
        """From where on the collection may be read by those who hold nothing yet."""
        return self.state.since.join(self.since_underway)

    def upper(self, timeline_upper: Antichain) -> Antichain:
        """Up to where the collection is complete."""
        upper = self.state.logical_upper(timeline_upper)
        for underway in self.uppers_underway:
            upper = upper.meet(underway)
        return upper

    def take_hold(self, at: Antichain | None) -> StorageReadHold:
        """A hold at `at`, by default the since; SqlError naming the since when that has passed `at`."""
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
        """Whether anyone waits for its upper."""
        return bool(self._waiting)

    def wake(self, timeline_upper: Antichain) -> None:
        """Lets those go on whose time is complete."""
        if not self._waiting or not self.machine.exists:
            return
        upper = self.upper(timeline_upper)
        for time, future in self._waiting:
            if not upper.less_equal(time) and not future.done():
                future.set_result(None)
