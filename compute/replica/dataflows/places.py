"""What all dataflows of a replica share: where data lies, what fences writes, time, threads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from model.time.clock import Clock, Randomness
from storage.persist.location import Blob, Consensus
from storage.persist.runner import Runner
from storage.persist.write import Stage

T = TypeVar("T")
_FEW_ROWS = 1_000


class Fencing:
    """The preconditions of everything that the replica writes: those of the newest environment."""

    def __init__(self, preconditions: Mapping[str, int | None]) -> None:
        self.preconditions = preconditions
        self._changed = asyncio.Event()

    def replace(self, preconditions: Mapping[str, int | None]) -> None:
        """A newer environment is there."""
        self.preconditions = preconditions
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self, since: Mapping[str, int | None]) -> None:
        """Returns once the preconditions are others than `since`."""
        while self.preconditions == since:
            await self._changed.wait()


@dataclass(frozen=True, slots=True)
class Places:
    """`directory` takes answers and outputs that are too large for memory, `copies` what sources have copied and not
    bound; `runner` keeps work off the event loop."""

    consensus: Consensus
    blob: Blob
    stage: Stage
    fencing: Fencing
    clock: Clock
    randomness: Randomness
    runner: Runner
    directory: Path
    copies: Path

    async def work(self, rows: int, work: Callable[[], T]) -> T:
        """What `work` on so many rows returns or raises, off the event loop when they are many: another thread costs
        more than a few rows do."""
        return work() if rows <= _FEW_ROWS else await self.runner.run(work)

    async def each(self, rows: int, items: Iterator[T]) -> AsyncIterator[T]:
        """The items, none of them None, of which each is made as `work` is."""
        while (item := await self.work(rows, lambda: next(items, None))) is not None:
            yield item
