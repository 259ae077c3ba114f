"""Blob and consensus that several processes share, one after the other or at once, and where a process may die."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from compute.arrangement.blob.cache import BlockCache
from compute.arrangement.blob.states import BlobStates
from model.time.clock import SystemRandomness
from storage.persist.location import Blob, Consensus, Versioned
from tests.compute.arrangement.failing_disk import Died
from tests.storage.memory import MemoryBlob, MemoryConsensus

T = TypeVar("T")
STATE = "state"
PLENTY = 1 << 30


@dataclass
class BlobWorld:
    """The places, and a folder for the caches of processes. Each process is another one's successor."""

    directory: Path
    open_places: Callable[[], tuple[Consensus, Blob]]
    cache_bytes: int = PLENTY
    url: str | None = None
    caches: list[BlockCache] = field(default_factory=list)
    states: list[BlobStates] = field(default_factory=list)

    def process(
        self, wrapped: Callable[[Consensus, Blob], tuple[Consensus, Blob]] = lambda *places: places
    ) -> BlobStates:
        """Begins a process, with a cache that no other has."""
        cache = BlockCache(self.directory / f"cache{len(self.caches)}", self.cache_bytes)
        self.caches.append(cache)
        states = BlobStates("r1", lambda: wrapped(*self.open_places()), dict, cache, SystemRandomness(), self.url)
        self.states.append(states)
        return states

    def close(self) -> None:
        for states in self.states:
            states.close()


class Memory:
    """Both places in the memory of the test."""

    def __init__(self) -> None:
        self.consensus, self.blob = MemoryConsensus(), MemoryBlob()

    def __call__(self) -> tuple[Consensus, Blob]:
        return self.consensus, self.blob

    @property
    def objects(self) -> set[str]:
        return set(self.blob._files)

    @property
    def files(self) -> set[str]:
        """The names of the files of which there are objects."""
        return {key.split("/")[3] for key in self.objects}


class Mortal:
    """Counts the writes of a process, and ends it in number `steps`, before or after the write took effect."""

    def __init__(self, steps: int, random_: random.Random) -> None:
        self.left = steps
        self.taken = 0
        self._random = random_

    async def step(self, effect: Callable[[], Awaitable[T]]) -> T:
        if self.left < 0:
            raise Died
        self.left -= 1
        self.taken += 1
        if self.left < 0:
            if self._random.random() < 0.5:
                await effect()
            raise Died
        return await effect()

    def wrapped(self, consensus: Consensus, blob: Blob) -> tuple[Consensus, Blob]:
        return _MortalConsensus(self, consensus), _MortalBlob(self, blob)


class _MortalConsensus:
    def __init__(self, life: Mortal, consensus: Consensus) -> None:
        self._life = life
        self._of = consensus

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        return await self._of.head(keys)

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        return await self._of.scan(key, from_seqno)

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        return await self._life.step(lambda: self._of.compare_and_set(expected, writes))

    async def truncate(self, key: str, before_seqno: int) -> None:
        await self._life.step(lambda: self._of.truncate(key, before_seqno))

    async def forget(self, keys: Sequence[str]) -> None:
        await self._life.step(lambda: self._of.forget(keys))

    async def list_keys(self, prefix: str) -> list[str]:
        return await self._of.list_keys(prefix)

    async def close(self) -> None:
        return None


class _MortalBlob:
    def __init__(self, life: Mortal, blob: Blob) -> None:
        self._life = life
        self._of = blob

    async def put(self, key: str, data: bytes) -> None:
        await self._life.step(lambda: self._of.put(key, data))

    async def get(self, key: str) -> bytes | None:
        return await self._of.get(key)

    def read(self, key: str, ranges: Sequence[tuple[int, int]]) -> list[bytes] | None:
        return self._of.read(key, ranges)

    async def delete(self, key: str) -> None:
        await self._life.step(lambda: self._of.delete(key))

    async def list_keys(self, prefix: str) -> list[str]:
        return await self._of.list_keys(prefix)

    def uri(self, key: str) -> str:
        return self._of.uri(key)

    async def close(self) -> None:
        return None
