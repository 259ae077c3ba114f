"""The places that outlive every incarnation, an auditor that watches them, and an incarnation's own view of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from storage.persist.location import Blob, Consensus, Versioned
from tests.storage.memory import MemoryBlob, MemoryConsensus
from timeline.durable_oracle import TIMELINE_KEY, TimelineRecord
from timeline.fence import FENCE_KEY, FenceRecord


@dataclass
class Places:
    """`violations` collects what the auditor saw."""

    consensus: MemoryConsensus
    blob: MemoryBlob
    violations: list[str] = field(default_factory=list)
    epoch: int = 0
    timeline: TimelineRecord = field(default_factory=TimelineRecord)

    def power_cut(self) -> None:
        self.consensus.crash()
        self.blob.crash()

    def audit(self, epoch: int, writes: Mapping[str, bytes]) -> None:
        """A write of the incarnation with `epoch` has become visible."""
        if FENCE_KEY in writes:
            self.epoch = msgspec.msgpack.decode(writes[FENCE_KEY], type=FenceRecord).epoch
        elif epoch < self.epoch:
            self.violations.append(f"epoch {epoch} wrote {sorted(writes)} after the fence of epoch {self.epoch}")
        if TIMELINE_KEY in writes:
            record = msgspec.msgpack.decode(writes[TIMELINE_KEY], type=TimelineRecord)
            before = self.timeline
            if record.upper < before.upper or record.oracle.read_ts < before.oracle.read_ts:
                self.violations.append(f"the timeline went back from {before} to {record}")
            self.timeline = record


class Forwarding:
    """Consensus as it is."""

    def __init__(self, inner: Consensus) -> None:
        self._inner = inner

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        return await self._inner.compare_and_set(expected, writes)

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        return await self._inner.head(keys)

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        return await self._inner.scan(key, from_seqno)

    async def truncate(self, key: str, before_seqno: int) -> None:
        await self._inner.truncate(key, before_seqno)

    async def forget(self, keys: Sequence[str]) -> None:
        await self._inner.forget(keys)

    async def list_keys(self, prefix: str) -> list[str]:
        return await self._inner.list_keys(prefix)

    async def close(self) -> None:
        return None


class Audited(Forwarding):
    """Consensus as one incarnation writes it, right before the disk: each write that lands is audited."""

    def __init__(self, places: Places) -> None:
        super().__init__(places.consensus)
        self._places = places
        self._epoch = 0

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        done = await super().compare_and_set(expected, writes)
        if done and writes:
            if FENCE_KEY in writes:
                self._epoch = msgspec.msgpack.decode(writes[FENCE_KEY], type=FenceRecord).epoch
            self._places.audit(self._epoch, writes)
        return done


class OwnConsensus:
    """An incarnation's connection to consensus: it dies with the incarnation."""

    def __init__(self, inner: Consensus) -> None:
        self._inner = inner
        self.dead = False

    async def _alive(self) -> None:
        if self.dead:
            await asyncio.get_running_loop().create_future()

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        await self._alive()
        found = await self._inner.head(keys)
        await self._alive()
        return found

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        await self._alive()
        return await self._inner.scan(key, from_seqno)

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        await self._alive()
        done = await self._inner.compare_and_set(expected, writes)
        await self._alive()
        return done

    async def truncate(self, key: str, before_seqno: int) -> None:
        await self._alive()
        await self._inner.truncate(key, before_seqno)

    async def forget(self, keys: Sequence[str]) -> None:
        await self._alive()
        await self._inner.forget(keys)

    async def list_keys(self, prefix: str) -> list[str]:
        await self._alive()
        return await self._inner.list_keys(prefix)

    async def close(self) -> None:
        return None


class OwnBlob:
    """An incarnation's connection to the blob store."""

    def __init__(self, inner: Blob) -> None:
        self._inner = inner
        self.dead = False

    async def _alive(self) -> None:
        if self.dead:
            await asyncio.get_running_loop().create_future()

    async def put(self, key: str, data: bytes) -> None:
        await self._alive()
        await self._inner.put(key, data)

    async def get(self, key: str) -> bytes | None:
        await self._alive()
        return await self._inner.get(key)

    def read(self, key: str, ranges: Sequence[tuple[int, int]]) -> list[bytes] | None:
        if self.dead:
            raise OSError("the incarnation is dead")
        return self._inner.read(key, ranges)

    async def delete(self, key: str) -> None:
        await self._alive()
        await self._inner.delete(key)

    async def list_keys(self, prefix: str) -> list[str]:
        await self._alive()
        return await self._inner.list_keys(prefix)

    def uri(self, key: str) -> str:
        return self._inner.uri(key)

    async def close(self) -> None:
        return None
