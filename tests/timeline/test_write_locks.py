"""Write locks are exclusive, granted in order of arrival, and never lost to a cancelled waiter. On rows, by their keys,
those are held together that can't meet."""

from __future__ import annotations

import asyncio

import pyarrow as pa
import pytest

from model.errors import SqlError
from model.global_id import GlobalId
from model.physical import DIFF_COLUMN, rows_to_arrow
from model.relation_desc import relation_desc
from model.scalar_type import INT4
from model.sqlstate import Sqlstate
from timeline.footprint import Footprint, KeyColumns, WrittenRows
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
