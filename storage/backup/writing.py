"""Writes a backup: parts, then states, then the manifest.

Parts have keys that chance makes, and never change: what a place has under a part's key it has from an earlier backup,
or from one that was given up, and is not copied again. Each part is checked before it is copied, so damage in the
system does not become a backup. Nothing counts before the manifest is there.
"""

from __future__ import annotations

import asyncio
import errno
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from storage.backup.capture import Captured
from storage.backup.manifest import BackupManifest, StateFile, encode_manifest, manifest_key, state_key
from storage.persist.batch import check_bytes
from storage.persist.location import Blob
from storage.persist.runner import Runner
from storage.persist.state import Part, ShardState
from storage.persist.write import PART_PREFIX

AT_ONCE = 4
"""Parts in memory."""
_STATE_FILE_BYTES = 4 * 1024 * 1024
_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(slots=True)
class BackupProgress:
    """The progress of a backup: parts and their bytes in all, those that are there by now, and those copied for it."""

    parts: int = 0
    bytes: int = 0
    parts_done: int = 0
    bytes_done: int = 0
    parts_copied: int = 0
    bytes_copied: int = 0


class BackupWriter:
    """Writes one backup from `blob` to `place`. Tells how far it is in `progress`."""

    def __init__(self, blob: Blob, place: Blob, runner: Runner, progress: BackupProgress) -> None:
        self._blob = blob
        self._place = place
        self._runner = runner
        self.progress = progress

    async def write(
        self, captured: Captured, states: Sequence[ShardState], describe: Callable[[BackupProgress], BackupManifest]
    ) -> BackupManifest:
        """Writes parts, states and manifest; `describe` gives the manifest without its files. SqlError: disk_full,
        io_error, data_corrupted naming the part."""
        for state in states:
            for part in parts_of(state):
                self.progress.parts += 1
                self.progress.bytes += part.bytes
            # There may be thousands of shards.
            await asyncio.sleep(0)
        for state in states:
            await self._copy_parts(state)
            captured.release(GlobalId.parse(state.shard))
        manifest = describe(self.progress)
        files = [file async for file in self._write_states(manifest.name, states)]
        manifest = msgspec.structs.replace(manifest, states=tuple(files), shards=len(states))
        await self._put(manifest_key(manifest.name), encode_manifest(manifest))
        return manifest

    async def _copy_parts(self, state: ShardState) -> None:
        parts = list(parts_of(state))
        if not parts:
            return
        try:
            there = set(await self._place.list_keys(f"{PART_PREFIX}{state.shard}/"))
        except OSError as error:
            raise failed("could not look into the backup's place", error) from error
        rest = iter(parts)

        async def work() -> None:
            for part in rest:
                if part.key not in there:
                    await self._copy(part, state.shard)
                    self.progress.parts_copied += 1
                    self.progress.bytes_copied += part.bytes
                self.progress.parts_done += 1
                self.progress.bytes_done += part.bytes

        await together(work() for _ in range(min(AT_ONCE, len(parts))))

    async def _copy(self, part: Part, shard: str) -> None:
        data = await checked_part(self._blob, part, shard, self._runner)
        await self._put(part.key, data)

    async def _write_states(self, name: str, states: Sequence[ShardState]) -> AsyncIterator[StateFile]:
        pending: list[msgspec.Raw] = []
        length = number = 0
        for at, state in enumerate(states, 1):
            encoded = await self._runner.run(partial(msgspec.msgpack.encode, state))
            pending.append(msgspec.Raw(encoded))
            length += len(encoded)
            if length >= _STATE_FILE_BYTES or at == len(states):
                data = await self._runner.run(partial(msgspec.msgpack.encode, pending))
                key = state_key(name, number)
                await self._put(key, data)
                yield StateFile(key=key, bytes=len(data), checksum=zlib.crc32(data))
                pending, length, number = [], 0, number + 1

    async def _put(self, key: str, data: bytes) -> None:
        try:
            await self._place.put(key, data)
        except OSError as error:
            raise failed(f"could not write {key} of the backup", error) from error


def parts_of(state: ShardState) -> Iterable[Part]:
    """Yields the parts that a state names."""
    return (part for batch in state.batches for part in batch.parts)


async def checked_part(place: Blob, part: Part, shard: str, runner: Runner) -> bytes:
    """Returns the bytes of a part; raises SqlError naming it: io_error, or data_corrupted when it is missing or
    damaged."""
    try:
        data = await place.get(part.key)
    except OSError as error:
        raise failed(f"could not read part {part.key} of shard {shard}", error) from error
    if data is None:
        raise SqlError(Sqlstate.DATA_CORRUPTED, f"part {part.key} of shard {shard} is missing")
    await runner.run(lambda: check_bytes(part, data, shard, f"part {part.key}"))
    return data


async def together(works: Iterable[Awaitable[None]]) -> None:
    """Awaits works at once; the first that fails ends all others, and its error is raised."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def failed(what: str, error: OSError) -> SqlError:
    """Returns the error for a place that refuses."""
    if error.errno in _FULL:
        return SqlError(Sqlstate.DISK_FULL, f"{what}: no space left", detail=str(error))
    return SqlError(Sqlstate.IO_ERROR, what, detail=str(error))
