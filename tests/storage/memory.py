"""Both places in memory, with a crash that loses what was not synced; the simulation stands on them.

A write is two steps, as on a disk: it is written, then synced, and returns after the sync. In `_sync` `pause` is
awaited, so that a simulation can crash the process there, before the write counts. A subclass whose `_sync` says
False is a disk that acknowledges what it may lose.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Mapping, Sequence
from operator import attrgetter

from storage.persist.location import Indeterminate, Versioned


async def _no_pause() -> None:
    return None


class MemoryConsensus:
    """Transactions happen one after the other, and are seen by readers once they are synced."""

    def __init__(self, pause: Callable[[], Awaitable[None]] = _no_pause) -> None:
        self._versions: dict[str, list[Versioned]] = {}
        self._unsynced: list[dict[str, Versioned]] = []
        self._pause = pause
        self._writing = asyncio.Lock()
        self._crashes = 0

    def crash(self) -> None:
        """What a power cut leaves: only what was synced; a write on its way never arrives."""
        self._crashes += 1
        self._writing = asyncio.Lock()
        for transaction in reversed(self._unsynced):
            for key in transaction:
                versions = self._versions[key]
                versions.pop()
                if not versions:
                    del self._versions[key]
        self._unsynced.clear()

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        return {key: self._newest(key) for key in keys}

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        # Simulations scan keys of thousands of versions for the last few; these are in order.
        versions = self._versions.get(key, [])
        return versions[bisect_left(versions, from_seqno, key=attrgetter("seqno")) :]

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        assert writes.keys() <= expected.keys(), "every written key needs an expectation"
        async with self._writing:
            for key, seqno in expected.items():
                newest = self._newest(key)
                if (None if newest is None else newest.seqno) != seqno:
                    return False
            if not writes:
                return True
            transaction = {key: Versioned((expected[key] or 0) + 1, bytes(data)) for key, data in writes.items()}
            crashes = self._crashes
            synced = await self._sync()
            if crashes != self._crashes:
                raise Indeterminate("the process that wrote has crashed")
            for key, version in transaction.items():
                self._versions.setdefault(key, []).append(version)
            if synced:
                # A log is synced up to its end.
                self._unsynced.clear()
            else:
                self._unsynced.append(transaction)
            return True

    async def truncate(self, key: str, before_seqno: int) -> None:
        # Only what is synced may be forgotten, or a crash would have nothing to fall back to.
        versions = self._versions.get(key)
        if versions and not self._unsynced:
            self._versions[key] = [v for v in versions[:-1] if v.seqno >= before_seqno] + versions[-1:]

    async def forget(self, keys: Sequence[str]) -> None:
        # A crash takes back versions that were not synced, and has to find them.
        if not self._unsynced:
            for key in keys:
                self._versions.pop(key, None)

    async def list_keys(self, prefix: str) -> list[str]:
        return sorted(key for key in self._versions if key.startswith(prefix))

    async def close(self) -> None:
        return None

    async def _sync(self) -> bool:
        await self._pause()
        return True

    def _newest(self, key: str) -> Versioned | None:
        versions = self._versions.get(key)
        return versions[-1] if versions else None


class MemoryBlob:
    def __init__(self, pause: Callable[[], Awaitable[None]] = _no_pause) -> None:
        self._files: dict[str, bytes] = {}
        self._unsynced: dict[str, bytes | None] = {}
        self._pause = pause

    def crash(self) -> None:
        """What a power cut leaves: every key as it was when it was last synced."""
        for key, before in self._unsynced.items():
            if before is None:
                self._files.pop(key, None)
            else:
                self._files[key] = before
        self._unsynced.clear()

    async def put(self, key: str, data: bytes) -> None:
        self._unsynced.setdefault(key, self._files.get(key))
        self._files[key] = bytes(data)
        if await self._sync():
            self._unsynced.pop(key, None)

    async def get(self, key: str) -> bytes | None:
        return self._files.get(key)

    def read(self, key: str, ranges: Sequence[tuple[int, int]]) -> list[bytes] | None:
        file = self._files.get(key)
        return None if file is None else [file[offset : offset + size] for offset, size in ranges]

    async def delete(self, key: str) -> None:
        if key in self._files:
            self._unsynced.setdefault(key, self._files.pop(key))
            if await self._sync():
                self._unsynced.pop(key, None)

    async def list_keys(self, prefix: str) -> list[str]:
        return sorted(key for key in self._files if key.startswith(prefix))

    def uri(self, key: str) -> str:
        return f"memory:{key}"

    async def close(self) -> None:
        return None

    async def _sync(self) -> bool:
        await self._pause()
        return True
