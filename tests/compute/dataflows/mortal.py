"""Replicas that die at any step they take: before or after a tick, a seal, a checkpoint, a write of consensus."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from compute.arrangement.checkpoint import CheckpointSize
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows.direct import Direct
from compute.replica.dataflows.kept import open_kept
from compute.replica.dataflows.maintained import Input, Outputs, TickRows
from compute.replica.dataflows.outputs import Computation
from compute.replica.dataflows.shelf import Shelf
from compute.replica.dataflows.states import LocalStates
from compute.replica.running.places import Places
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from storage.persist.location import Consensus, Versioned


class Steps:
    """Stops whoever takes step number `fatal`, for ever."""

    def __init__(self, fatal: int) -> None:
        self._fatal = fatal
        self.taken = 0
        self.dead = asyncio.Event()

    async def step(self) -> None:
        if not self.survives():
            await asyncio.get_running_loop().create_future()

    def survives(self) -> bool:
        """Whether this step is not the one, nor one after it."""
        self.taken += 1
        if self.taken > self._fatal:
            self.dead.set()
        return not self.dead.is_set()


class Mortal(Direct):
    """Takes a step before and after whatever it does."""

    steps: Steps

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        await self.steps.step()
        rows = await super().tick(inputs, lower, upper, outputs)
        await self.steps.step()
        return rows

    async def seal(self) -> None:
        await self.steps.step()
        await super().seal()
        await self.steps.step()

    async def checkpoint(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> CheckpointSize:
        await self.steps.step()
        size = await super().checkpoint(upper, sinces)
        await self.steps.step()
        return size


class MortalConsensus:
    """A replica's connection to consensus: it may die before a write lands, or before it hears that it has."""

    def __init__(self, inner: Consensus, steps: Steps) -> None:
        self._inner = inner
        self._steps = steps

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        return await self._inner.head(keys)

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        return await self._inner.scan(key, from_seqno)

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        await self._steps.step()
        done = await self._inner.compare_and_set(expected, writes)
        await self._steps.step()
        return done

    async def truncate(self, key: str, before_seqno: int) -> None:
        await self._inner.truncate(key, before_seqno)

    async def forget(self, keys: Sequence[str]) -> None:
        await self._inner.forget(keys)

    async def list_keys(self, prefix: str) -> list[str]:
        return await self._inner.list_keys(prefix)

    async def close(self) -> None:
        return None


class MortalMaintenance:
    """State lies in `root`."""

    def __init__(self, places: Places, root: Path, steps: Steps) -> None:
        self._places = places
        self._root = root
        self._steps = steps

    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Mortal:
        state = await open_kept(LocalStates(self._root), shelf, {}, self._places.runner)
        mortal = Mortal(description, computation, state, self._places)
        mortal.steps = self._steps
        return mortal

    async def retain(self, descriptions: tuple[DataflowDescription, ...]) -> None:
        LocalStates(self._root).retain(descriptions)
