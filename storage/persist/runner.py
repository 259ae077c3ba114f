"""Runs heavy work apart from the event loop; the simulation runs the work inline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

T = TypeVar("T")


class Runner(Protocol):
    async def run(self, work: Callable[[], T]) -> T:
        """Returns the result of `work`, or raises its exception."""
        ...


class ThreadRunner:
    """Runs up to `threads` pieces of work beside the event loop."""

    def __init__(self, threads: int = 2) -> None:
        self._threads = ThreadPoolExecutor(threads, "storage")

    async def run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


class InlineRunner:
    """Runs work on the event loop's own thread: no threads, so a simulation is deterministic."""

    async def run(self, work: Callable[[], T]) -> T:
        return work()
