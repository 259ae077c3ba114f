"""An event loop whose time jumps to the next timer whenever nothing else is left to do."""

from __future__ import annotations

import asyncio
import gc
import selectors
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")
_ROUNDS_TO_END = 20


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

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """Runs the function at once: the loop's time would pass by a thread's work as if it took for ever."""
        outcome: asyncio.Future[T] = self.create_future()
        try:
            outcome.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - it is raised where the outcome is awaited
            outcome.set_exception(error)
        return outcome


class VirtualClock:
    """The loop's time as wall time, which may be set to another."""

    def __init__(self, loop: VirtualLoop, offset_ms: int = 1_000_000) -> None:
        self._loop = loop
        self.offset_ms = offset_ms

    def now_ms(self) -> int:
        return self.offset_ms + int(self._loop.now * 1000)

    def elapsed_ns(self) -> int:
        return int(self._loop.now * 1e9)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def run_virtual(loop: VirtualLoop, work: Awaitable[T]) -> T:
    """Runs `work` to its end on `loop`, and closes it with nothing left over: what a killed life leaves behind must not
    be finalized later, amid whatever runs then."""
    # What was there before is not searched for it: of a process full of tests that takes a second.
    gc.freeze()
    try:
        asyncio.set_event_loop(loop)
        return loop.run_until_complete(work)
    finally:
        # Tasks of killed lives end in errors that nobody waits for.
        loop.set_exception_handler(lambda _loop, _context: None)
        loop.run_until_complete(_end_all())
        loop.run_until_complete(loop.shutdown_asyncgens())
        gc.collect()
        gc.unfreeze()
        asyncio.set_event_loop(None)
        loop.close()


async def _end_all() -> None:
    for _ in range(_ROUNDS_TO_END):
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        if not tasks:
            return
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=1)
