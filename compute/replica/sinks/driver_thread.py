"""A driver in a thread of its own: one that hangs holds nobody but its sink.

The thread is abandoned when it does not end; what the driver might still do in the destination is for its fence to
refuse, as with any session that was taken over.
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
from connectors.sinks.open_driver import open_driver

_PATIENCE_S = 30.0
_END_S = 2.5


class DriverChannel(Protocol):
    """How a runtime speaks with a driver."""

    async def ask(self, request: Request) -> tuple[DriverResponse, ...]:
        """The responses to a request; whatever the driver raises. The next one may be asked before: it is answered
        after this one, and fails if this one does."""
        ...

    async def close(self) -> None:
        """Ends the session, in bounded time."""
        ...


class DriverThread:
    """`slow` is told which request has not been answered for long."""

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
    """The driver of a sink's place. `token`: no other session has it."""
    return DriverThread(open_driver(sink.place, token, directory), f"sink {sink.sink}", slow)
