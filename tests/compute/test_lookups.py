"""Lookups that come together are asked together, and each gets what it asked for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pyarrow as pa
import pytest

from compute.controller.lookups import Lookups
from compute.controller.pending import IndexPeekRequest
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT8
from planner.ir.relation import Finishing

_DESC = relation_desc(("k", INT8), ("twice", INT8))


class Replica:
    """Has the rows (k, 2k) of every k, k times; answers when `open` is set. `failure` is the answer to any request."""

    def __init__(self) -> None:
        self.requests: list[IndexPeekRequest] = []
        self.open = asyncio.Event()
        self.failure: SqlError | None = None
        self.lookups = Lookups(self._ask)

    async def _ask(self, request: IndexPeekRequest) -> AsyncGenerator[pa.RecordBatch]:
        self.requests.append(request)
        await self.open.wait()
        if self.failure is not None:
            raise self.failure
        assert request.numbered and request.keys is not None
        keys = [int(str(key)) for (key,) in request.keys]
        rows = [(k, 2 * k, place) for place, k in enumerate(keys) for _ in range(k)]
        for row in rows[::-1]:
            yield pa.record_batch({f"c{i}": [value] for i, value in enumerate(row)})

    def ask(self, *keys: int, as_of: int = 1, columns: tuple[int, ...] = (0, 1)) -> asyncio.Task[list[Row] | None]:
        request = IndexPeekRequest(
            GlobalId.user(1), tuple((key,) for key in keys), Timestamp(as_of), Finishing((), None, None, columns)
        )
        return asyncio.create_task(self.lookups.look_up(request, _DESC))

    def asked(self) -> list[list[object]]:
        return [[key for (key,) in request.keys or ()] for request in self.requests]


async def _settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_what_comes_while_others_are_under_way_is_asked_together() -> None:
    replica = Replica()
    first = [replica.ask(1)]
    await _settle()
    first.append(replica.ask(2))
    await _settle()
    rest = [replica.ask(3), replica.ask(2, 1), replica.ask(0), replica.ask(3)]
    await _settle()
    assert replica.asked() == [[1], [2]]
    replica.open.set()
    assert await asyncio.gather(*first) == [[(1, 2)], [(2, 4)] * 2]
    assert await asyncio.gather(*rest) == [[(3, 6)] * 3, [(2, 4), (2, 4), (1, 2)], [], [(3, 6)] * 3]
    assert replica.asked() == [[1], [2], [3, 2, 1, 0]]


async def test_lookups_at_another_time_or_of_other_columns_wait_for_none() -> None:
    replica = Replica()
    asked = [replica.ask(key, as_of=key) for key in (1, 2, 3)] + [replica.ask(1, columns=(1, 0))]
    await _settle()
    assert len(replica.requests) == 4
    replica.open.set()
    await asyncio.gather(*asked)
    assert [request.as_of for request in replica.requests] == [1, 2, 3, 1]


async def test_who_gives_up_is_not_asked_for_and_disturbs_nobody() -> None:
    replica = Replica()
    asked = []
    for key in (1, 2, 3, 4):
        asked.append(replica.ask(key))
        await _settle()
    first, second, third, fourth = asked
    for gone in (first, third):
        gone.cancel()
    await _settle()
    replica.open.set()
    assert await second == [(2, 4)] * 2 and await fourth == [(4, 8)] * 4
    assert replica.asked() == [[1], [2], [4]] and first.cancelled() and third.cancelled()


async def test_a_failure_is_everybodys_and_the_next_are_asked_again() -> None:
    replica = Replica()
    replica.failure = SqlError(Sqlstate.DIVISION_BY_ZERO, "division by zero")
    replica.open.set()
    failed = await asyncio.gather(replica.ask(1), replica.ask(2), replica.ask(3), return_exceptions=True)
    assert [type(each) for each in failed] == [SqlError] * 3
    replica.failure = None
    assert await replica.ask(1) == [(1, 2)]


@pytest.mark.parametrize("keys", [[1], list(range(2_000))])
async def test_what_is_too_much_is_for_the_caller_to_ask_by_itself(keys: list[int]) -> None:
    replica = Replica()
    replica.failure = SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, "result exceeds max size")
    replica.open.set()
    assert await replica.ask(*keys) is None
