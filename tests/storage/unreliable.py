"""Both places with faults from a seed: unknown outcomes, failing reads and writes, latency, writes that land late.

Faults are drawn from the Randomness given and waits go through the Clock given, so that a simulation is decided by its
seed. `faults` may be exchanged at any time.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Clock, Randomness
from storage.persist.location import Blob, Consensus, Indeterminate, Versioned

_PER_MILLE = 1000


@dataclass(frozen=True, slots=True)
class Faults:
    """Chances in a thousand. `done`: it happens and is not acknowledged; `late`: not acknowledged, happens later;
    `full`: no space is left for it."""

    done: int = 0
    not_done: int = 0
    late: int = 0
    read_failure: int = 0
    full: int = 0
    latency_ms_max: int = 0


RELIABLE = Faults()


class _Misfortune:
    def __init__(self, clock: Clock, randomness: Randomness, faults: Faults) -> None:
        self.clock = clock
        self.randomness = randomness
        self.faults = faults

    def strikes(self, chance: int) -> bool:
        return chance > 0 and self.randomness.below(_PER_MILLE) < chance

    async def wait(self) -> None:
        if self.faults.latency_ms_max > 0:
            await self.clock.sleep(self.randomness.below(self.faults.latency_ms_max + 1) / _PER_MILLE)


class UnreliableConsensus(_Misfortune):
    """Raises Indeterminate, also from reads; SqlError (disk_full) when no space is left."""

    def __init__(self, inner: Consensus, clock: Clock, randomness: Randomness, faults: Faults = RELIABLE) -> None:
        super().__init__(clock, randomness, faults)
        self.inner = inner
        self._late: set[asyncio.Task[None]] = set()

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        await self._before_read()
        return await self.inner.head(keys)

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        await self._before_read()
        return await self.inner.scan(key, from_seqno)

    async def list_keys(self, prefix: str) -> list[str]:
        await self._before_read()
        return await self.inner.list_keys(prefix)

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        await self.wait()
        if writes:
            self._find_room()
        if self.strikes(self.faults.not_done):
            raise Indeterminate("consensus did not answer")
        if self.strikes(self.faults.late):
            task = asyncio.get_running_loop().create_task(self._land(dict(expected), dict(writes)))
            self._late.add(task)
            task.add_done_callback(self._late.discard)
            raise Indeterminate("consensus did not answer yet")
        done = await self.inner.compare_and_set(expected, writes)
        if self.strikes(self.faults.done):
            raise Indeterminate("consensus did not answer in time")
        await self.wait()
        return done

    async def truncate(self, key: str, before_seqno: int) -> None:
        await self._before_read()
        self._find_room()
        await self.inner.truncate(key, before_seqno)

    async def forget(self, keys: Sequence[str]) -> None:
        await self._before_read()
        self._find_room()
        if self.strikes(self.faults.not_done):
            raise Indeterminate("consensus did not answer")
        await self.inner.forget(keys)
        if self.strikes(self.faults.done):
            raise Indeterminate("consensus did not answer in time")

    async def close(self) -> None:
        self.drop_late()
        await self.inner.close()

    def drop_late(self) -> None:
        """Writes that have not landed never will, as after a crash."""
        for task in self._late:
            task.cancel()
        self._late.clear()

    def _find_room(self) -> None:
        if self.strikes(self.faults.full):
            raise SqlError(Sqlstate.DISK_FULL, "no space left for consensus", detail="simulated")

    async def _before_read(self) -> None:
        await self.wait()
        if self.strikes(self.faults.read_failure):
            raise Indeterminate("consensus did not answer")

    async def _land(self, expected: dict[str, int | None], writes: dict[str, bytes]) -> None:
        await self.wait()
        await self.inner.compare_and_set(expected, writes)


class UnreliableBlob(_Misfortune):
    """Raises OSError (EIO)."""

    def __init__(self, inner: Blob, clock: Clock, randomness: Randomness, faults: Faults = RELIABLE) -> None:
        super().__init__(clock, randomness, faults)
        self.inner = inner

    async def put(self, key: str, data: bytes) -> None:
        await self.wait()
        if self.strikes(self.faults.not_done):
            raise _failure(key)
        await self.inner.put(key, data)
        if self.strikes(self.faults.done):
            raise _failure(key)

    async def get(self, key: str) -> bytes | None:
        await self.wait()
        if self.strikes(self.faults.read_failure):
            raise _failure(key)
        return await self.inner.get(key)

    def read(self, key: str, ranges: Sequence[tuple[int, int]]) -> list[bytes] | None:
        if self.strikes(self.faults.read_failure):
            raise _failure(key)
        return self.inner.read(key, ranges)

    async def delete(self, key: str) -> None:
        await self.wait()
        if self.strikes(self.faults.not_done):
            raise _failure(key)
        await self.inner.delete(key)
        if self.strikes(self.faults.done):
            raise _failure(key)

    async def list_keys(self, prefix: str) -> list[str]:
        await self.wait()
        if self.strikes(self.faults.read_failure):
            raise _failure(prefix)
        return await self.inner.list_keys(prefix)

    def uri(self, key: str) -> str:
        return self.inner.uri(key)

    async def close(self) -> None:
        await self.inner.close()


def _failure(key: str) -> OSError:
    return OSError(errno.EIO, "simulated failure", key)
