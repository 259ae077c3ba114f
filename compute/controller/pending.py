"""One peek under way: the rows received from each replica, whose of them are the answer, and the choices when a replica
is lost."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import pyarrow as pa

from compute.protocol.command import Nearest, Peek, PeekIndex
from compute.protocol.dataflow import Import, IndexImport, PiecesAsked
from compute.protocol.framing import batches_from_payload
from compute.protocol.response import PeekCancelled, PeekCompleted, PeekFailed, PeekOutcome
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.cluster_id import FIRST_CLUSTER
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.types.datum import Row
from planner.ir.relation import Finishing, Relation


@dataclass(frozen=True, slots=True)
class PeekRequest:
    """The command Peek without the fields that the controller fills. `cluster` answers; `told` hears the replica's
    account of an answer that was read to its end."""

    relation: Relation
    imports: tuple[Import, ...]
    as_of: Timestamp
    finishing: Finishing
    indexes: tuple[IndexImport, ...] = ()
    bytes_max: int | None = None
    timeout_ms: int | None = None
    pieces: PiecesAsked | None = None
    told: Callable[[PeekCompleted], None] | None = None
    cluster: int = FIRST_CLUSTER

    def command(self, uuid: str) -> Peek:
        return Peek(
            uuid=uuid,
            relation=self.relation,
            imports=self.imports,
            as_of=self.as_of,
            finishing=self.finishing,
            indexes=self.indexes,
            bytes_max=self.bytes_max,
            timeout_ms=self.timeout_ms,
            pieces=self.pieces,
            traced=self.told is not None,
        )


@dataclass(frozen=True, slots=True)
class IndexPeekRequest:
    """The command PeekIndex without the fields that the controller fills."""

    index: GlobalId
    keys: tuple[Row, ...] | None
    as_of: Timestamp
    finishing: Finishing
    numbered: bool = False
    nearest: Nearest | None = None
    bytes_max: int | None = None
    timeout_ms: int | None = None

    def command(self, uuid: str) -> PeekIndex:
        return PeekIndex(
            uuid=uuid,
            index=self.index,
            keys=self.keys,
            as_of=self.as_of,
            finishing=self.finishing,
            numbered=self.numbered,
            nearest=self.nearest,
            bytes_max=self.bytes_max,
            timeout_ms=self.timeout_ms,
        )


class PendingPeek:
    """A peek filled by the responses of one replica or of several, and emptied by its single reader, who awaits `next`.

    `answering`: the replica whose answer the reader gets, once there is one; the others are of no interest then.
    `handed_on`: the reader has seen rows.
    `encoded`: the command's bytes, where making them takes long, for as long as another replica may be asked.
    """

    def __init__(
        self,
        command: Peek | PeekIndex,
        told: Callable[[PeekCompleted], None] | None = None,
        encoded: bytes | None = None,
    ) -> None:
        self.command = command
        self.encoded = encoded
        self.answering: str | None = None
        self.retried = False
        self._told = told
        self._answers: defaultdict[str, deque[bytes]] = defaultdict(deque)
        self._failures: dict[str, PeekFailed] = {}
        self._outcome: PeekOutcome | None = None
        self._moved = asyncio.Event()
        self.handed_on = False

    @property
    def done(self) -> bool:
        return self._outcome is not None

    @property
    def restartable(self) -> bool:
        """Returns whether another replica may answer from the start: no row has been seen, and no restart has
        happened."""
        return not self.handed_on and not self.retried

    def rows(self, replica: str, payload: bytes) -> int:
        """Takes a chunk of a replica's answer, and returns how many are here."""
        self._answers[replica].append(payload)
        if replica == self.answering:
            self._moved.set()
        return len(self._answers[replica])

    def answer_by(self, replica: str) -> None:
        """Hands on the answer of this replica, and forgets those of all others."""
        self.answering = replica
        self._answers = defaultdict(deque, {replica: self._answers[replica]})
        self._moved.set()

    def refuse(self, replica: str, failure: PeekFailed) -> None:
        """Notes that a replica can't answer."""
        self._answers.pop(replica, None)
        self._failures[replica] = failure

    def forget(self, replica: str) -> None:
        """Forgets what a lost replica has said."""
        self._answers.pop(replica, None)
        self._failures.pop(replica, None)

    def refused_by_all(self, replicas: Collection[str]) -> PeekFailed | None:
        """Returns the first failure where each of the replicas has told one."""
        refused = bool(self._failures) and all(each in self._failures for each in replicas)
        return next(iter(self._failures.values())) if refused else None

    def finish(self, outcome: PeekOutcome) -> None:
        """Finishes the wait; the first outcome counts."""
        if self._outcome is None:
            self._outcome = outcome
            self._moved.set()

    def restart(self, uuid: str) -> None:
        """Forgets the rows received: the peek is asked from the start. Under another name, unless those are gone who
        were asked, no late answer to the former question can be taken for one to the new question."""
        assert not self.handed_on, "rows have been handed on"
        self.answering = None
        if uuid != self.command.uuid:
            self.command, self.encoded = replace(self.command, uuid=uuid), None
        self._answers.clear()
        self._failures.clear()

    async def next(self) -> list[pa.RecordBatch] | None:
        """Returns the next chunk; None after the last. Raises SqlError when the answer is an error."""
        while True:
            if isinstance(self._outcome, PeekFailed):
                raise error_of(self._outcome)
            if self.answering is not None and self._answers[self.answering]:
                self.handed_on, self.encoded = True, None
                return batches_from_payload(self._answers[self.answering].popleft())
            match self._outcome:
                case PeekCompleted() as completed:
                    if self._told is not None:
                        self._told(completed)
                    return None
                case PeekCancelled():
                    raise SqlError(Sqlstate.QUERY_CANCELED, "canceling statement due to user request")
                case _:
                    self._moved.clear()
                    await self._moved.wait()


def error_of(failed: PeekFailed) -> SqlError:
    """Returns the failure as the client's error."""
    return SqlError(Sqlstate(failed.sqlstate), failed.message, detail=failed.detail, hint=failed.hint)
