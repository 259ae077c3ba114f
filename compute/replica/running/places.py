"""Shared by all dataflows of a replica: the places of data, the fence of writes, time, threads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from compute.arrangement.blob.remote_place import RemoteBlob
from model.time.clock import Clock, Randomness
from storage.persist.location import Blob, Consensus
from storage.persist.runner import Runner
from storage.persist.write import Stage

T = TypeVar("T")
_FEW_ROWS = 1_000


class Fencing:
    """The preconditions of every write of the replica: those of the newest environment."""

    def __init__(self, preconditions: Mapping[str, int | None]) -> None:
        self.preconditions = preconditions
        self._changed = asyncio.Event()

    def replace(self, preconditions: Mapping[str, int | None]) -> None:
        """Takes the preconditions of a newer environment."""
        self.preconditions = preconditions
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self, since: Mapping[str, int | None]) -> None:
        """Returns once the preconditions differ from `since`."""
        while self.preconditions == since:
            await self._changed.wait()


@dataclass(frozen=True, slots=True)
class Places:
    """The places and services that all work of a replica uses. `directory` takes answers and outputs that are too large
    for memory, `copies` what sources have copied and not bound; `runner` keeps work off the event loop. `remote` is
    blob as tasks of Spark reach it; None where they can't."""

    consensus: Consensus
    blob: Blob
    stage: Stage
    fencing: Fencing
    clock: Clock
    randomness: Randomness
    runner: Runner
    directory: Path
    copies: Path
    remote: RemoteBlob | None = None

    async def work(self, rows: int, work: Callable[[], T]) -> T:
        """Runs `work`, which reads `rows` rows: in another thread when there are many rows, on the event loop when
        there are few, because another thread would then cost more than the work."""
        return work() if rows <= _FEW_ROWS else await self.runner.run(work)

    async def each(self, rows: int, items: Iterator[T]) -> AsyncIterator[T]:
        """Yields the items of an iterator that computes them as they are asked for. An item that reads many rows
        (`rows`) is computed off the event loop, as in `work`. No item is None."""
        while (item := await self.work(rows, lambda: next(items, None))) is not None:
            yield item
