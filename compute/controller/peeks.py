"""The peeks of an environment: asked, handed on as readers take rows, asked again, ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Iterator
from typing import Protocol

import pyarrow as pa

from compute.controller.dataflows import DataflowController
from compute.controller.exports import Patience
from compute.controller.pending import PendingPeek
from compute.protocol.command import AcknowledgeRows, CancelPeek, Command, Peek, PeekIndex
from compute.protocol.history import CommandHistory
from compute.protocol.response import PeekCancelled, PeekCompleted, PeekDone, PeekFailed, PeekOutcome, PeekRows
from compute.protocol.vocabulary import sendable
from model.ids.global_id import GlobalId
from planner.ir.relation import Constant, Relation
from planner.ir.visit import walk_relation

_OF_REPLICA = ("42704", "53", "55", "57P", "58", "XX")
"""Classes of failures of a replica, not of data: it lacks the index, or its past, or a resource, or ends."""
_VALUES_ON_LOOP_MAX = 50_000
"""Values of constant rows; some 15 milliseconds of encoding."""


class AskedReplicas(Protocol):
    """The replicas of a cluster, as those who ask see them."""

    def require_replica(self) -> None:
        """Raises SqlError where there is none to be asked."""
        ...

    def tell(self, command: Command, encoded: bytes | None = None) -> object:
        """Hands a peek, and its bytes, to all replicas that `is_asked` names, now and whenever one starts again."""
        ...

    def send_each(self, command: Command, *, to: str | None = None, but: str | None = None) -> None:
        """Hands a command now to each replica that is connected, or to one, or to all but one."""
        ...

    def answering(self) -> Collection[str]:
        """Returns the names of the replicas that answer at present."""
        ...

    def any_connected(self) -> bool:
        """Returns whether some replica has, or is about to have, what was told."""
        ...

    def name_of_question(self) -> str:
        """Returns a name that no peek has had."""
        ...


class PendingPeeks:
    """Keeps the peeks that have no complete answer yet. `answered` counts.

    A peek that Spark runs is asked of the replica that leads. An index is asked of all: the first answer counts that is
    no failure of its replica. It is chosen once it is complete, or can't grow without being read; then the others are
    told to stop, before those who asked let their holds go.
    """

    def __init__(self, history: CommandHistory, replicas: AskedReplicas) -> None:
        self.answered = 0
        self._history = history
        self._replicas = replicas
        self._pending: dict[str, PendingPeek] = {}
        self._refusal: PeekFailed | None = None

    def __len__(self) -> int:
        """Returns the number of peeks under way."""
        return len(self._pending)

    async def ask(
        self, command: Peek | PeekIndex, told: Callable[[PeekCompleted], None] | None = None
    ) -> AsyncGenerator[pa.RecordBatch]:
        """Yields the answer's batches; see ComputeController.peek."""
        beside = isinstance(command, Peek) and _many_values(command.relation)
        encoded = await _encoded(command, beside=beside)
        # The last replica may have been dropped meanwhile, with all who waited then.
        self._replicas.require_replica()
        pending = PendingPeek(command, told, encoded if beside else None)
        if self._refusal is not None:
            pending.finish(self._refusal)
        self._pending[command.uuid] = pending
        self._replicas.tell(command, encoded)
        # The link has what it still needs of a long message, and the peek what another replica would.
        del encoded
        try:
            while (batches := await pending.next()) is not None:
                for batch in batches:
                    yield batch
                if not pending.done:
                    self._replicas.send_each(AcknowledgeRows(pending.command.uuid, 1), to=pending.answering)
        finally:
            del self._pending[pending.command.uuid]
            self._history.push(CancelPeek(pending.command.uuid))
            if pending.done:
                self.answered += 1
            else:
                self._cancel(pending)

    def encoded(self, command: Command) -> bytes | None:
        """Returns the bytes of a command of the history, where they are kept."""
        pending = self._pending.get(command.uuid) if isinstance(command, Peek) else None
        return None if pending is None else pending.encoded

    def _cancel(self, pending: PendingPeek) -> None:
        self._replicas.send_each(CancelPeek(pending.command.uuid), to=pending.answering)

    def is_asked(self, peek: Peek | PeekIndex, replica: str, *, leads: bool) -> bool:
        """Returns whether a replica is to work on a peek at present."""
        pending = self._pending.get(peek.uuid)
        if pending is None or pending.done:
            return False
        if pending.answering is not None:
            return pending.answering == replica
        return leads or isinstance(peek, PeekIndex)

    def indexes_asked(self) -> Iterator[PeekIndex]:
        """Yields the peeks of indexes that nobody has begun to answer."""
        for pending in self._pending.values():
            if isinstance(pending.command, PeekIndex) and pending.answering is None and not pending.done:
                yield pending.command

    def take(self, replica: str, response: PeekRows | PeekDone, payload: bytes) -> None:
        """Takes an answer of a replica; answers to abandoned peeks are ignored, and those that come late."""
        pending = self._pending.get(response.uuid)
        if pending is None or pending.done or pending.answering not in (None, replica):
            return
        if isinstance(response, PeekRows):
            chunks = pending.rows(replica, payload)
            if pending.answering is None and (chunks >= pending.command.window or not self._others(pending, replica)):
                self._choose(pending, replica)
            return
        outcome = response.outcome
        if pending.answering is None and _is_of_replica(outcome) and self._others(pending, replica):
            if isinstance(outcome, PeekFailed):
                pending.refuse(replica, outcome)
                self._end_if_refused(pending)
            return
        if pending.answering is None:
            self._choose(pending, replica)
        pending.finish(outcome)

    def _others(self, pending: PendingPeek, replica: str) -> list[str]:
        """Returns the replicas that may answer, too."""
        if isinstance(pending.command, Peek):
            return []
        return [each for each in self._replicas.answering() if each != replica]

    def _choose(self, pending: PendingPeek, replica: str) -> None:
        pending.answer_by(replica)
        if isinstance(pending.command, PeekIndex):
            self._replicas.send_each(CancelPeek(pending.command.uuid), but=replica)

    def _end_if_refused(self, pending: PendingPeek) -> None:
        refused = pending.refused_by_all(self._replicas.answering())
        if refused is not None:
            pending.finish(refused)
            self._cancel(pending)

    def lose(self, replica: str, failure: PeekFailed, *, led: bool) -> None:
        """Handles the loss of a replica, which is no longer connected, and perhaps led: peeks that waited for its
        answer are asked of the next one, once; others fail."""
        for pending in list(self._pending.values()):
            if pending.done:
                continue
            if pending.answering is None and isinstance(pending.command, PeekIndex):
                pending.forget(replica)
                if self._replicas.answering():
                    self._end_if_refused(pending)
                if self._replicas.any_connected():
                    continue
            elif pending.answering != replica and not (led and pending.answering is None):
                continue
            if pending.restartable:
                pending.retried = True
                if led and isinstance(pending.command, Peek):
                    # Only the one was asked that is gone: it is in the history for the next one.
                    pending.restart(pending.command.uuid)
                else:
                    self._ask_again(pending)
            else:
                self._history.push(CancelPeek(pending.command.uuid))
                pending.finish(failure)

    def pass_over(self, former: str) -> None:
        """Asks anew what only the former leader was asked, or answers alone, unless a reader has seen rows of its
        answer: those wait for it."""
        for pending in list(self._pending.values()):
            if pending.done or pending.handed_on or pending.answering not in (None, former):
                continue
            if pending.answering is not None or isinstance(pending.command, Peek):
                self._ask_again(pending)
            else:
                self._end_if_refused(pending)

    def _ask_again(self, pending: PendingPeek) -> None:
        former = pending.command.uuid
        self._history.push(CancelPeek(former))
        self._replicas.send_each(CancelPeek(former))
        del self._pending[former]
        pending.restart(self._replicas.name_of_question())
        self._pending[pending.command.uuid] = pending
        self._replicas.tell(pending.command)

    def give_way(self, dataflows: DataflowController) -> None:
        """Ends peeks that wait for indexes of failing dataflows: the caller can compute the answer."""
        for pending in self._pending.values():
            if pending.done:
                continue
            as_of, indexes = pending.command.as_of, _indexes_of(pending.command)
            hindered = (dataflows.progress.hindrance(index, as_of, Patience.HYDRATION) for index in indexes)
            error = next((each for each in hindered if each is not None), None)
            if error is not None:
                pending.finish(PeekFailed(error.sqlstate.value, error.message, error.detail, error.hint))
                self._cancel(pending)

    def fail(self, failure: PeekFailed) -> None:
        """Fails all peeks under way."""
        for pending in self._pending.values():
            if not pending.done:
                pending.finish(failure)
                self._cancel(pending)

    def refuse(self, failure: PeekFailed) -> None:
        """Makes all later peeks fail."""
        self._refusal = failure


def _is_of_replica(outcome: PeekOutcome) -> bool:
    """Returns whether another replica may answer otherwise: what is wrong with data, all say."""
    if isinstance(outcome, PeekFailed):
        return outcome.sqlstate.startswith(_OF_REPLICA)
    return isinstance(outcome, PeekCancelled)


def _indexes_of(command: Peek | PeekIndex) -> tuple[GlobalId, ...]:
    return (command.index,) if isinstance(command, PeekIndex) else tuple(each.index for each in command.indexes)


async def _encoded(command: Peek | PeekIndex, *, beside: bool) -> bytes:
    """Returns the command's bytes, made `beside` the event loop for a query over many constant rows: a catalog's are.
    SqlError for a plan nested too deeply or too long to be sent."""
    return await asyncio.to_thread(sendable, command) if beside else sendable(command)


def _many_values(relation: Relation) -> bool:
    constants = (node for node in walk_relation(relation) if isinstance(node, Constant))
    return sum(len(each.rows) * len(each.desc.columns) for each in constants) > _VALUES_ON_LOOP_MAX
