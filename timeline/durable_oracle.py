"""A timeline's oracle in consensus: the oracle's state and the timeline's upper, under one key.

The upper is that of every table of the timeline: tables need no write of their own to be complete. Both change only as
part of a group commit's single compare-and-set, so a timestamp is never given twice, whatever the clock does.

`read_ts` is answered from consensus, together with the fence, each time: a cached answer could be older than a write
that another environment has since acknowledged. Concurrent callers share a read that began after they called.
"""

from __future__ import annotations

import asyncio

import msgspec

from model.time.antichain import Antichain
from model.time.clock import Clock
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from storage.persist.location import Consensus
from storage.persist.retry import retried
from timeline.fence import FENCE_KEY, Fence, Fenced
from timeline.oracle import OracleState, allocate_write, apply_write

_VERSIONS_MAX = 256
TIMELINE_KEY = "timeline/epoch_ms"
"""The key of consensus of the timeline whose times are milliseconds of the epoch."""


class TimelineRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The timeline's record in consensus.

    `upper`: all tables of the timeline are complete before this time.
    `epoch`: of the environment that wrote the record; after a commit in doubt, an environment recognises its own record
        by the epoch.
    """

    epoch: int = 0
    oracle: OracleState = OracleState()
    upper: Timestamp = TIMESTAMP_MIN


class DurableOracle:
    """One for each timeline and environment. Only the group committer calls `propose` and `adopt`."""

    def __init__(self, consensus: Consensus, fence: Fence, clock: Clock, key: str = TIMELINE_KEY) -> None:
        self.key = key
        self._consensus = consensus
        self._fence = fence
        self._clock = clock
        self._record = TimelineRecord()
        self._seqno: int | None = None
        self._waiting: list[asyncio.Future[Timestamp]] = []
        self._reader: asyncio.Task[None] | None = None
        self._reading = False
        self._truncated_before = 0

    async def open(self) -> None:
        """Reads the record that earlier environments left; call after raising the fence."""
        head = (await retried(lambda: self._consensus.head([self.key]), self._clock))[self.key]
        if head is not None:
            self._seqno = head.seqno
            self._record = msgspec.msgpack.decode(head.data, type=TimelineRecord)

    @property
    def upper(self) -> Antichain:
        """The timeline's upper as of the last commit of this environment."""
        return Antichain.at(self._record.upper)

    @property
    def peek_write_ts(self) -> Timestamp:
        return self._record.oracle.peek_write_ts

    async def read_ts(self) -> Timestamp:
        """Returns a time at or after the timestamp of every acknowledged write. Raises Fenced."""
        if not self._reading and not self._waiting:
            # By itself: where consensus answers at once, nobody has to have a turn before.
            self._reading = True
            try:
                return await self._read_now()
            finally:
                self._reading = False
                if self._waiting:
                    self._reader = asyncio.create_task(self._serve_reads())
        future: asyncio.Future[Timestamp] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        return await future

    async def _serve_reads(self) -> None:
        self._reading = True
        try:
            while self._waiting:
                waiting, self._waiting = self._waiting, []
                try:
                    timestamp = await self._read_now()
                except Exception as error:  # noqa: BLE001  each caller gets it
                    for future in waiting:
                        if not future.done():
                            future.set_exception(error)
                    continue
                for future in waiting:
                    if not future.done():
                        future.set_result(timestamp)
        finally:
            self._reading = False

    async def _read_now(self) -> Timestamp:
        heads = await retried(lambda: self._consensus.head([FENCE_KEY, self.key]), self._clock)
        fence, head = heads[FENCE_KEY], heads[self.key]
        if fence is None or fence.seqno != self._fence.seqno:
            raise Fenced
        if head is None:
            return TIMESTAMP_MIN
        return msgspec.msgpack.decode(head.data, type=TimelineRecord).oracle.read_ts

    def propose(self, now_ms: int) -> tuple[TimelineRecord, Timestamp]:
        """Returns the record for a group commit's compare-and-set, and the timestamp of the commit.

        The commit makes the writes durable and applied at once, so the record counts the write as applied.
        """
        allocated, timestamp = allocate_write(self._record.oracle, now_ms)
        applied = apply_write(allocated, timestamp)
        return TimelineRecord(epoch=self._fence.epoch, oracle=applied, upper=Timestamp(timestamp + 1)), timestamp

    def write_of(self, record: TimelineRecord) -> dict[str, tuple[int | None, bytes]]:
        """Returns the record as a write for consensus: key, expected version, bytes."""
        return {self.key: (self._seqno, msgspec.msgpack.encode(record))}

    def adopt(self, record: TimelineRecord) -> None:
        """Adopts the record that has become durable."""
        self._seqno = (self._seqno or 0) + 1
        self._record = record

    async def truncate(self) -> None:
        """Deletes old records once many have piled up. A failure is harmless: no commit waits, and the next call
        tries again."""
        seqno = self._seqno or 0
        if seqno - self._truncated_before >= _VERSIONS_MAX:
            await self._consensus.truncate(self.key, seqno)
            self._truncated_before = seqno
