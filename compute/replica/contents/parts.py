"""Parts as files that Spark can open.

A directory's parts are such files. An object store's are copied to a directory of the replica first, the least
recently used ones forgotten when they grow past a limit: Spark alone can't read object stores.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
from collections import OrderedDict
from pathlib import Path

from compute.replica.contents.shard_contents import missing_part, unreadable_part
from storage.persist.batch import check_bytes, corrupted
from storage.persist.location import Blob
from storage.persist.state import Part

_CACHE_BYTES_MAX = 16 << 30
_AT_ONCE_MAX = 4


class PartFiles:
    """Gives the parts of shards as local files. `directory` takes copies of remote parts; it must be readable by
    Spark's executors under the same path."""

    def __init__(self, blob: Blob, directory: Path, bytes_max: int = _CACHE_BYTES_MAX) -> None:
        self._blob = blob
        self._directory = directory
        self._bytes_max = bytes_max
        self._copies: OrderedDict[str, tuple[Path, int]] = OrderedDict()
        self._places = asyncio.Semaphore(_AT_ONCE_MAX)

    async def path(self, part: Part, shard: str) -> str:
        """Returns the path of the part's file, whole as far as its length tells. Raises SqlError naming the shard
        otherwise."""
        uri = self._blob.uri(part.key)
        if "://" in uri:
            return await self._copy(part, shard)
        try:
            size = os.stat(uri).st_size
        except FileNotFoundError:
            raise missing_part(part, shard) from None
        except OSError as error:
            raise unreadable_part(part, shard, str(error)) from error
        if size != part.bytes:
            raise corrupted(shard, f"part {part.key}", f"it has {size} bytes instead of {part.bytes}")
        return uri

    async def _copy(self, part: Part, shard: str) -> str:
        async with self._places:
            known = self._copies.get(part.key)
            if known is not None:
                self._copies.move_to_end(part.key)
                return str(known[0])
            try:
                data = await self._blob.get(part.key)
            except OSError as error:
                raise unreadable_part(part, shard, str(error)) from error
            if data is None:
                raise missing_part(part, shard)
            check_bytes(part, data, shard, f"part {part.key}")
            path = self._directory / f"{hashlib.sha256(part.key.encode()).hexdigest()}.parquet"
            await asyncio.to_thread(_write, path, data)
            self._copies[part.key] = (path, part.bytes)
            self._forget()
            return str(path)

    def _forget(self) -> None:
        total = sum(size for _, size in self._copies.values())
        while total > self._bytes_max and len(self._copies) > 1:
            _, (path, size) = self._copies.popitem(last=False)
            path.unlink(missing_ok=True)
            total -= size


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two statements may copy one part at once; Spark sees a whole file or none.
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix="copy-", delete=False) as file:
        file.write(data)
    os.replace(file.name, path)
