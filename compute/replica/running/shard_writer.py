"""A materialized view's shard, written as its times complete.

Equation: at every time before the shard's upper, the shard holds the dataflow's result. Each append begins exactly at
the shard's upper, so nothing is written twice, whoever writes; updates at times before the upper (from a dataflow that
began anew, or went on from a checkpoint) are left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

import pyarrow as pa

from compute.protocol.dataflow import ShardExport
from compute.replica.running.places import Places
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.antichain import Antichain
from storage.persist.commit import CommitOutcome, Committed, Conflict, commit
from storage.persist.retry import retried
from storage.persist.shard import PreparedWrite, ShardMachine
from storage.persist.state import Part, ShardState
from storage.persist.transition import Refusal, TransitionRefused

_LOOKS = 100
"""Another writer is looked for at so many ticks after something of one was found."""
_WRITTEN_MEANWHILE = "another has written the shard meanwhile"


class WriteRefused(Exception):
    """The write no longer fits; the shard's newest state is known now."""


class FencedOut(WriteRefused):
    """A newer environment exists: no write may happen before its command."""

    def __init__(self, preconditions: Mapping[str, int | None]) -> None:
        super().__init__("a newer environment is there")
        self.preconditions = preconditions


class RetractionNotHeld(SqlError):
    """The write takes `rows` rows that the shard does not hold, so it must not be written: either the shard is wrong,
    or the state that the write was made of."""

    def __init__(self, shard: str, rows: int) -> None:
        message = f"a write would take {rows} rows from shard {shard} that it does not hold"
        super().__init__(Sqlstate.DATA_CORRUPTED, message, detail="Nothing was written. The view is built anew.")
        self.rows = rows


class ShardGone(WriteRefused):
    """The shard was dropped, and is no longer wanted."""


class ShardWriter:
    """A writer of one shard.

    `upper` is durable; up to `determined` there is known to be nothing to write. `commit` makes prepared writes
    durable, and `wrote` is called with each resulting state. The holder of `lock` is writing.
    `others`: how often somebody else was found to have written the shard.
    `doubtful`: an append failed, and may have been written all the same; none has succeeded since.
    """

    def __init__(
        self, export: ShardExport, places: Places, commit: CommitWrite, wrote: Callable[[ShardState], None]
    ) -> None:
        self.export = export
        self.lock = asyncio.Lock()
        self.machine = ShardMachine(export.shard, places.consensus, places.stage)
        self._places = places
        self._commit = commit
        self._wrote = wrote
        self.others = 0
        self.doubtful = False
        self._determined: Antichain | None = None
        self._own: Antichain | None = None
        self._looks = 0

    async def look(self) -> None:
        """Finds what another writer, of which something was found lately, has written since. Raises SqlError."""
        if self._looks > 0:
            self._looks -= 1
            await self.open()

    async def open(self) -> None:
        """Reads the shard's state. Raises SqlError without such a shard."""
        await retried(self.machine.refresh, self._places.clock)
        if not self.machine.exists:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"shard {self.export.shard} does not exist")
        self.look_for_others()

    def look_for_others(self) -> int:
        """Counts a change of the shard's upper that is none of this writer's; returns `others`."""
        if self.upper != self._own:
            if self._own is not None:
                self._looks = _LOOKS
            self.others += 1
            self._own = self.upper
        return self.others

    @property
    def upper(self) -> Antichain:
        return self.machine.state.write_frontier

    @property
    def determined(self) -> Antichain:
        return self.upper if self._determined is None else self._determined.join(self.upper)

    @property
    def lags(self) -> bool:
        """Returns whether more is determined than recorded."""
        return self._determined is not None and self.determined != self.upper

    def determine(self, upper: Antichain) -> None:
        """Notes that no updates are to be written before `upper`; recording follows later."""
        self._determined = self.determined.join(upper)

    async def append(self, updates: Sequence[pa.Table | Part], upper: Antichain, *, others: int | None = None) -> None:
        """Writes updates at times from the shard's upper until `upper`; `others` when they were made for what the shard
        then held. WriteRefused, SqlError."""
        async with self.lock:
            if others is not None and self.look_for_others() != others:
                raise WriteRefused(_WRITTEN_MEANWHILE)
            write = await self.prepare(updates, upper)
            doubtful, self.doubtful = self.doubtful, True
            try:
                await self._commit(self, write)
            except WriteRefused:
                self.doubtful = doubtful
                raise
            self.doubtful = False

    async def prepare(self, updates: Sequence[pa.Table | Part], upper: Antichain) -> PreparedWrite:
        self.look_for_others()
        return await self.machine.prepare_append(updates, self.upper, upper, exact=True)

    def committed(self, state: ShardState) -> None:
        self._own = state.write_frontier
        if not self.lags:
            self._determined = None
        self._wrote(state)


CommitWrite = Callable[[ShardWriter, PreparedWrite], Awaitable[None]]
"""Makes a write of a writer, whose lock the caller holds, durable. WriteRefused, SqlError."""


async def commit_writes(writes: Sequence[tuple[ShardWriter, PreparedWrite]], places: Places) -> None:
    """Commits writes, all in one step, under the fence. The caller holds the writers' locks.

    Raises SqlError. WriteRefused: nothing is written, and nothing abandoned: the writes can be tried again.
    """
    preconditions = places.fencing.preconditions
    prepared = [write for _, write in writes]
    token = places.randomness.token()
    outcome: CommitOutcome = await commit(places.consensus, prepared, preconditions, token=token, clock=places.clock)
    match outcome:
        case Committed(states):
            for writer, _ in writes:
                writer.committed(states[writer.machine.shard])
        case Conflict(refusals):
            raise refusal_of(refusals, preconditions)


def refusal_of(refusals: Mapping[str, TransitionRefused], preconditions: Mapping[str, int | None]) -> WriteRefused:
    for key, refused in refusals.items():
        if key in preconditions:
            return FencedOut(preconditions)
        if refused.refusal is Refusal.ABSENT:
            return ShardGone(refused.message)
    return WriteRefused("; ".join(refused.message for refused in refusals.values()))
