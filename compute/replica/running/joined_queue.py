"""A queue whose items are written many in one step: items that come during a step wait, and go together in the next.

A step costs a durable write whatever its size, and consensus takes one step after the other: of a hundred items that
come at once one waits for two steps, not for a hundred.

    class Bindings(JoinedQueue[_Binding]):
        def _take(self, waiting): ...       # which go together
        async def _write(self, batch): ...  # one step; ends the `done` of each
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar


@dataclass(frozen=True, slots=True)
class QueuedWrite:
    """An item to be written; `done` gets the outcome."""

    done: asyncio.Future[Any]

    def fail(self, error: Exception) -> None:
        """Tells whoever waits of the error, unless the outcome is known."""
        if not self.done.done():
            self.done.set_exception(error)


Item = TypeVar("Item", bound=QueuedWrite)


class JoinedQueue(ABC, Generic[Item]):
    """The queue of one kind of items. `run` is the task that writes them."""

    def __init__(self) -> None:
        self._waiting: list[Item] = []
        self._came = asyncio.Event()

    @abstractmethod
    def _take(self, waiting: Sequence[Item]) -> tuple[list[Item], list[Item]]:
        """Divides the waiting items: those of the next step, and those that go later."""

    @abstractmethod
    async def _write(self, batch: Sequence[Item]) -> None:
        """Writes a batch, and tells each item what came of it; raises only for a defect."""

    async def _outcome(self, item: Item) -> Any:
        """Adds an item, and returns its outcome or raises its failure. A cancelled caller waits for the outcome."""
        self._waiting.append(item)
        self._came.set()
        try:
            return await asyncio.shield(item.done)
        except asyncio.CancelledError:
            await asyncio.wait([item.done])
            if not item.done.cancelled():
                item.done.exception()  # the caller is gone, whatever came of it
            raise

    async def run(self) -> None:
        """Writes until cancelled; waiting items are then cancelled, too."""
        try:
            while True:
                await self._came.wait()
                self._came.clear()
                batch, self._waiting = self._take(self._waiting)
                if self._waiting:
                    self._came.set()
                try:
                    await self._write(batch)
                except Exception as defect:
                    for item in batch:
                        item.fail(defect)
                    raise
                except BaseException:
                    self._waiting += batch
                    raise
        except asyncio.CancelledError:
            for item in self._waiting:
                item.done.cancel()
            raise
