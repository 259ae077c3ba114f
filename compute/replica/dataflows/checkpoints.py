"""Decides when a dataflow's state is made durable: after so many rows or seconds, beside the following ticks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import structlog

from compute.protocol.measures import CheckpointMeasure
from compute.replica.dataflows.maintained import Maintained
from compute.replica.running.places import Places
from model.time.timestamp import Timestamp

log = structlog.get_logger()

ROWS = 200_000
PERIOD_S = 10.0
_SOON_S = 1e-6
STILL_PERIOD_S = 600.0
"""Where there was no tick since the last one, all that it would tell is that time has passed."""
APART_S = 0.5
"""The checkpoint of the least state is some files and syncs, 20 ms of work: those of all dataflows are so far apart."""


class Pace:
    """The rate of checkpoints in a replica. `ticked` are the dataflows with something to keep."""

    def __init__(self) -> None:
        self.ticked: set[Checkpoints] = set()

    @property
    def period_s(self) -> float:
        return max(PERIOD_S, APART_S * len(self.ticked))


class Checkpoints:
    """The checkpoints of one dataflow.

    `durable`: the upper of the last checkpoint; `kept` is called after it has moved.
    `measure`: figures of the checkpoints made in this process.
    """

    def __init__(
        self, maintained: Maintained, places: Places, durable: Timestamp | None, kept: Callable[[], None], pace: Pace
    ) -> None:
        self.durable = durable
        self.measure: CheckpointMeasure | None = None
        self._clock = places.clock
        self._maintained = maintained
        self._kept = kept
        self._pace = pace
        self._rows = 0
        self._others = False
        self._last_s = asyncio.get_running_loop().time() if durable is not None else float("-inf")
        self._task: asyncio.Task[None] | None = None

    def note(self, rows: int) -> None:
        """Notes the number of rows of a tick."""
        self._rows += rows
        self._pace.ticked.add(self)

    def hasten(self) -> None:
        """Makes the next checkpoint due, because the set of arrangements to keep has changed."""
        self._others = True
        self._last_s = float("-inf")
        self._pace.ticked.add(self)

    @property
    def busy(self) -> bool:
        """Returns whether a checkpoint is under way."""
        return self._task is not None and not self._task.done()

    @property
    def wait_s(self) -> float:
        """Returns the seconds until the next checkpoint is due by time."""
        ticked = self in self._pace.ticked or self.durable is None
        period_s = self._pace.period_s if ticked else STILL_PERIOD_S
        left_s = self._last_s + period_s - asyncio.get_running_loop().time()
        # What rounding leaves of a second would be waited for without an end where a clock does not move by so little.
        return left_s if left_s > _SOON_S else 0.0

    def begin_if_due(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> None:
        """Begins a checkpoint of the sealed state, if due and none is under way."""
        changed = upper != self.durable or self._others
        if not self.busy and changed and (self._rows >= ROWS or self.wait_s == 0):
            self._rows = 0
            self._others = False
            self._pace.ticked.discard(self)
            self._last_s = asyncio.get_running_loop().time()
            self._task = asyncio.create_task(self._checkpoint(upper, sinces))

    async def finish(self) -> None:
        """Waits until no checkpoint is under way; no checkpoint begins any more."""
        self._pace.ticked.discard(self)
        if self._task is not None:
            await asyncio.wait([self._task])

    async def last(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> None:
        """Makes a last checkpoint."""
        await self.finish()
        if upper != self.durable or self._others:
            await self._checkpoint(upper, sinces)

    async def _checkpoint(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> None:
        begun_s = asyncio.get_running_loop().time()
        try:
            size = await self._maintained.checkpoint(upper, sinces)
        except Exception as error:
            # The one before stands: after a crash there is only more to do again.
            self._pace.ticked.add(self)
            self._others = True
            log.error("checkpoint failed", error=str(error), exc_info=None if isinstance(error, OSError) else error)
            return
        self.durable = upper
        self.measure = CheckpointMeasure(
            count=1 if self.measure is None else self.measure.count + 1,
            last_ms=(asyncio.get_running_loop().time() - begun_s) * 1000,
            last_at_ms=self._clock.now_ms(),
            bytes=size.bytes,
            written_bytes=size.written_bytes,
        )
        self._kept()
