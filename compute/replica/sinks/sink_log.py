"""A sink's recovery log, written by the replica: one compare-and-append a transaction, under the fence."""

from __future__ import annotations

from typing import Any

from compute.replica.running.joined_bindings import JoinedBindings
from compute.replica.running.places import Places
from compute.replica.running.shard_writer import FencedOut
from connectors.sinks.messages import DriverState
from connectors.sinks.recovery_log import DRIVER, FRONTIER, INPUT, RANGES, log_entry, logged_state, merged
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp, step_back
from storage.persist.retry import retried
from storage.persist.shard import ShardMachine
from storage.persist.snapshot import read_snapshot, snapshot
from storage.persist.state import ShardState


class SinkLog:
    """The shard in which a sink logs its progress. `open` must be called before use, and again after a refused write,
    because others have written."""

    def __init__(self, sink: GlobalId, places: Places, commits: JoinedBindings) -> None:
        self._machine = ShardMachine(str(sink), places.consensus, places.stage)
        self._places = places
        self._commits = commits
        self._remembered: dict[str, Any] = {}

    async def open(self) -> None:
        """Reads the sink's frontier. Raises SqlError without such a log; FencedOut where a newer environment has the
        sink: its session at the destination must not be ended by one that could record nothing."""
        machine, places = self._machine, self._places
        expected = dict(places.fencing.preconditions)
        heads = await retried(lambda: places.consensus.head([*expected]), places.clock)
        if {key: None if head is None else head.seqno for key, head in heads.items()} != expected:
            raise FencedOut(expected)
        await retried(machine.refresh, places.clock)
        if not machine.exists or machine.state.dropped:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"shard {machine.shard} does not exist")
        self._remembered = {}
        if self.begun:
            assert self.upper.time is not None
            contents = snapshot(machine.state, step_back(self.upper.time))
            self._remembered = logged_state(await read_snapshot(contents, places.blob, places.runner))

    @property
    def upper(self) -> Antichain:
        return self._machine.state.write_frontier

    @property
    def since(self) -> Antichain:
        return self._machine.state.since

    @property
    def begun(self) -> bool:
        """Returns whether anything was ever written: the log begins at the sink's creation."""
        return not self.upper.precedes(self.since)

    @property
    def begins_at(self) -> Timestamp:
        """Returns the time before which no transaction ends."""
        assert self.upper.time is not None, "a log that is open is not dropped"
        return self.upper.time if not self.begun else Timestamp(1)

    @property
    def frontier(self) -> Timestamp:
        """All before it is in the destination, or staged as the state tells; 0: nothing is."""
        if not self.begun:
            return Timestamp(0)
        assert self.upper.time is not None, "a log that is open is not dropped"
        return self.upper.time

    @property
    def state(self) -> dict[str, Any]:
        """Returns the driver's state."""
        return dict(self._remembered.get(DRIVER, {}))

    @property
    def input(self) -> str | None:
        """Returns the collection that the destination holds."""
        return self._remembered.get(INPUT)

    @property
    def ranges(self) -> int:
        """Returns in how many ranges of keys the destination is to be opened."""
        return int(self._remembered.get(RANGES, 1))

    async def append(self, frontier: Timestamp, patch: DriverState | None, input_: str, ranges: int) -> ShardState:
        """Records the sink's frontier with this collection, the driver's state, and the number of ranges of keys for
        the next opening. WriteRefused, FencedOut: nothing is written."""
        after = {DRIVER: merged(self.state, patch), INPUT: input_, FRONTIER: frontier, RANGES: ranges}
        entry = log_entry(self._remembered, after)
        write = await self._machine.prepare_append([entry], self.upper, Antichain(frontier), exact=True)
        (state,) = await self._commits.commit([write])
        self._remembered = after
        return state
