"""Write locks are exclusive, granted in order of arrival, and never lost to a cancelled waiter. On rows, by their keys,
those are held together that can't meet."""

from __future__ import annotations

import asyncio
import random
import sys
from dataclasses import dataclass

import pyarrow as pa
import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, rows_to_arrow
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4
from timeline.footprint import Footprint, KeyColumns, WrittenRows, shared_tables
from timeline.waiting import LockOwner
from timeline.write_locks import WriteLocks

A, B = GlobalId.user(1), GlobalId.user(2)
_DESC = relation_desc(("k", INT4), ("u", INT4))


def _tables(*ids: GlobalId) -> Footprint:
    return Footprint(frozenset(ids))


def _rows(*values: int, column: int = 0) -> Footprint:
    """Rows of A."""
    return Footprint(keys={KeyColumns(A, (column,), (INT4,)): frozenset((value,) for value in values)})


def _written(*rows: tuple[int, int]) -> dict[GlobalId, WrittenRows]:
    table = rows_to_arrow(rows, _DESC)
    return {A: WrittenRows([table.append_column(DIFF_COLUMN, pa.array([1] * len(rows), pa.int64()))])}


async def test_overlapping_locks_are_granted_first_come_first_served() -> None:
    locks, order = WriteLocks(), []

    async def work(name: str, locked: Footprint) -> None:
        async with locks.hold(locked):
            order.append(name)
            await asyncio.sleep(0)

    await asyncio.gather(work("first", _tables(A)), work("both", _tables(A, B)), work("late", _tables(B)))
    assert order == ["first", "both", "late"]


async def test_a_cancelled_waiter_keeps_nothing() -> None:
    locks = WriteLocks()
    holding = asyncio.Event()
    release = asyncio.Event()

    async def hold() -> None:
        async with locks.hold(_tables(A)):
            holding.set()
            await release.wait()

    async def wait() -> None:
        async with locks.hold(_tables(A)):
            raise AssertionError("it was cancelled before")

    holder = asyncio.create_task(hold())
    await holding.wait()
    waiter = asyncio.create_task(wait())
    await asyncio.sleep(0)
    waiter.cancel()
    await asyncio.gather(waiter, return_exceptions=True)
    assert locks.owners(LockOwner(), _written((1, 1)))
    release.set()
    await holder
    assert not locks.owners(LockOwner(), _written((1, 1)))
    async with locks.hold(_tables(A, B)):
        assert locks.owners(LockOwner(), {B: WrittenRows((), whole=True)})


async def _granted(locks: WriteLocks, locked: Footprint) -> bool:
    """Whether it is granted at once."""
    granted = False

    async def hold() -> None:
        nonlocal granted
        async with locks.hold(locked):
            granted = True

    asking = asyncio.create_task(hold())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    return granted


@pytest.mark.parametrize(
    ("other", "together"),
    [
        (_rows(3), True),
        (_rows(2, 3), False),
        # Nobody knows whether a row with this u has k = 1.
        (_rows(9, column=1), False),
        (Footprint(keys={**_rows(3).keys, **_rows(9, column=1).keys}), False),
        (_tables(A), False),
        (_tables(B), True),
    ],
)
async def test_rows_are_locked_together_where_they_are_others(other: Footprint, together: bool) -> None:
    locks = WriteLocks()
    async with locks.hold(_rows(1, 2)):
        assert await _granted(locks, other) == together
    async with locks.hold(other):
        assert await _granted(locks, _rows(1, 2)) == together


async def test_a_write_waits_for_locks_of_its_rows_alone() -> None:
    locks, owner = WriteLocks(), LockOwner()
    async with locks.hold(_rows(1, 2), owner), locks.hold(_rows(3)):
        assert locks.owners(LockOwner(), _written((7, 1), (2, 9))) == [(A, owner)]
        assert not locks.owners(owner, _written((2, 9)))
        assert not locks.owners(LockOwner(), _written((4, 1)))
        assert len(locks.owners(LockOwner(), {A: WrittenRows((), whole=True)})) == 2
        assert not locks.owners(LockOwner(), {B: WrittenRows((), whole=True)})


async def test_a_circle_through_rows_of_one_table_is_refused() -> None:
    locks = WriteLocks()
    one, other = LockOwner(1), LockOwner(2)
    async with locks.hold(_rows(1), one), locks.hold(_rows(2), LockOwner(3)), locks.hold(_rows(3), other):

        async def wait() -> None:
            async with locks.hold(_rows(3), one):
                raise AssertionError("it was cancelled before")

        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0)
        with pytest.raises(SqlError) as refused:
            async with locks.hold(_rows(1, 2), other):
                pass
        assert refused.value.sqlstate is Sqlstate.DEADLOCK_DETECTED
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


class _Obvious:
    """Holds each claim against all others."""

    def __init__(self) -> None:
        self.held: list[_Wanted] = []
        self.queue: list[_Wanted] = []

    def ask(self, wanted: _Wanted) -> bool:
        """False where it would wait for itself, and is refused."""
        self.queue.append(wanted)
        self.grant()
        if wanted in self.queue and self._circle(wanted.owner):
            self.leave(wanted)
            return False
        return True

    def leave(self, wanted: _Wanted) -> None:
        (self.queue if wanted in self.queue else self.held).remove(wanted)
        self.grant()

    def grant(self) -> None:
        earlier: list[_Wanted] = []
        for wanted in list(self.queue):
            if any(shared_tables(wanted.locked, other.locked) for other in (*self.held, *earlier)):
                earlier.append(wanted)
            else:
                self.queue.remove(wanted)
                self.held.append(wanted)

    def _circle(self, owner: LockOwner) -> bool:
        reached: list[LockOwner] = []
        pending = [owner]
        while pending:
            waiting = pending.pop()
            for at, wanted in enumerate(self.queue):
                for other in (*self.held, *self.queue[:at]) if wanted.owner is waiting else ():
                    if shared_tables(other.locked, wanted.locked) and other.owner not in reached:
                        reached.append(other.owner)
                        pending.append(other.owner)
        return owner in reached


@dataclass(eq=False)
class _Wanted:
    locked: Footprint
    owner: LockOwner
    release: asyncio.Event
    task: asyncio.Task[None] | None = None
    had: bool = False


def _any_footprint(source: random.Random) -> Footprint:
    tables: set[GlobalId] = set()
    keys: dict[KeyColumns, frozenset[tuple[int, ...]]] = {}
    for table in source.sample((A, B), source.randrange(1, 3)):
        if source.random() < 0.2:
            tables.add(table)
            continue
        for columns in source.choice((((0,),), ((0,),), ((1,),), ((0,), (1,)))):
            values = [(source.randrange(5),) for _ in range(source.randrange(3))]
            keys[KeyColumns(table, columns, (INT4,))] = frozenset(values)
    return Footprint(frozenset(tables), keys)


@pytest.mark.parametrize("seed", range(40))
async def test_locks_are_granted_and_refused_as_if_each_were_held_against_all(seed: int) -> None:
    source, locks, obvious = random.Random(seed), WriteLocks(), _Obvious()
    owners = [LockOwner(pid) for pid in range(1, 9)]
    wanted: list[_Wanted] = []
    refused = 0

    async def work(mine: _Wanted) -> None:
        async with locks.hold(mine.locked, mine.owner):
            mine.had = True
            await mine.release.wait()

    for _ in range(120):
        if wanted and source.random() < 0.45:
            mine = wanted.pop(source.randrange(len(wanted)))
            assert mine.task is not None
            if mine.had and source.random() < 0.7:
                mine.release.set()
            else:
                mine.task.cancel()
            await asyncio.gather(mine.task, return_exceptions=True)
            obvious.leave(mine)
        else:
            mine = _Wanted(_any_footprint(source), source.choice(owners), asyncio.Event())
            mine.task = asyncio.create_task(work(mine))
            may_have = obvious.ask(mine)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert mine.task.done() is not may_have
            if may_have:
                wanted.append(mine)
            else:
                refused += 1
                with pytest.raises(SqlError):
                    await mine.task
        await asyncio.sleep(0)
        assert {each for each in wanted if each.had} == set(obvious.held)
        rows = _written((source.randrange(5), source.randrange(5)))
        blocking = {each.owner for each in obvious.held if each.locked.meets(rows)} - {owners[0]}
        assert {owner for _, owner in locks.owners(owners[0], rows)} == blocking
    assert refused
    for mine in wanted:
        assert mine.task is not None
        mine.task.cancel()
    await asyncio.gather(*(mine.task for mine in wanted if mine.task is not None), return_exceptions=True)


async def test_who_asks_for_one_row_among_many_is_not_held_against_all_others() -> None:
    locks, release, calls = WriteLocks(), asyncio.Event(), 0

    async def work(value: int) -> None:
        async with locks.hold(_rows(value)):
            await release.wait()

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    tasks = [asyncio.create_task(work(value)) for value in (*range(100), *[99] * 100)]
    sys.setprofile(counted)
    try:
        await asyncio.sleep(0)
    finally:
        sys.setprofile(None)
    release.set()
    await asyncio.gather(*tasks)
    # Who waits last may look at all who wait before, for a circle.
    assert calls < 1_000_000
