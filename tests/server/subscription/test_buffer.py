"""The buffer against a list: nothing lost, repeated or out of order, whatever is in memory and whatever in files."""

from __future__ import annotations

import asyncio
import random

import pyarrow as pa
import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import Timestamp
from server.subscription.buffer import Buffer
from server.subscription.limits import BufferLimits
from storage.persist.runner import InlineRunner, ThreadRunner

_TINY = BufferLimits(memory_bytes=20_000, spill_bytes=50_000_000)


def table_of(first: int, count: int) -> pa.Table:
    return pa.table({"n": pa.array(range(first, first + count), pa.int64())})


async def take(buffer: Buffer) -> list[int] | Timestamp | None:
    item = await buffer.next()
    return item.column("n").to_pylist() if isinstance(item, pa.Table) else item


async def drained(buffer: Buffer) -> list[int]:
    """The rows up to the end."""
    rows: list[int] = []
    while (item := await take(buffer)) is not None:
        if isinstance(item, list):
            rows.extend(item)
    return rows


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("limits", [_TINY, BufferLimits()])
async def test_rows_come_out_as_they_went_in(seed: int, limits: BufferLimits) -> None:
    source = random.Random(seed)
    buffer = Buffer(limits, ThreadRunner() if seed % 2 else InlineRunner())
    put = 0
    taken: list[int] = []

    async def write() -> None:
        nonlocal put
        for _ in range(source.randrange(80)):
            count = source.choice([1, 1, 3, 500, 5000])
            await buffer.put(table_of(put, count))
            put += count
            if source.random() < 0.3:
                buffer.advance(Timestamp(put))
            if source.random() < 0.3:
                await asyncio.sleep(0)
        buffer.end()

    async def read() -> None:
        while (item := await take(buffer)) is not None:
            if isinstance(item, list):
                taken.extend(item)
            else:
                # A frontier stands for all rows before it, and they have come.
                assert len(taken) >= item
            if source.random() < 0.2:
                await asyncio.sleep(0.001)

    await asyncio.gather(write(), read())
    assert taken == list(range(put))
    await buffer.forget()


async def test_small_pieces_cost_as_little_as_their_rows() -> None:
    """A reader that stands still while a thousand small changes come finds a few tables, not a thousand."""
    buffer = Buffer(BufferLimits(memory_bytes=1 << 20, spill_bytes=0), InlineRunner())
    for number in range(3000):
        await buffer.put(table_of(number, 1))
    buffer.end()
    assert await drained(buffer) == list(range(3000))


async def test_more_than_may_wait_is_an_error_and_waits_no_longer() -> None:
    buffer = Buffer(BufferLimits(memory_bytes=10_000, spill_bytes=100_000), ThreadRunner())
    with pytest.raises(SqlError) as raised:
        for number in range(100):
            await buffer.put(table_of(number * 1000, 1000))
    assert raised.value.sqlstate is Sqlstate.CONFIGURATION_LIMIT_EXCEEDED
    buffer.fail(raised.value)
    await buffer.forget()
    with pytest.raises(SqlError, match="its reader is too slow"):
        await buffer.next()


async def test_a_reader_that_keeps_pace_from_behind_is_not_ended() -> None:
    """Files go when they have been read, so it is what waits that counts, not what has gone by."""
    buffer = Buffer(BufferLimits(memory_bytes=10_000, spill_bytes=200_000), ThreadRunner())
    for number in range(10):
        await buffer.put(table_of(number * 1000, 1000))
    taken: list[int] = []
    for number in range(10, 2000):
        await buffer.put(table_of(number * 1000, 1000))
        rows = await take(buffer)
        assert isinstance(rows, list)
        taken.extend(rows)
    buffer.end()
    assert taken + await drained(buffer) == list(range(2_000_000))


async def test_who_is_cancelled_while_waiting_loses_nothing() -> None:
    buffer = Buffer(_TINY, ThreadRunner())
    for number in range(100):
        await buffer.put(table_of(number * 1000, 1000))
    buffer.end()
    source, taken = random.Random(3), list[int]()
    while True:
        try:
            async with asyncio.timeout(source.random() * 0.0005):
                rows = await take(buffer)
        except TimeoutError:
            continue
        if rows is None:
            break
        assert isinstance(rows, list)
        taken.extend(rows)
    assert taken == list(range(100_000))


async def test_the_last_frontier_counts() -> None:
    buffer = Buffer(BufferLimits(), InlineRunner())
    await buffer.put(table_of(0, 1))
    buffer.advance(Timestamp(5))
    await buffer.put(table_of(1, 1))
    buffer.advance(Timestamp(9))
    assert [await take(buffer), await take(buffer)] == [[0, 1], Timestamp(9)]


async def test_what_is_too_large_to_wait_whole_waits_for_its_reader() -> None:
    limits = BufferLimits(memory_bytes=10_000, spill_bytes=100_000, stall_s=0.3)
    buffer = Buffer(limits, ThreadRunner())

    async def write() -> None:
        await buffer.put(table_of(0, 1_000_000))
        await buffer.put(table_of(1_000_000, 5_000), patient=True)
        buffer.end()

    writing = asyncio.create_task(write())
    assert await drained(buffer) == list(range(1_005_000))
    await writing
    stalled = Buffer(limits, ThreadRunner())
    with pytest.raises(SqlError, match="its reader is too slow"):
        await stalled.put(table_of(0, 1_000_000))
    await stalled.forget()
