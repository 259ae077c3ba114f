"""The end of a WebSocket's tasks, also where one of them has not been told at first."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any

import pytest

from server.api import socket_session
from server.http.limits import HttpLimits


def test_a_task_that_has_lost_a_cancellation_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_session, "_CANCEL_AGAIN_S", 0.001)

    async def deaf() -> None:
        for _ in range(3):
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
        await asyncio.Event().wait()

    async def law() -> None:
        tasks = [asyncio.create_task(deaf()), asyncio.create_task(asyncio.sleep(0))]
        await asyncio.sleep(0)
        await socket_session._ended(tasks)
        assert tasks[0].cancelled() and tasks[1].done()

    asyncio.run(law())


class _HalfAFrame:
    """A client that sends a part of a frame and goes. Counts what is held of it."""

    def __init__(self) -> None:
        self.held = 0
        self.is_known = self.abort = self.when_stopping = lambda: None
        self._coming = [b"\x81\x85abcd123", b""]

    async def read(self, size: int) -> bytes:
        return self._coming.pop(0)

    async def write(self, data: bytes) -> None:
        pass

    def hold(self, size: int) -> bool:
        self.held += size
        return True

    def let_go(self, size: int) -> None:
        self.held -= size


def test_a_cancellation_while_a_client_is_released_keeps_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def law() -> None:
        releasing, goes_on = asyncio.Event(), asyncio.Event()

        async def slowly_ended(tasks: Iterable[asyncio.Task[None]]) -> None:
            releasing.set()
            await goes_on.wait()

        monkeypatch.setattr(socket_session, "_ended", slowly_ended)
        client: Any = _HalfAFrame()
        nobody: Any = None
        served = socket_session.SocketSession(nobody, nobody, nobody, HttpLimits(), client, nobody)
        task = asyncio.create_task(served.run())
        await releasing.wait()
        assert client.held > 0
        task.cancel()
        await asyncio.sleep(0)
        goes_on.set()
        await asyncio.wait([task])
        assert (task.cancelled(), client.held) == (True, 0)

    asyncio.run(law())
