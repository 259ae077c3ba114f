"""One subscribe that is under way: its batches in order, each update once, whatever becomes of the replica.

A replica that starts again sends the subscribe's updates anew, from the contents at a time that the inputs' holds keep
readable. What was handed on up to the last progress is then left out, so the stream goes on where it was. Where that
can't be (updates were handed on whose times were not yet complete), the subscribe fails.
"""

from __future__ import annotations

import asyncio
from collections import deque

import pyarrow as pa
import pyarrow.compute as pc

from compute.controller.pending import error_of
from compute.protocol.framing import batches_from_payload
from compute.protocol.response import PeekFailed, SubscribeBatch
from model.antichain import Antichain
from model.physical import TIME_COLUMN
from storage.subscription import Progress, SubscriptionEvent, Updates


class PendingSubscription:
    """Filled by responses, emptied by the one reader that awaits `next`. `as_of` is where it begins."""

    def __init__(self, as_of: Antichain) -> None:
        self._arrived: deque[tuple[SubscribeBatch, bytes]] = deque()
        self._upper = as_of
        self._received = as_of
        self._unsealed = False
        self._failure: PeekFailed | None = None
        self._moved = asyncio.Event()

    def batch(self, batch: SubscribeBatch, payload: bytes) -> None:
        """The replica's next batch."""
        if self._failure is None and not self._received.empty:
            if not batch.lower.precedes(self._received):
                self.fail(_lost("its inputs have been compacted meanwhile"))
                return
            self._received = self._received.join(batch.upper)
            self._arrived.append((batch, payload))
            self._moved.set()

    def fail(self, failure: PeekFailed) -> None:
        """It ends with an error; the first counts."""
        if self._failure is None:
            self._failure = failure
            self._moved.set()

    def restart(self, reason: str) -> None:
        """The replica is lost; another one will send the updates anew, from some time on that is complete."""
        while self._arrived and self._arrived[-1][0].upper == self._arrived[-1][0].lower:
            self._arrived.pop()
        if self._unsealed and not self._arrived:
            self.fail(_lost(reason))

    async def next(self) -> tuple[list[SubscriptionEvent], bool]:
        """What comes next, maybe nothing, and whether there is more. Each call is one batch to acknowledge.

        SqlError when the subscribe fails: because of what it computes, or with its replica.
        """
        while not self._arrived:
            if self._failure is not None:
                raise error_of(self._failure)
            self._moved.clear()
            await self._moved.wait()
        batch, payload = self._arrived.popleft()
        events: list[SubscriptionEvent] = []
        table = self._unseen(payload)
        if table.num_rows > 0:
            self._unsealed = True
            events.append(Updates(table))
        if self._upper.precedes(batch.upper) and self._upper != batch.upper:
            self._upper = batch.upper
            self._unsealed = False
            events.append(Progress(batch.upper))
        if batch.error is not None:
            self.fail(batch.error)
        return events, batch.error is not None or not batch.upper.empty

    def _unseen(self, payload: bytes) -> pa.Table:
        """The updates at times that are not complete yet for the reader."""
        if not payload:
            return pa.table({})
        table = pa.Table.from_batches(batches_from_payload(payload))
        if self._upper.time is None:
            return table.slice(0, 0)
        return table.filter(pc.greater_equal(table.column(TIME_COLUMN), self._upper.time))


def _lost(reason: str) -> PeekFailed:
    return PeekFailed(
        "58000",
        "the replica that ran the subscription was lost",
        reason,
        "Subscribe again: what was received of times that are not complete is to be discarded.",
    )
