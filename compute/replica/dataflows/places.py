"""What all dataflows of a replica share: where data lies, what fences writes, time, threads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from model.clock import Clock, Randomness
from storage.persist.location import Blob, Consensus
from storage.persist.runner import Runner
from storage.persist.write import Stage


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
    """`directory` takes answers and outputs that are too large for memory; `runner` keeps work off the event loop."""

    consensus: Consensus
    blob: Blob
    stage: Stage
    fencing: Fencing
    clock: Clock
    randomness: Randomness
    runner: Runner
    directory: Path
