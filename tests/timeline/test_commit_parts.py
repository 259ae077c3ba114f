"""Parts of a commit are asked in their order; what an attempt has prepared is written, or given up, for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from structlog.testing import capture_logs

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from storage.persist.shard import PreparedWrite
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.timeline.commit_parts import ToldPart
from tests.timeline.test_group_commit import A, B, contents, rows, running
from timeline.commit_part import CommitPart
from timeline.group_commit import WriteRequest


async def test_a_part_that_says_nothing_is_in_nobodys_way() -> None:
    class Silent(CommitPart):
        pass

    async with running(MemoryConsensus(), MemoryBlob()) as house:
        written = await house.committer.submit(WriteRequest(tables={A: rows(1)}, parts=[Silent(), Silent()]))
        assert await contents(house, A, written) == [1]


async def test_parts_are_asked_in_their_order_and_once() -> None:
    asked: list[str] = []
    async with running(MemoryConsensus(), MemoryBlob()) as house:
        await house.committer.submit(WriteRequest(parts=[ToldPart(asked=asked), ToldPart(asked=asked)]))
    assert asked == ["validate", "validate", "prepare", "prepare", "applied", "applied"]


async def test_what_a_part_refuses_the_others_are_not_prepared_for() -> None:
    def refuse(_timestamp: Timestamp) -> None:
        raise SqlError(Sqlstate.SERIALIZATION_FAILURE, "no")

    first, last = ToldPart(), ToldPart()
    async with running(MemoryConsensus(), MemoryBlob()) as house:
        request = WriteRequest(tables={A: rows(1)}, parts=[first, ToldPart(checks=refuse), last])
        (outcome,) = await asyncio.gather(house.committer.submit(request), return_exceptions=True)
    assert isinstance(outcome, SqlError)
    assert (first.asked, last.asked) == (["validate"], [])


async def test_what_parts_before_it_have_prepared_is_given_up_with_one_that_fails() -> None:
    async with running(MemoryConsensus(), MemoryBlob()) as house:

        async def staged(timestamp: Timestamp) -> Sequence[PreparedWrite]:
            upper = Antichain.at(timestamp + 1)
            return [await house.storage.prepare_append(B, rows(*range(100_000)), house.oracle.upper, upper)]

        async def fail(_timestamp: Timestamp) -> Sequence[PreparedWrite]:
            assert house.storage.stage.underway, "large updates are staged in parts"
            raise SqlError(Sqlstate.DISK_FULL, "no")

        first, last = ToldPart(writes=staged), ToldPart(writes=fail)
        with capture_logs():
            (outcome,) = await asyncio.gather(
                house.committer.submit(WriteRequest(parts=[first, last])), return_exceptions=True
            )
        assert isinstance(outcome, SqlError)
        assert not house.storage.stage.underway
        assert first.asked == last.asked == ["validate", "prepare", "abandon"]


async def test_an_attempt_that_was_refused_is_abandoned_before_the_next() -> None:
    async with running(MemoryConsensus(), MemoryBlob()) as house:
        needed = ["what nobody has"]

        async def need(_timestamp: Timestamp) -> Sequence[PreparedWrite]:
            return [house.storage.prepare_capabilities(A, needs=[needed.pop()])] if needed else []

        part = ToldPart(writes=need)
        written = await house.committer.submit(WriteRequest(tables={A: rows(1)}, parts=[part]))
        assert await contents(house, A, written) == [1]
    assert part.asked == ["validate", "prepare", "abandon", "validate", "prepare", "applied"]
