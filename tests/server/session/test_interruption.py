"""What ends a statement before its time."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import warnings
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.session.interruption import Interruption

T = TypeVar("T")


class _CoarseLoop(asyncio.SelectorEventLoop):
    """Its timers fire up to an hour early, as any loop's do by the resolution of its clock."""

    def __init__(self) -> None:
        super().__init__()
        self._clock_resolution = 3600.0


def test_a_timeout_that_fires_early_is_a_timeout() -> None:
    async def work() -> None:
        while True:
            await asyncio.sleep(0)

    async def wait() -> None:
        interruption = Interruption()
        interruption.arm(60_000)
        await interruption.run(work())

    with asyncio.Runner(loop_factory=_CoarseLoop) as runner:
        with pytest.raises(SqlError, match="statement timeout") as caught:
            runner.run(wait())
    assert caught.value.sqlstate is Sqlstate.QUERY_CANCELED


async def test_a_timeout_of_the_work_itself_is_not_the_statements() -> None:
    async def work() -> None:
        raise TimeoutError("of something else")

    interruption = Interruption()
    interruption.arm(60_000)
    with pytest.raises(TimeoutError, match="something else"):
        await interruption.run(work())


async def test_nothing_more_is_begun_once_the_connection_has_ended() -> None:
    begun = []

    async def committed() -> None:
        begun.append("commit")
        # What a COMMIT has begun it ends, whoever has gone.
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    async def further() -> None:
        begun.append("further")

    async def statements() -> None:
        interruption = Interruption()
        interruption.arm(0)
        await interruption.run(committed())
        await interruption.run(further())

    task = asyncio.create_task(statements())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert begun == ["commit"]


async def test_small_pieces_of_work_let_others_go_on() -> None:
    async def work() -> int:
        return 1

    steps = 0

    async def other() -> None:
        nonlocal steps
        while True:
            steps += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(other())
    interruption = Interruption()
    for _ in range(100):
        # A message of many statements, each of which has three pieces.
        interruption.arm(0)
        for _ in range(3):
            await interruption.run(work())
    beside.cancel()
    assert steps >= 5


async def test_work_that_has_not_begun_when_its_connection_ends_is_let_go() -> None:
    begun = []

    async def work() -> None:
        begun.append(True)

    interruption = Interruption()

    async def statements() -> None:
        while True:
            await interruption.run(work())

    connection = asyncio.create_task(statements())
    await asyncio.sleep(0)
    before = len(begun)
    connection.cancel()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(asyncio.CancelledError):
            await connection
        gc.collect()
    assert before > 1 and len(begun) == before


async def _cancelled(interruption: Interruption, work: Coroutine[Any, Any, T]) -> T:
    """Runs the work, cancels it as soon as it waits."""
    asyncio.get_running_loop().call_soon(interruption.cancel, SqlError(Sqlstate.QUERY_CANCELED, "by the user"))
    return await interruption.run(work)


async def test_a_session_goes_on_after_its_statement_was_cancelled() -> None:
    interruption = Interruption()
    for _ in range(3):
        interruption.arm(0)
        with pytest.raises(SqlError, match="by the user"):
            await _cancelled(interruption, asyncio.sleep(60))
        interruption.disarm()
        # Whatever the session waits for next is not cut short.
        await asyncio.sleep(0.001)
    task = asyncio.current_task()
    assert task is not None and task.cancelling() == 0


async def test_work_that_ends_in_spite_of_its_cancellation_has_ended() -> None:
    async def stubborn() -> str:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        return "committed"

    interruption = Interruption()
    interruption.arm(0)
    assert await _cancelled(interruption, stubborn()) == "committed"
    task = asyncio.current_task()
    assert task is not None and task.cancelling() == 0
    interruption.disarm()
    async with asyncio.timeout(1):
        await asyncio.sleep(0)


async def test_a_session_may_cancel_itself() -> None:
    interruption = Interruption()

    async def work() -> None:
        interruption.cancel(SqlError(Sqlstate.QUERY_CANCELED, "by itself"))

    interruption.arm(0)
    with pytest.raises(SqlError, match="by itself"):
        await interruption.run(work())


async def test_the_innermost_piece_of_work_is_cancelled_and_the_outer_ends_in_its_error() -> None:
    interruption = Interruption()

    async def outer() -> None:
        await _cancelled(interruption, asyncio.sleep(60))

    interruption.arm(0)
    with pytest.raises(SqlError, match="by the user"):
        await interruption.run(outer())


async def test_a_connection_that_ends_while_its_statement_is_cancelled_ends() -> None:
    interruption = Interruption()

    async def statement() -> None:
        interruption.arm(0)
        await interruption.run(asyncio.sleep(60))

    connection = asyncio.create_task(statement())
    await asyncio.sleep(0)
    interruption.cancel(SqlError(Sqlstate.QUERY_CANCELED, "by the user"))
    connection.cancel()
    with pytest.raises(asyncio.CancelledError):
        await connection


async def test_a_statement_is_cancelled_within_its_timeout_too() -> None:
    interruption = Interruption()
    interruption.arm(60_000)
    with pytest.raises(SqlError, match="by the user"):
        await _cancelled(interruption, asyncio.sleep(60))
    interruption.arm(1)
    with pytest.raises(SqlError, match="statement timeout"):
        await interruption.run(asyncio.sleep(60))
    task = asyncio.current_task()
    assert task is not None and task.cancelling() == 0
