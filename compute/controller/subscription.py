"""Subscribes under way: delivers batches in order and each update once, whichever replica sends it.

Every replica sends a subscribe's updates, tick by tick: parts, of which the last says up to where they are complete.

    told        complete up to here is what was handed on, or waits to be; batches say [lower, upper), their replica's
    one ends    beyond told: its updates in [told, upper) are handed on, then told = upper
    others      what they have sent of times before told is left out

A tick of more parts than a replica may send unread is handed on while it comes: its replica **streams**, and the others
wait. Once the reader has seen rows of the tick, the subscribe fails when that replica is lost before the tick's end,
for nobody else cuts the tick in the same parts; before, one that comes to an end takes its place. A replica that starts
again sends the updates anew, from the contents at a time that the inputs' holds keep readable. Each batch is
acknowledged to its replica when it is read or left out, so a slow client bounds all of them; with that a replica hears
what is told, and sends no more of a tick that another one has told to its end.

A replica that begins beyond told is **passed over**, tick by tick, until told has come to where it is; without another
one that answers the subscribe fails.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Collection
from dataclasses import dataclass, field
from typing import Protocol

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


@dataclass(slots=True, eq=False)
class SentBatch:
    """A batch of a replica, to be handed on from `told` on. `replica` is nobody once what it was sent by is gone."""

    replica: str | None
    batch: SubscribeBatch
    payload: bytes
    told: Antichain = field(default_factory=lambda: Antichain.at(0))

    @property
    def ends(self) -> bool:
        """Returns whether it ends a tick."""
        return self.batch.upper != self.batch.lower or self.batch.error is not None

    def rows(self) -> pa.Table:
        """Returns the updates that are to be handed on."""
        if not self.payload:
            return pa.table({})
        table = pa.Table.from_batches(batches_from_payload(self.payload))
        if self.told.time is None:
            return table.slice(0, 0)
        return table.filter(pc.greater_equal(table.column(TIME_COLUMN), self.told.time))


class SubscribingReplicas(Protocol):
    """The replicas of a cluster, as subscribes see them."""

    def answering(self) -> Collection[str]:
        """Returns the names of the replicas that answer at present."""
        ...

    def send_each(self, command: Command, *, to: str | None = None) -> None:
        """Hands a command now to a replica, if it is connected."""
        ...


class PendingSubscription:
    """A subscribe filled by the responses of replicas, and emptied by its single reader, who awaits `next`.

    `as_of` is its beginning. A replica sends at most `window` batches that are not acknowledged.
    """

    def __init__(self, id_: GlobalId, as_of: Antichain, window: int, replicas: SubscribingReplicas) -> None:
        self._id = id_
        self._window = window
        self._replicas = replicas
        self._sent: dict[str, deque[SentBatch]] = {}
        self._uppers: dict[str, Antichain] = {}
        self._streaming: str | None = None
        self._beyond: set[str] = set()
        self._told = as_of
        self._arrived: deque[SentBatch] = deque()
        self._upper = as_of
        self._read: SentBatch | None = None
        self._unsealed = False
        self._looked_at: Antichain | None = None
        self._failure: PeekFailed | None = None
        self._moved = asyncio.Event()

    def batch(self, replica: str, batch: SubscribeBatch, payload: bytes) -> None:
        """Takes the next batch of a replica."""
        if self._failure is not None or self._told.empty:
            return
        sent = SentBatch(replica, batch, payload)
        if replica in self._beyond and not batch.first:
            self._pass_over(sent)
            return
        if batch.first or self._uppers.get(replica) != batch.lower:
            # The first of its dataflow, perhaps after another one of the same replica.
            self.lose(replica, "it began anew")
            if self._failure is None and not batch.lower.precedes(self._told):
                self._pass_over(sent)
                return
        self._uppers[replica] = batch.upper
        self._sent.setdefault(replica, deque()).append(sent)
        self._hand_on()

    def _pass_over(self, sent: SentBatch) -> None:
        """Leaves out a batch of a tick that begins beyond what is told; fails where no other replica answers that can
        tell what lies between. At the tick's end it is looked anew where the replica is."""
        assert sent.replica is not None
        self._beyond.add(sent.replica)
        if self._beyond.issuperset(self._replicas.answering()):
            self.fail(_lost("its inputs have been compacted meanwhile"))
            return
        if sent.ends:
            self._beyond.discard(sent.replica)
        self._acknowledge(sent)

    def fail(self, failure: PeekFailed) -> None:
        """Ends the subscribe with an error; the first error counts."""
        if self._failure is None:
            self._failure = failure
            self._moved.set()

    def lose(self, replica: str, reason: str) -> None:
        """Handles the loss of a replica: another one, or itself, will send what it has not sent to an end."""
        self._sent.pop(replica, None)
        self._uppers.pop(replica, None)
        self._beyond.discard(replica)
        if self._streaming == replica:
            if self._seen:
                self.fail(_lost(reason))
            self._take_back()
        for each in (*self._arrived, *([self._read] if self._read is not None else [])):
            if each.replica == replica:
                each.replica = None
        self._hand_on()

    def stands_still(self) -> bool:
        """Returns whether nothing has been told since the last call, or only one replica could tell anything."""
        looked_at, self._looked_at = self._looked_at, self._told
        return looked_at == self._told or len(self._replicas.answering()) < 2

    @property
    def _seen(self) -> bool:
        """Returns whether the reader has seen rows of the tick that is handed on while it comes."""
        return self._unsealed and not any(each.ends for each in self._arrived)

    def _take_back(self) -> list[SentBatch]:
        """Takes back the unread parts of the tick that is handed on while it comes; its replica streams no more."""
        self._streaming = None
        parts = deque[SentBatch]()
        while self._arrived and not self._arrived[-1].ends:
            parts.appendleft(self._arrived.pop())
        return list(parts)

    def _give_way(self) -> None:
        """Lets another replica that has come to an end hand on, while nobody has seen what the streaming one sends."""
        streaming = self._streaming
        if streaming is not None and not self._seen and self._ahead() not in (None, streaming):
            self._sent.setdefault(streaming, deque()).extendleft(reversed(self._take_back()))

    def _hand_on(self) -> None:
        """Hands on what can be: of one that streams, of one that has come to an end beyond all others, or of one that
        can't send more unread. Nothing more once the subscribe has failed: it would be behind parts without an end."""
        if self._failure is not None:
            return
        self._leave_out()
        self._give_way()
        while (replica := self._streaming or self._ahead() or self._full()) is not None:
            self._streaming = replica
            sent = self._sent.get(replica)
            if not sent:
                return
            each = sent.popleft()
            each.told = self._told
            self._arrived.append(each)
            self._moved.set()
            if each.ends:
                self._streaming = None
                self._told = self._told.join(each.batch.upper)
                self._leave_out()
                self._tell_those_behind()

    def _ahead(self) -> str | None:
        """Returns the replica whose next end is the furthest, beyond what is told or an error."""
        ends = {replica: next((each.batch for each in sent if each.ends), None) for replica, sent in self._sent.items()}
        found = {replica: end for replica, end in ends.items() if end is not None}
        return max(found, key=lambda each: (found[each].upper.empty, found[each].upper.time or 0), default=None)

    def _full(self) -> str | None:
        """Returns a replica that can't send more, or that nobody else will outrun."""
        for replica, sent in self._sent.items():
            if sent and not [each for each in self._replicas.answering() if each != replica]:
                return replica
            if len(sent) >= self._window and self._still_full(replica):
                return replica
        return None

    def _still_full(self, replica: str) -> bool:
        """Leaves out parts of times that are told, and returns whether it can't send more even so."""
        sent = self._sent[replica]
        for each in [each for each in sent if not each.ends]:
            each.told = self._told
            if each.rows().num_rows == 0:
                sent.remove(each)
                self._acknowledge(each)
        return len(sent) >= self._window

    def _tell_those_behind(self) -> None:
        """Tells replicas that are amid a tick of many parts what need not be sent any more."""
        for replica, sent in self._sent.items():
            if len(sent) >= self._window and not any(each.ends for each in sent):
                self._replicas.send_each(AcknowledgeBatches(self._id, 0, self._told), to=replica)

    def _leave_out(self) -> None:
        """Leaves out ticks that end at told, or before: another replica has been faster."""
        for sent in self._sent.values():
            while any(
                each.ends and each.batch.error is None and each.batch.upper.precedes(self._told) for each in sent
            ):
                self._acknowledge(sent.popleft())

    def _acknowledge(self, read: SentBatch) -> None:
        if read.replica is not None:
            self._replicas.send_each(AcknowledgeBatches(self._id, 1, self._told), to=read.replica)

    async def next(self) -> tuple[list[SubscriptionEvent], bool]:
        """Returns the next events, perhaps none, and whether more follow. Each call acknowledges the batch before.

        Raises SqlError when the subscribe fails: by an error in its contents, or with its replica.
        """
        if self._read is not None:
            self._acknowledge(self._read)
            self._read = None
        while not self._arrived:
            if self._failure is not None:
                raise error_of(self._failure)
            self._moved.clear()
            await self._moved.wait()
        read = self._read = self._arrived.popleft()
        batch, events = read.batch, list[SubscriptionEvent]()
        table = read.rows()
        if table.num_rows > 0:
            self._unsealed = True
            events.append(Updates(table))
        if self._upper.precedes(batch.upper) and self._upper != batch.upper and read.ends:
            self._upper = batch.upper
            events.append(Progress(batch.upper))
        if read.ends:
            self._unsealed = False
        if batch.error is not None:
            self.fail(batch.error)
        return events, batch.error is not None or not batch.upper.empty


class Subscriptions:
    """All subscribes of a cluster, asked of all its replicas."""

    def __init__(self, cluster: int, dataflows: DataflowController, replicas: SubscribingReplicas) -> None:
        self._cluster = cluster
        self._dataflows = dataflows
        self._replicas = replicas
        self._pending: dict[GlobalId, PendingSubscription] = {}
        self._refusal: PeekFailed | None = None

    async def follow(self, description: DataflowDescription) -> AsyncGenerator[SubscriptionEvent]:
        """Yields the subscription's events; see ComputeController.subscribe."""
        (export,) = description.exports
        assert isinstance(export, SubscribeExport) and description.as_of.time is not None
        pending = PendingSubscription(export.id, description.as_of, export.window, self._replicas)
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
        finally:
            del self._pending[export.id]
            self._dataflows.drop(export.id)

    def take(self, replica: str, batch: SubscribeBatch, payload: bytes) -> None:
        """Takes a batch of a replica; batches of abandoned subscribes are ignored."""
        if batch.id in self._pending:
            self._pending[batch.id].batch(replica, batch, payload)

    def give_up(self) -> None:
        """Ends subscribes whose dataflow, or a dataflow below, keeps failing."""
        for id_, pending in self._pending.items():
            hindered = self._dataflows.progress.hindrance(id_, None, Patience.FAILURES)
            if hindered is not None and pending.stands_still():
                message = "the subscription is not maintained"
                pending.fail(PeekFailed(hindered.sqlstate.value, message, hindered.detail, None))

    def lose(self, replica: str, reason: str) -> None:
        """Has all go on without a replica, which is lost."""
        for pending in self._pending.values():
            pending.lose(replica, reason)

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
