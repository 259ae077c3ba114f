"""An event loop whose time jumps to the next timer whenever nothing else is left to do."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable
from typing import Any, TypeVar

T = TypeVar("T")


class _JumpingSelector(selectors.DefaultSelector):
    """Instead of waiting, moves the loop's time."""

    loop: VirtualLoop | None = None

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if ready or self.loop is None:
            return ready
        assert timeout is not None, "the simulation is stuck: nothing will ever happen again"
        self.loop.now += max(timeout, 0)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """`now` is seconds since the simulation began."""

    def __init__(self) -> None:
        self.now = 0.0
        selector = _JumpingSelector()
        super().__init__(selector)
        selector.loop = self

    def time(self) -> float:
        return self.now


class VirtualClock:
    """The loop's time as wall time, which may be set back."""

    def __init__(self, loop: VirtualLoop, offset_ms: int = 1_000_000) -> None:
        self._loop = loop
        self.offset_ms = offset_ms

    def now_ms(self) -> int:
        return self.offset_ms + int(self._loop.now * 1000)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def run_virtual(loop: VirtualLoop, work: Awaitable[T]) -> T:
    """Runs `work` to its end on `loop`, and closes it."""
    try:
        asyncio.set_event_loop(loop)
        return loop.run_until_complete(work)
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        asyncio.set_event_loop(None)
        loop.close()
