"""Subscribes under way: delivers batches in order and each update once, even across replicas.

A replica that starts again sends the subscribe's updates anew, from the contents at a time that the inputs' holds keep
readable. Updates up to the last progress handed on are then left out, so the stream continues without a gap. When
updates were handed on at times not yet complete, continuing is impossible, and the subscribe fails.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable

import pyarrow as pa
import pyarrow.compute as pc

from compute.controller.dataflows import DataflowController
from compute.controller.exports import Patience
from compute.controller.pending import error_of
from compute.protocol.command import AcknowledgeBatches, Command
from compute.protocol.dataflow import DataflowDescription, SubscribeExport
from compute.protocol.framing import batches_from_payload
from compute.protocol.response import PeekFailed, SubscribeBatch
from model.ids.global_id import GlobalId
from model.physical.columns import TIME_COLUMN
from model.time.antichain import Antichain
from model.time.timestamp import step_back
from storage.subscription import Progress, SubscriptionEvent, Updates

_COMPACT_AFTER_MS = 10_000


class PendingSubscription:
    """A subscribe filled by responses, and emptied by its single reader, who awaits `next`. `as_of` is its
    beginning."""

    def __init__(self, as_of: Antichain) -> None:
        self._arrived: deque[tuple[SubscribeBatch, bytes]] = deque()
        self._upper = as_of
        self._received = as_of
        self._unsealed = False
        self._failure: PeekFailed | None = None
        self._moved = asyncio.Event()

    def batch(self, batch: SubscribeBatch, payload: bytes) -> None:
        """Takes the replica's next batch."""
        if self._failure is None and not self._received.empty:
            if not batch.lower.precedes(self._received):
                self.fail(_lost("its inputs have been compacted meanwhile"))
                return
            self._received = self._received.join(batch.upper)
            self._arrived.append((batch, payload))
            self._moved.set()

    def fail(self, failure: PeekFailed) -> None:
        """Ends the subscribe with an error; the first error counts."""
        if self._failure is None:
            self._failure = failure
            self._moved.set()

    def restart(self, reason: str) -> None:
        """Handles the loss of the replica; another replica will send the updates anew, from some complete time on."""
        while self._arrived and self._arrived[-1][0].upper == self._arrived[-1][0].lower:
            self._arrived.pop()
        if self._unsealed and not self._arrived:
            self.fail(_lost(reason))

    async def next(self) -> tuple[list[SubscriptionEvent], bool]:
        """Returns the next events, perhaps none, and whether more follow. Each call acknowledges one batch.

        Raises SqlError when the subscribe fails: by an error in its contents, or with its replica.
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
        """Returns the updates at times that are not complete yet for the reader."""
        if not payload:
            return pa.table({})
        table = pa.Table.from_batches(batches_from_payload(payload))
        if self._upper.time is None:
            return table.slice(0, 0)
        return table.filter(pc.greater_equal(table.column(TIME_COLUMN), self._upper.time))


class Subscriptions:
    """All subscribes of a cluster. `send` hands a command to the connected replica."""

    def __init__(self, cluster: int, dataflows: DataflowController, send: Callable[[Command], object]) -> None:
        self._cluster = cluster
        self._dataflows = dataflows
        self._send = send
        self._pending: dict[GlobalId, PendingSubscription] = {}
        self._refusal: PeekFailed | None = None

    async def follow(self, description: DataflowDescription) -> AsyncGenerator[SubscriptionEvent]:
        """Yields the subscription's events; see ComputeController.subscribe."""
        (export,) = description.exports
        assert isinstance(export, SubscribeExport) and description.as_of.time is not None
        pending = PendingSubscription(description.as_of)
        compacted = description.as_of.time
        self._dataflows.create(description, self._cluster)
        self._pending[export.id] = pending
        if self._refusal is not None:
            pending.fail(self._refusal)
        try:
            self._dataflows.schedule(export.id)
            more = True
            while more:
                events, more = await pending.next()
                for event in events:
                    yield event
                    # A replica that starts again need not begin at the beginning.
                    if isinstance(event, Progress) and event.frontier.time is not None:
                        if event.frontier.time - compacted > _COMPACT_AFTER_MS:
                            compacted = step_back(event.frontier.time)
                            self._dataflows.allow_compaction(export.id, Antichain(compacted))
                self._send(AcknowledgeBatches(export.id, 1))
        finally:
            del self._pending[export.id]
            self._dataflows.drop(export.id)

    def take(self, batch: SubscribeBatch, payload: bytes) -> None:
        """Takes a batch of the replica; batches of abandoned subscribes are ignored."""
        if batch.id in self._pending:
            self._pending[batch.id].batch(batch, payload)

    def give_up(self) -> None:
        """Ends subscribes whose dataflow, or a dataflow below, keeps failing."""
        for id_, pending in self._pending.items():
            hindered = self._dataflows.progress.hindrance(id_, None, Patience.FAILURES)
            if hindered is not None:
                message = "the subscription is not maintained"
                pending.fail(PeekFailed(hindered.sqlstate.value, message, hindered.detail, None))

    def restart(self, reason: str) -> None:
        """Begins again after the replica is lost."""
        for pending in self._pending.values():
            pending.restart(reason)

    def fail(self, failure: PeekFailed) -> None:
        """Fails all subscribes under way."""
        for pending in self._pending.values():
            pending.fail(failure)

    def refuse(self, failure: PeekFailed) -> None:
        """Makes all later subscribes fail."""
        self._refusal = failure


def _lost(reason: str) -> PeekFailed:
    return PeekFailed(
        "58000",
        "the replica that ran the subscription was lost",
        reason,
        "Subscribe again: what was received of times that are not complete is to be discarded.",
    )
