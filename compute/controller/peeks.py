"""The peeks of an environment: asked, handed on as readers take rows, asked again, ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable

import pyarrow as pa

from compute.controller.dataflows import DataflowController
from compute.controller.exports import Patience
from compute.controller.pending import PendingPeek
from compute.protocol.command import AcknowledgeRows, CancelPeek, Command, Peek, PeekIndex
from compute.protocol.history import CommandHistory
from compute.protocol.response import PeekCompleted, PeekDone, PeekFailed, PeekRows
from compute.protocol.vocabulary import sendable
from model.ids.global_id import GlobalId
from planner.ir.relation import Constant, Relation
from planner.ir.visit import walk_relation

_VALUES_ON_LOOP_MAX = 50_000
"""Values of constant rows; some 15 milliseconds of encoding."""


class PendingPeeks:
    """Keeps the peeks that have no complete answer yet. `tell` hands a command, and its bytes, to the replica, now
    and whenever it starts again; `send` only now. `require` raises SqlError where there is none to be asked. `answered`
    counts."""

    def __init__(
        self,
        history: CommandHistory,
        tell: Callable[[Command, bytes], object],
        send: Callable[[Command], object],
        require: Callable[[], None] = lambda: None,
    ) -> None:
        self.answered = 0
        self._history = history
        self._tell = tell
        self._send = send
        self._require = require
        self._pending: dict[str, PendingPeek] = {}
        self._refusal: PeekFailed | None = None

    def __len__(self) -> int:
        """Returns the number of peeks under way."""
        return len(self._pending)

    async def ask(
        self, command: Peek | PeekIndex, told: Callable[[PeekCompleted], None] | None = None
    ) -> AsyncGenerator[pa.RecordBatch]:
        """The answer's batches; see ComputeController.peek."""
        beside = isinstance(command, Peek) and _many_values(command.relation)
        encoded = await _encoded(command, beside=beside)
        # The last replica may have been dropped meanwhile, with all who waited then.
        self._require()
        uuid = command.uuid
        pending = PendingPeek(command, told, encoded if beside else None)
        if self._refusal is not None:
            pending.finish(self._refusal)
        self._pending[uuid] = pending
        self._tell(command, encoded)
        # The link has what it still needs of a long message, and the peek what another replica would.
        del encoded
        try:
            while (batches := await pending.next()) is not None:
                for batch in batches:
                    yield batch
                if not pending.done:
                    self._send(AcknowledgeRows(uuid, 1))
        finally:
            del self._pending[uuid]
            self._history.push(CancelPeek(uuid))
            if pending.done:
                self.answered += 1
            else:
                self._send(CancelPeek(uuid))

    def encoded(self, command: Command) -> bytes | None:
        """Returns the bytes of a command of the history, where they are kept."""
        pending = self._pending.get(command.uuid) if isinstance(command, Peek) else None
        return None if pending is None else pending.encoded

    def take(self, response: PeekRows | PeekDone, payload: bytes) -> None:
        """Takes an answer of the replica; answers to abandoned peeks are ignored."""
        pending = self._pending.get(response.uuid)
        if pending is None:
            return
        if isinstance(response, PeekRows):
            pending.rows(payload)
        else:
            pending.finish(response.outcome)

    def retry_or_fail(self, failure: PeekFailed) -> None:
        """Handles the loss of the replica: peeks without a row seen are asked of the next replica, once; others
        fail."""
        for uuid, pending in self._pending.items():
            if pending.done:
                continue
            if pending.restartable:
                pending.restart()
            else:
                self._history.push(CancelPeek(uuid))
                pending.finish(failure)

    def give_way(self, dataflows: DataflowController) -> None:
        """Ends peeks that wait for indexes of failing dataflows: the caller can compute the answer."""
        for uuid, pending in self._pending.items():
            if pending.done:
                continue
            as_of, indexes = pending.command.as_of, _indexes_of(pending.command)
            hindered = (dataflows.progress.hindrance(index, as_of, Patience.HYDRATION) for index in indexes)
            error = next((each for each in hindered if each is not None), None)
            if error is not None:
                pending.finish(PeekFailed(error.sqlstate.value, error.message, error.detail, error.hint))
                self._send(CancelPeek(uuid))

    def fail(self, failure: PeekFailed) -> None:
        """Fails all peeks under way."""
        for pending in self._pending.values():
            pending.finish(failure)

    def refuse(self, failure: PeekFailed) -> None:
        """Makes all later peeks fail."""
        self._refusal = failure


def _indexes_of(command: Peek | PeekIndex) -> tuple[GlobalId, ...]:
    return (command.index,) if isinstance(command, PeekIndex) else tuple(each.index for each in command.indexes)


async def _encoded(command: Peek | PeekIndex, *, beside: bool) -> bytes:
    """Returns the command's bytes, made `beside` the event loop for a query over many constant rows: a catalog's are.
    SqlError for a plan nested too deeply or too long to be sent."""
    return await asyncio.to_thread(sendable, command) if beside else sendable(command)


def _many_values(relation: Relation) -> bool:
    constants = (node for node in walk_relation(relation) if isinstance(node, Constant))
    return sum(len(each.rows) * len(each.desc.columns) for each in constants) > _VALUES_ON_LOOP_MAX
