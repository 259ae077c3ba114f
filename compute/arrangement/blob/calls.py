"""Runs coroutines on an event loop in a thread of its own, so that any thread may wait for one, a loop's thread too."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class BlockingCalls:
    """The thread ends with `close`, or with the process."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="state-calls", daemon=True)
        self._thread.start()

    def begin(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Starts a coroutine, and returns what will be its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Returns the result of a coroutine, or raises its exception."""
        return self.begin(coroutine).result()

    def close(self) -> None:
        """Ends the thread; nothing is to be called any more."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.close()
