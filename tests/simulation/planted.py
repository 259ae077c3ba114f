"""Nine bugs, planted on purpose: each breaks one rule that the design rests on, and some seed must show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, cast
from unittest.mock import patch

from model.errors.sql_error import SqlError
from model.time.timestamp import Timestamp
from server.ledgers.counting import counter
from server.ledgers.counting.counters import Counters
from server.objects.maintained.collections import Collections
from storage.controller import StorageController
from storage.persist import commit as commit_module
from storage.persist.commit import CommitOutcome, Committed, _Attempt, _Landing
from storage.persist.retry import retried
from storage.persist.shard import PreparedWrite
from tests.storage.memory import MemoryConsensus
from timeline.durable_oracle import DurableOracle, TimelineRecord
from timeline.fence import FENCE_KEY, Fence
from timeline.group_commit import GroupCommitter, WriteRequest
from timeline.oracle import OracleState


class ForgetfulConsensus(MemoryConsensus):
    """Its sync says that it is done, and is not: a power cut loses what was acknowledged."""

    async def _sync(self) -> bool:
        await super()._sync()
        return False


@contextmanager
def acknowledge_before_append() -> Iterator[None]:
    """Clients are answered when their commit begins."""
    commit = GroupCommitter._commit

    async def hasty(self: GroupCommitter, batch: list[WriteRequest]) -> None:
        for request in batch:
            if not request.exclusive:
                request.succeed(Timestamp(self._oracle.peek_write_ts + 1))
        await commit(self, batch)

    with patch.object(GroupCommitter, "_commit", hasty):
        yield


@contextmanager
def apply_write_before_append() -> Iterator[None]:
    """Readers are given the timestamp, and told that it is complete, before its updates are there."""
    commit = GroupCommitter._commit

    async def hasty(self: GroupCommitter, batch: list[WriteRequest]) -> None:
        if batch:
            record, _timestamp = self._oracle.propose(self._clock.now_ms())
            outcome = await self._write([], record, [])
            if isinstance(outcome, Committed):
                self._oracle.adopt(record)
                self._tables.advance_timeline(self._oracle.upper)
                # The updates get the timestamp that was given away.
                self._oracle._record = TimelineRecord(
                    oracle=OracleState(
                        read_ts=Timestamp(record.oracle.read_ts - 1), write_ts=Timestamp(record.oracle.write_ts - 1)
                    ),
                    upper=Timestamp(record.upper - 1),
                )
                propose = self._oracle.propose
                with patch.object(self._oracle, "propose", lambda _now_ms: propose(0)):
                    await commit(self, batch)
                return
        await commit(self, batch)

    with patch.object(GroupCommitter, "_commit", hasty):
        yield


@contextmanager
def no_epoch_check() -> Iterator[None]:
    """Commits have no fence as a precondition, and reads don't look at it."""
    read = DurableOracle._read_now
    commit = StorageController.commit

    async def careless_read(self: DurableOracle) -> Timestamp:
        head = (await self._consensus.head([FENCE_KEY]))[FENCE_KEY]
        assert head is not None
        with patch.object(self, "_fence", Fence(self._fence.epoch, head.seqno)):
            return await read(self)

    async def careless_commit(
        self: StorageController,
        prepared: Sequence[PreparedWrite],
        preconditions: Mapping[str, int | None] | None = None,
        extra_writes: Mapping[str, tuple[int | None, bytes]] | None = None,
        *,
        token: str | None = None,
        doubtful: Callable[[], None] | None = None,
    ) -> CommitOutcome:
        heads = await retried(lambda: self.consensus.head(list(extra_writes or {})), self.clock)
        newest = {
            key: (None if (head := heads[key]) is None else head.seqno, data)
            for key, (_, data) in (extra_writes or {}).items()
        }
        self.preconditions = {}
        return await commit(self, prepared, {}, newest, token=token, doubtful=doubtful)

    with (
        patch.object(StorageController, "commit", careless_commit),
        patch.object(DurableOracle, "_read_now", careless_read),
    ):
        yield


@contextmanager
def cached_read_ts() -> Iterator[None]:
    """Reads take the timestamp that this environment last heard of."""

    async def cached(self: DurableOracle) -> Timestamp:
        return self._record.oracle.read_ts

    with patch.object(DurableOracle, "read_ts", cached):
        yield


@contextmanager
def impatient_reads() -> Iterator[None]:
    """Materialized views are read as they are, though they may not be complete yet."""

    async def impatient(self: Collections, *arguments: object, **options: object) -> None:
        return

    with patch.object(Collections, "wait_for_upper", impatient):
        yield


@contextmanager
def numbers_before_reservations() -> Iterator[None]:
    """Clients are told a sequence's values before those are reserved durably, each of which is reserved by itself."""
    with patch.object(Counters, "covered", lambda self, number: True), patch.object(counter, "LOGGED_AHEAD", 0):
        yield


@contextmanager
def refused_though_in_doubt() -> Iterator[None]:
    """A refusal is told as the outcome, whatever a try before it has done."""

    class Hasty(_Landing):
        async def lands(self, attempt: _Attempt) -> bool:
            consensus = self._consensus

            class Told:
                async def compare_and_set(self, expected: Any, writes: Any) -> bool:
                    try:
                        return await consensus.compare_and_set(expected, writes)
                    except SqlError as error:
                        raise _Refused(error) from error

                def __getattr__(self, name: str) -> Any:
                    return getattr(consensus, name)

            try:
                return await _Landing(cast(Any, Told()), self._clock, self._doubtful).lands(attempt)
            except _Refused as refused:
                raise refused.error from refused

    with patch.object(commit_module, "_Landing", Hasty):
        yield


class _Refused(Exception):
    def __init__(self, error: SqlError) -> None:
        super().__init__(error.message)
        self.error = error


@contextmanager
def dropped_shards_stay() -> Iterator[None]:
    """Nothing of them is forgotten, in this life or the next."""

    async def lazy(*_: object) -> None:
        return

    with patch.object(StorageController, "forget_dropped", lazy):
        yield


@contextmanager
def nothing() -> Iterator[None]:
    yield


@dataclass(frozen=True, slots=True)
class Planted:
    """`first`: the seed to begin with, one that shows it sooner than others."""

    name: str
    plant: Callable[[], AbstractContextManager[Any]]
    consensus: type[MemoryConsensus] = MemoryConsensus
    first: int = 0


BUGS = (
    Planted("acknowledge before append", acknowledge_before_append, first=2),
    Planted("apply_write before append", apply_write_before_append, first=4),
    Planted("no epoch check", no_epoch_check, first=1),
    Planted("cached read_ts", cached_read_ts, first=20),
    Planted("impatient reads", impatient_reads, first=3),
    Planted("numbers before reservations", numbers_before_reservations, first=8),
    Planted("refused though in doubt", refused_though_in_doubt, first=6),
    Planted("dropped shards stay", dropped_shards_stay),
    Planted("a missing sync", nothing, ForgetfulConsensus),
)
