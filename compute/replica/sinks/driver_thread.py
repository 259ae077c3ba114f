"""Runs a driver in a thread of its own: a hanging driver holds up its sink alone.

A thread that does not end is abandoned; its session's fence keeps the driver from doing anything more in the
destination.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from connectors.sinks.description import SinkDescription
from connectors.sinks.driver import Driver
from connectors.sinks.messages import DriverResponse, Request
from connectors.systems import open_driver

_PATIENCE_S = 30.0
_END_S = 2.5


class DriverChannel(Protocol):
    """The runtime's connection to a driver."""

    async def ask(self, request: Request) -> tuple[DriverResponse, ...]:
        """Returns the responses to a request; raises the driver's exception. The next request may be asked before:
        it is answered afterwards, and fails if this request fails."""
        ...

    async def close(self) -> None:
        """Ends the session, in bounded time."""
        ...


class DriverThread:
    """A driver in a thread. `slow` is called with a request that has been unanswered for long."""

    def __init__(self, driver: Driver, name: str, slow: Callable[[str], None]) -> None:
        self._driver = driver
        self._slow = slow
        self._requests: queue.SimpleQueue[tuple[Request, asyncio.Future[tuple[DriverResponse, ...]]] | None] = (
            queue.SimpleQueue()
        )
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    async def ask(self, request: Request) -> tuple[DriverResponse, ...]:
        answered: asyncio.Future[tuple[DriverResponse, ...]] = self._loop.create_future()
        self._requests.put((request, answered))
        while not answered.done():
            await asyncio.wait([answered], timeout=_PATIENCE_S)
            if not answered.done():
                self._slow(f"the destination has not answered {type(request).__name__} for {_PATIENCE_S:.0f} s")
        return answered.result()

    async def close(self) -> None:
        self._requests.put(None)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_END_S):
                await self._ended.wait()
                return
        await self._loop.run_in_executor(None, self._driver.abort)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_END_S):
                await self._ended.wait()

    def _run(self) -> None:
        failure: BaseException | None = None
        while (item := self._requests.get()) is not None:
            request, answered = item
            if failure is not None:
                self._tell(answered, failure)
                continue
            try:
                responses = tuple(self._driver.answer(request))
            except BaseException as error:  # noqa: BLE001  (it is raised where the driver was asked)
                failure = error
                self._tell(answered, error)
            else:
                self._tell(answered, responses)
        try:
            self._driver.close()
        finally:
            self._call(self._ended.set)

    def _tell(
        self, answered: asyncio.Future[tuple[DriverResponse, ...]], outcome: tuple[DriverResponse, ...] | BaseException
    ) -> None:
        def tell() -> None:
            if answered.done():
                return
            if isinstance(outcome, BaseException):
                answered.set_exception(outcome)
            else:
                answered.set_result(outcome)

        self._call(tell)

    def _call(self, told: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may have ended before this thread
            self._loop.call_soon_threadsafe(told)


def driver_in_thread(sink: SinkDescription, token: str, directory: Path, slow: Callable[[str], None]) -> DriverThread:
    """Starts the driver of a sink's place. `token` is unique to the session."""
    return DriverThread(open_driver(sink.place, token, directory), f"sink {sink.sink}", slow)
