"""Consensus on PostgreSQL has one connection to read by: who gives up waiting for an answer leaves it to the others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from model.time.clock import SystemClock
from model.time.timestamp import Timestamp
from storage.persist import postgres
from storage.persist.postgres import PostgresConsensus
from timeline.durable_oracle import TIMELINE_KEY, DurableOracle, TimelineRecord
from timeline.fence import FENCE_KEY, Fence
from timeline.oracle import OracleState


class _Connection:
    """Answers once it is open, and is of no use when a statement was left in the midst."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.closed = False

    async def execute(self, *_: object, **__: object) -> _Connection:
        await self.open.wait()
        return self

    async def fetchall(self) -> Sequence[tuple[str, int, bytes]]:
        record = TimelineRecord(oracle=OracleState(read_ts=Timestamp(7), write_ts=Timestamp(7)))
        return [(FENCE_KEY, 1, b""), (TIMELINE_KEY, 1, msgspec.msgpack.encode(record))]

    async def close(self) -> None:
        self.closed = True


async def test_who_gives_up_reading_leaves_the_connection_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[_Connection] = []

    async def connected(_url: str) -> Any:
        made.append(_Connection())
        return made[-1]

    monkeypatch.setattr(postgres, "_connect", connected)
    consensus = PostgresConsensus("")
    oracle = DurableOracle(consensus, Fence(epoch=1, seqno=1), SystemClock())
    first, second = asyncio.create_task(oracle.read_ts()), asyncio.create_task(oracle.read_ts())
    await asyncio.sleep(0.01)
    first.cancel()
    await asyncio.sleep(0.01)
    assert first.cancelled()
    for each in made:
        each.open.set()
    async with asyncio.timeout(60):
        assert await second == 7
    assert [each.closed for each in made] == [False]
    await consensus.close()
    assert made[0].closed
