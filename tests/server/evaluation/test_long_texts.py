"""Long texts: the small come before the large, each has an end, and what is left behind meanwhile goes."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import weakref

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.ir.steps import UNDER_WAY
from server.planning import long_texts
from server.planning.long_texts import QUICK_LENGTH_MAX, STEPS_ON_LOOP_MAX, apart, beside


class _Circle:
    def __init__(self) -> None:
        self.itself = self


async def test_python_s_collector_does_not_rest_as_long_as_long_texts_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(long_texts, "_REST", long_texts._CollectorsRest())
    monkeypatch.setattr(long_texts, "_RESTED_MAX_S", 0.03)
    left: list[weakref.ref[_Circle]] = []

    def work() -> None:
        left.append(weakref.ref(_Circle()))
        time.sleep(0.01)

    try:
        # Each collection looks at all that the process of tests holds, so there are few.
        for _ in range(16):
            await beside(work)
        assert sum(each() is not None for each in left) < 8
    finally:
        gc.unfreeze()
        gc.enable()


def _take(count: int | None) -> str:
    """Takes so many steps, or steps without end; says in which thread."""
    steps = UNDER_WAY.get()
    assert steps is not None, "whatever is done with a text is counted"
    while count is None or steps.taken < count:
        steps.take()
    return threading.current_thread().name


async def test_a_short_text_is_read_at_once_as_long_as_it_takes_few_steps() -> None:
    assert await apart("SELECT 1", _take, 100) == threading.current_thread().name
    assert (await apart("SELECT 1", _take, STEPS_ON_LOOP_MAX + 1)).startswith("quick texts")
    assert (await apart("SELECT 1", _take, long_texts.STEPS_IN_QUICK_LANE_MAX + 1)).startswith("slow texts")
    assert not (await apart("x" * (QUICK_LENGTH_MAX + 1), _take, 100)).startswith("quick texts")


async def test_what_takes_steps_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_texts, "STEPS_MAX", 300_000)
    with pytest.raises(SqlError) as refused:
        await apart("SELECT 1", _take, None)
    assert refused.value.sqlstate is Sqlstate.STATEMENT_TOO_COMPLEX


async def test_nobody_s_work_ends_and_leaves_the_lane_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_texts, "STEPS_MAX", 10**12)
    abandoned = asyncio.create_task(apart("x" * 100_000, _take, None))
    await asyncio.sleep(0.05)
    assert (await apart("x" * 5_000, _take, 100)).startswith("quick texts"), "the large hold up no small ones"
    abandoned.cancel()
    assert (await asyncio.wait_for(apart("x" * 200_000, _take, 100), 60)).startswith("slow texts")


async def test_the_small_come_before_the_large() -> None:
    held, order = threading.Event(), []
    first = asyncio.create_task(apart("x" * 100_000, held.wait))
    await asyncio.sleep(0)

    async def asked(length: int) -> None:
        await apart("x" * length, _take, 10)
        order.append(length)

    waiting = [asyncio.create_task(asked(length)) for length in (900_000, 300_000, 100_000, 500_000)]
    await asyncio.sleep(0.01)
    held.set()
    await asyncio.gather(first, *waiting)
    assert order == [100_000, 300_000, 500_000, 900_000]


async def test_the_texts_of_those_who_went_are_held_no_longer() -> None:
    held = threading.Event()
    first = asyncio.create_task(apart("x" * 100_000, held.wait, 30))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(apart("x" * 100_000, _take, 1)) for _ in range(20)]
    await asyncio.sleep(0)
    assert len(long_texts._SLOW._waiting) == 20
    for each in waiting:
        each.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    left = len(long_texts._SLOW._waiting)
    held.set()
    await first
    assert left == 0
