"""Whatever transactions lock in whatever order: nobody holds what conflicts, nobody waits for ever, nothing is left."""

from __future__ import annotations

import asyncio
import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.plans.locks import RowMode, TableMode
from server.ledgers.conflicts import Mode, conflict
from server.ledgers.locks import AnyResource, LockHolder, Locks, Resource

_TABLES = [Resource(GlobalId.user(number)) for number in (1, 2)]
_ROWS = [Resource(GlobalId.user(1), key) for key in "abc"]
_ROW_MODES: list[Mode] = list(RowMode)
_TABLE_MODES: list[Mode] = list(TableMode)


@pytest.mark.parametrize("modes", [_ROW_MODES, _TABLE_MODES])
def test_conflicts_go_both_ways(modes: list[Mode]) -> None:
    for one, other in itertools.product(modes, modes):
        assert conflict(one, other) == conflict(other, one)


class _Trial:
    """Transactions that take locks at random, give some back, and end."""

    def __init__(self, seed: int) -> None:
        self.locks = Locks()
        self._random = random.Random(seed)
        self._held: dict[LockHolder, list[tuple[AnyResource, Mode]]] = {}
        self.refused: list[Sqlstate] = []

    async def transact(self, pid: int) -> None:
        holder = self.locks.of_session(pid).transaction()
        self._held[holder] = []
        try:
            for _ in range(self._random.randint(1, 6)):
                await self._step(holder)
        except SqlError as error:
            self.refused.append(error.sqlstate)
        except TimeoutError:
            pass
        del self._held[holder]
        holder.release_from(0)

    async def _step(self, holder: LockHolder) -> None:
        for _ in range(self._random.randrange(3)):
            await asyncio.sleep(0)
        if self._random.random() < 0.2:
            place = self._random.randint(0, len(holder.taken))
            holder.release_from(place)
            self._held[holder] = list(holder.taken)
        resource = self._random.choice(_TABLES + _ROWS)
        mode: Mode = self._random.choice(_TABLE_MODES if resource.key is None else _ROW_MODES)
        if self._random.random() < 0.2:
            self.locks.take_now(holder, resource, mode)
        elif self._random.random() < 0.1:
            async with asyncio.timeout(0):
                await self.locks.take(holder, resource, mode)
        else:
            await self.locks.take(holder, resource, mode)
            assert holder.holds(resource, mode)
        self._held[holder] = list(holder.taken)
        self._require_no_conflict()

    def _require_no_conflict(self) -> None:
        for (one, mine), (other, theirs) in itertools.combinations(self._held.items(), 2):
            for (resource, mode), (same, another) in itertools.product(mine, theirs):
                assert resource != same or not conflict(mode, another), (
                    one.session.pid,
                    other.session.pid,
                    resource,
                    mode,
                    another,
                )


async def _tried(seed: int) -> int:
    trial = _Trial(seed)
    async with asyncio.timeout(60):
        await asyncio.gather(*(trial.transact(pid) for pid in range(8)))
    assert list(trial.locks.statuses()) == []
    assert set(trial.refused) <= {Sqlstate.DEADLOCK_DETECTED}
    return len(trial.refused)


@given(st.integers(0, 2**32))
def test_nobody_holds_what_conflicts_or_waits_for_ever(seed: int) -> None:
    asyncio.run(_tried(seed))


def test_the_trials_meet_deadlocks() -> None:
    assert sum(asyncio.run(_tried(seed)) for seed in range(20)) > 0


async def test_a_waiter_that_gives_up_leaves_the_lock_to_those_behind_it() -> None:
    locks, row = Locks(), _ROWS[0]
    first, second, third = (locks.of_session(pid).transaction() for pid in (1, 2, 3))
    await locks.take(first, row, RowMode.SHARE)
    waiting = asyncio.create_task(locks.take(second, row, RowMode.UPDATE))
    await asyncio.sleep(0)
    behind = asyncio.create_task(locks.take(third, row, RowMode.SHARE))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await behind
    assert third.holds(row, RowMode.SHARE) and not second.taken
