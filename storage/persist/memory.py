"""Both places in memory, with a crash that loses what was not synced; the simulation stands on them.

A write is two steps, as on a disk: it is buffered, then synced. Operations return after the sync. Between the two
`pause` is awaited, so that a simulation can crash the process there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from storage.persist.location import Versioned


async def _no_pause() -> None:
    return None


class MemoryConsensus:
    """Transactions are buffered in order in a log; `crash` drops the tail of the log that was not synced."""

    def __init__(self, pause: Callable[[], Awaitable[None]] = _no_pause) -> None:
        self._versions: dict[str, list[Versioned]] = {}
        self._unsynced: list[dict[str, Versioned]] = []
        self._pause = pause

    def crash(self) -> None:
        """What a power cut leaves: only synced transactions."""
        for transaction in reversed(self._unsynced):
            for key in transaction:
                versions = self._versions[key]
                versions.pop()
                if not versions:
                    del self._versions[key]
        self._unsynced.clear()

    def sync(self) -> None:
        """Makes everything written so far survive a crash."""
        self._unsynced.clear()

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        return {key: self._newest(key) for key in keys}

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        return [version for version in self._versions.get(key, ()) if version.seqno >= from_seqno]

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        assert writes.keys() <= expected.keys(), "every written key needs an expectation"
        for key, seqno in expected.items():
            newest = self._newest(key)
            if (None if newest is None else newest.seqno) != seqno:
                return False
        transaction = {key: Versioned((expected[key] or 0) + 1, bytes(data)) for key, data in writes.items()}
        for key, version in transaction.items():
            self._versions.setdefault(key, []).append(version)
        if transaction:
            self._unsynced.append(transaction)
            await self._pause()
            self.sync()
        return True

    async def truncate(self, key: str, before_seqno: int) -> None:
        # Only what is synced may be forgotten, or a crash would have nothing to fall back to.
        self.sync()
        versions = self._versions.get(key)
        if versions:
            self._versions[key] = [v for v in versions[:-1] if v.seqno >= before_seqno] + versions[-1:]

    async def list_keys(self, prefix: str) -> list[str]:
        return sorted(key for key in self._versions if key.startswith(prefix))

    async def close(self) -> None:
        return None

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

    def sync(self, key: str) -> None:
        """Makes the file, or its absence, survive a crash."""
        self._unsynced.pop(key, None)

    async def put(self, key: str, data: bytes) -> None:
        self._unsynced.setdefault(key, self._files.get(key))
        self._files[key] = bytes(data)
        await self._pause()
        self.sync(key)

    async def get(self, key: str) -> bytes | None:
        return self._files.get(key)

    async def delete(self, key: str) -> None:
        if key in self._files:
            self._unsynced.setdefault(key, self._files.pop(key))
            await self._pause()
            self.sync(key)

    async def list_keys(self, prefix: str) -> list[str]:
        return sorted(key for key in self._files if key.startswith(prefix))

    def uri(self, key: str) -> str:
        return f"memory:{key}"

    async def close(self) -> None:
        return None
