"""The end of a WebSocket's tasks, also where one of them has not been told at first."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from server.api import socket_session


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
