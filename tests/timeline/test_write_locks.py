"""Write locks are exclusive, granted in order of arrival, and never lost to a cancelled waiter."""

from __future__ import annotations

import asyncio

from model.global_id import GlobalId
from timeline.write_locks import WriteLocks

A, B = GlobalId.user(1), GlobalId.user(2)


async def test_overlapping_locks_are_granted_first_come_first_served() -> None:
    locks, order = WriteLocks(), []

    async def work(name: str, ids: frozenset[GlobalId]) -> None:
        async with locks.hold(ids):
            order.append(name)
            await asyncio.sleep(0)

    await asyncio.gather(work("first", frozenset({A})), work("both", frozenset({A, B})), work("late", frozenset({B})))
    assert order == ["first", "both", "late"]


async def test_a_cancelled_waiter_keeps_nothing() -> None:
    locks = WriteLocks()
    holding = asyncio.Event()
    release = asyncio.Event()

    async def hold() -> None:
        async with locks.hold(frozenset({A})):
            holding.set()
            await release.wait()

    async def wait() -> None:
        async with locks.hold(frozenset({A})):
            raise AssertionError("it was cancelled before")

    holder = asyncio.create_task(hold())
    await holding.wait()
    waiter = asyncio.create_task(wait())
    await asyncio.sleep(0)
    waiter.cancel()
    await asyncio.gather(waiter, return_exceptions=True)
    assert locks.locked(frozenset({A}))
    release.set()
    await holder
    assert not locks.locked(frozenset({A}))
    async with locks.hold(frozenset({A, B})):
        assert locks.locked(frozenset({B}))
