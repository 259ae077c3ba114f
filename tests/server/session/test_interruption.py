"""What ends a statement before its time."""

from __future__ import annotations

import asyncio

import pytest

from model.errors import SqlError
from model.sqlstate import Sqlstate
from server.session.interruption import Interruption


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
