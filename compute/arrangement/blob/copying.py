"""Copies the state of another replica in blob, while the other replica goes on.

Each object is compared with the checksum on the way, and gets a name of the copying replica, which may delete the
object later. The other replica may write a newer manifest meanwhile, and delete files that only the older manifest
names; then the newer state is copied, except for files copied already. No manifest names the copies before the caller
writes one.
"""

from __future__ import annotations

import asyncio
import contextlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

import pyarrow as pa
import structlog
from msgspec.structs import replace

from compute.arrangement.batch import CorruptFile
from compute.arrangement.batch_footer import FORMAT, PIECES_FORMAT, decode_footer
from compute.arrangement.copying import ATTEMPTS
from compute.arrangement.manifest import CorruptManifest, FileEntry, Manifest, decode_manifest
from storage.persist.location import Blob, Consensus

FOOTER = "footer"
"""The name of the object that has a file's footer; those of its blocks are their numbers."""
_AT_ONCE = 2
"""A block has up to 64 MiB, and is in memory on its way."""
_log = structlog.get_logger("arrangements")


async def state_at(consensus: Consensus, key: str, fingerprint: str) -> Manifest | None:
    """Returns the manifest under a key of consensus, if of the dataflow `fingerprint`; None when there is none to read.
    Raises OSError, SqlError, Indeterminate."""
    head = (await consensus.head([key]))[key]
    try:
        manifest = None if head is None or not head.data else decode_manifest(head.data)
    except CorruptManifest:
        return None
    return manifest if manifest is not None and manifest.fingerprint == fingerprint else None


@dataclass(slots=True)
class StateCopy:
    """A copy of the state at `source` in the making. `target` is the prefix of the new objects, `new_name` makes names
    of files."""

    consensus: Consensus
    blob: Blob
    source: str
    target: str
    new_name: Callable[[], str]
    _made: dict[str, str] = field(default_factory=dict)
    _written: list[str] = field(default_factory=list)

    async def copy(self, manifest: Manifest) -> Manifest | None:
        """Copies the files of a manifest, or of a newer manifest, and returns the manifest of the copy; None without
        a whole copy. Raises OSError, SqlError, Indeterminate."""
        for _ in range(ATTEMPTS):
            try:
                await self._copy_files(manifest)
                return self._renamed(manifest)
            except CorruptFile as reason:
                newer = await state_at(self.consensus, self.source, manifest.fingerprint)
                if newer is None or newer == manifest:
                    _log.info("a state can't be copied", place=self.source, reason=str(reason))
                    return None
                manifest = newer
        return None

    async def discard(self) -> None:
        """Deletes the copied objects, as far as possible."""
        with contextlib.suppress(OSError):
            await asyncio.gather(*map(self.blob.delete, self._written))

    async def _copy_files(self, manifest: Manifest) -> None:
        """Copies the files that were not copied before. Raises CorruptFile, OSError."""
        files = [file for entry in manifest.arrangements.values() for file in entry.files]
        missing = [file for file in files if file.name not in self._made]
        for start in range(0, len(missing), _AT_ONCE):
            some = missing[start : start + _AT_ONCE]
            results = await asyncio.gather(*map(self._copy_file, some), return_exceptions=True)
            for file, result in zip(some, results, strict=True):
                if isinstance(result, BaseException):
                    raise result
                self._made[file.name] = result

    async def _copy_file(self, entry: FileEntry) -> str:
        """Returns the name of the copy. Raises CorruptFile where an object is gone, or damaged; raises OSError."""
        if entry.format not in (FORMAT, PIECES_FORMAT):
            raise CorruptFile(f"{entry.name} has format {entry.format}, which this code can't read")
        footer = await self._object(entry.name, FOOTER, entry.checksum)
        blocks = decode_footer(entry.name, pa.py_buffer(footer))
        name = self.new_name()
        for number, block in enumerate(blocks):
            await self._put(
                f"{self.target}/{name}/{number}", await self._object(entry.name, str(number), block.checksum)
            )
        await self._put(f"{self.target}/{name}/{FOOTER}", footer)
        return name

    async def _object(self, file: str, part: str, checksum: int) -> bytes:
        data = await self.blob.get(f"{self.source}/{file}/{part}")
        if data is None or zlib.crc32(data) != checksum:
            raise CorruptFile(f"{file} {'lacks' if data is None else 'is damaged in'} its object {part}")
        return data

    async def _put(self, key: str, data: bytes) -> None:
        self._written.append(key)
        await self.blob.put(key, data)

    def _renamed(self, manifest: Manifest) -> Manifest:
        arrangements = {
            name: replace(entry, files=tuple(replace(file, name=self._made[file.name]) for file in entry.files))
            for name, entry in manifest.arrangements.items()
        }
        return replace(manifest, arrangements=arrangements)
