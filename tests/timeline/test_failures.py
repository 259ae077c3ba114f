"""What fails in a commit is told as what it is, to whom it belongs, and ends nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from structlog.testing import capture_logs

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import SystemRandomness
from model.time.timestamp import Timestamp
from storage.maintenance import StorageMaintenance
from storage.persist.location import Indeterminate, Versioned
from storage.persist.shard import PreparedWrite
from storage.persist.transition import ShardDropped
from storage.persist.version import Version, encode_version, shard_key
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE, Faults, UnreliableConsensus
from tests.timeline.commit_parts import ToldPart
from tests.timeline.test_group_commit import A, B, House, ManualClock, contents, rows, running
from timeline.fence import FENCE_KEY
from timeline.group_commit import WriteRequest

_KEY = shard_key(str(B))


async def _told(house: House, request: WriteRequest) -> Sqlstate | None:
    try:
        await house.committer.submit(request)
    except SqlError as error:
        return error.sqlstate
    return None


async def _newest(house: House) -> list[int]:
    return await contents(house, A, await house.oracle.read_ts())


class CannotTruncate(MemoryConsensus):
    async def truncate(self, key: str, before_seqno: int) -> None:
        if key != FENCE_KEY:
            raise SqlError(Sqlstate.IO_ERROR, "the consensus store does not answer")


async def test_a_truncation_that_fails_is_nobodys_failure() -> None:
    async with running(CannotTruncate(), MemoryBlob()) as house:
        maintenance = StorageMaintenance(house.storage, {"timeline": house.oracle.truncate})
        with capture_logs() as logs:
            for key in range(300):
                assert await _told(house, WriteRequest(tables={A: rows(key)})) is None
            await maintenance.round()
            await maintenance.round()
        assert len([entry for entry in logs if entry["of"] == "timeline"]) == 1
        assert await _newest(house) == list(range(300))


async def test_old_records_of_the_timeline_are_let_go_of() -> None:
    consensus = MemoryConsensus()
    async with running(consensus, MemoryBlob()) as house:
        maintenance = StorageMaintenance(house.storage, {"timeline": house.oracle.truncate})
        for key in range(600):
            await house.committer.submit(WriteRequest(tables={A: rows(key)}))
            if key % 50 == 0:
                await maintenance.round()
        assert len(await consensus.scan(house.oracle.key, 1)) < 400


class Silent(MemoryConsensus):
    """While it is `silent` a write happens unanswered or, unless `lands`, does not happen."""

    silent = False
    lands = True

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        if self.silent:
            if self.lands:
                await super().compare_and_set(expected, writes)
            raise Indeterminate("no answer")
        return await super().compare_and_set(expected, writes)

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        if self.silent:
            raise Indeterminate("no answer")
        return await super().scan(key, from_seqno)


@pytest.mark.parametrize("lands", [True, False])
async def test_an_outcome_that_is_not_known_is_told_as_that_and_found_out_once_consensus_answers(lands: bool) -> None:
    consensus = Silent()
    consensus.lands = lands
    async with running(consensus, MemoryBlob()) as house:
        await house.committer.submit(WriteRequest(tables={A: rows(1)}))
        part = ToldPart()
        request = WriteRequest(tables={B: rows(2)}, parts=[part])
        consensus.silent = True
        with capture_logs():
            assert await _told(house, request) is Sqlstate.STATEMENT_COMPLETION_UNKNOWN
        assert await _told(house, WriteRequest(tables={A: rows(3)})) is Sqlstate.IO_ERROR
        if not lands:
            seqno = house.storage.machine(str(B)).seqno
            other = encode_version(Version(token="another's", transitions=(ShardDropped(),)))
            assert await MemoryConsensus.compare_and_set(consensus, {_KEY: seqno}, {_KEY: other})
        consensus.silent = False
        while await _told(house, WriteRequest(tables={A: rows(4)})) is not None:
            await asyncio.sleep(0)
        assert await _newest(house) == [1, 4]
        assert part.asked == ["validate", "prepare", "applied" if lands else "abandon"]


async def test_an_outcome_in_doubt_is_not_told_as_a_refusal_that_came_later() -> None:
    class FullAfterAll(MemoryConsensus):
        troubled = False

        async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
            if not self.troubled:
                return await super().compare_and_set(expected, writes)
            if await super().compare_and_set(expected, writes):
                raise Indeterminate("no answer")
            self.troubled = False
            raise SqlError(Sqlstate.DISK_FULL, "no space left for consensus")

    consensus = FullAfterAll()
    async with running(consensus, MemoryBlob()) as house:
        consensus.troubled = True
        assert await _told(house, WriteRequest(tables={A: rows(1)})) is None
        assert await _newest(house) == [1]


async def test_a_request_that_can_not_be_staged_fails_alone_and_leaves_nothing_staged() -> None:
    class FullForB(MemoryBlob):
        async def put(self, key: str, data: bytes) -> None:
            if f"/{B}/" in key:
                raise OSError(28, "No space left on device", key)
            await super().put(key, data)

    many = rows(*range(100_000))
    async with running(MemoryConsensus(), FullForB()) as house:
        outcomes = await asyncio.gather(
            _told(house, WriteRequest(tables={A: many})),
            _told(house, WriteRequest(tables={A: many, B: many})),
            _told(house, WriteRequest(tables={A: rows(-7)})),
        )
        assert [*outcomes] == [None, Sqlstate.DISK_FULL, None]
        assert len(await _newest(house)) == 100_001
        assert not house.storage.stage.underway


def _defect(_timestamp: Timestamp) -> None:
    raise AssertionError("a defect")


async def _prepared_defect(_timestamp: Timestamp) -> Sequence[PreparedWrite]:
    raise KeyError("a defect")


@pytest.mark.parametrize("defective", [ToldPart(checks=_defect), ToldPart(writes=_prepared_defect)])
@pytest.mark.parametrize("exclusive", [True, False])
async def test_a_defect_of_one_request_is_told_to_that_one_and_the_committer_goes_on(
    defective: ToldPart, exclusive: bool
) -> None:
    request = WriteRequest(exclusive=exclusive, tables={A: rows(2)}, parts=[defective])
    async with running(MemoryConsensus(), MemoryBlob()) as house:
        with capture_logs() as logs:
            outcomes = await asyncio.gather(
                _told(house, WriteRequest(tables={A: rows(1)})),
                _told(house, request),
                _told(house, WriteRequest(tables={A: rows(3)})),
            )
        assert [*outcomes] == [None, Sqlstate.INTERNAL_ERROR, None]
        assert await _newest(house) == [1, 3]
        assert any("defect" in entry["event"] for entry in logs)


async def test_what_can_not_be_recorded_is_told_to_its_request_and_the_committer_goes_on() -> None:
    async def unwritable(_timestamp: Timestamp) -> Sequence[PreparedWrite]:
        return [house.storage.prepare_retention(A, object())]  # type: ignore[arg-type]

    async with running(MemoryConsensus(), MemoryBlob()) as house:
        outcomes = await asyncio.gather(
            _told(house, WriteRequest(tables={B: rows(1)})),
            _told(house, WriteRequest(parts=[ToldPart(writes=unwritable)])),
            _told(house, WriteRequest(tables={A: rows(2)})),
        )
        assert [*outcomes] == [None, Sqlstate.INTERNAL_ERROR, None]
        assert await _newest(house) == [2]


async def test_a_full_consensus_refuses_at_once_reads_go_on_and_writes_do_with_room() -> None:
    consensus = UnreliableConsensus(MemoryConsensus(), ManualClock(), SystemRandomness(), RELIABLE)
    async with running(consensus, MemoryBlob()) as house:
        await house.committer.submit(WriteRequest(tables={A: rows(1)}))
        before = await house.oracle.read_ts()
        consensus.faults = Faults(full=1000)
        for key in range(50):
            slept = len(house.clock.slept)
            assert await _told(house, WriteRequest(tables={A: rows(key)})) is Sqlstate.DISK_FULL
            assert len(house.clock.slept) <= slept + 1, "it was not told at once"
            assert await house.oracle.read_ts() == before and await _newest(house) == [1]
        consensus.faults = RELIABLE
        assert await _told(house, WriteRequest(tables={A: rows(2)})) is None
        assert await _newest(house) == [1, 2]
