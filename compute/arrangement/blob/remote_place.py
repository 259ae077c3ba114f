"""A state in blob as its owner's tasks reach it: in other processes, on other machines, by the place's address alone.

A task opens blob by itself, with the keys that it is told at the owner's door (`key_door`), or else with those that its
own machine has. So none lies in a job.
The blocks that it reads or writes stay in a folder of its process, for the tasks that the process makes after it. What
a process leaves that has been killed is removed by the next one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

import psutil

from compute.arrangement.blob.batches import BlobBatches, BlobPlace, LiveFiles, delete_objects, names_of
from compute.arrangement.blob.cache import BlockCache
from compute.arrangement.blob.calls import BlockingCalls
from compute.arrangement.blob.key_door import KeyTicket, told_access
from storage.persist.location import Blob
from storage.persist.open import open_blob

_CACHE_BYTES = 1 << 30
"""How many bytes of blocks a process of tasks keeps on its machine's disk, of each blob."""
_caches: dict[tuple[int, str], BlockCache] = {}
"""By process, since a forked one has what is its parent's, and by blob."""


@dataclass(frozen=True, slots=True)
class RemoteBlob:
    """The blob at `url`, for tasks of a process that tells its keys for a `ticket`."""

    url: str
    ticket: KeyTicket | None = None

    def opened(self) -> Blob:
        """Opens the blob."""
        return open_blob(self.url, None if self.ticket is None else told_access(self.ticket))


@dataclass(frozen=True, slots=True)
class RemotePlace:
    """The files below `prefix` of the blob at `url`, for the tasks of the owner with this incarnation, who tells its
    keys for a `ticket`."""

    url: str
    prefix: str
    incarnation: int
    ticket: KeyTicket | None = None

    @contextlib.contextmanager
    def store(self, token: str) -> Iterator[BlobBatches]:
        with self._opened() as place:
            yield BlobBatches(place, token)

    def remove(self, token: str) -> None:
        with contextlib.suppress(OSError), self._opened() as place:
            written = f"{self.prefix}/{names_of(self.incarnation, token)}"
            keys = place.calls.call(place.blob.list_keys(written))
            place.calls.call(delete_objects(place, keys))

    @contextlib.contextmanager
    def _opened(self) -> Iterator[BlobPlace]:
        blob, calls = RemoteBlob(self.url, self.ticket).opened(), BlockingCalls()
        live: LiveFiles = WeakValueDictionary()
        try:
            yield BlobPlace(calls, blob, _cache(self.url), self.prefix, self.incarnation, live)
        finally:
            calls.call(blob.close())
            calls.close()


def _cache(url: str) -> BlockCache:
    """Returns this process's copies of a blob's objects. Raises OSError."""
    key = os.getpid(), url
    if key not in _caches:
        folder = Path(tempfile.gettempdir()) / f"headwater-blocks-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():
            raise PermissionError(f"{folder} is another user's")
        for each in folder.iterdir():
            pid = each.name.partition("-")[0]
            if not pid.isdecimal() or not psutil.pid_exists(int(pid)):
                shutil.rmtree(each, ignore_errors=True)
        name = f"{os.getpid()}-{hashlib.sha256(url.encode()).hexdigest()[:16]}"
        _caches[key] = BlockCache(folder / name, _CACHE_BYTES)
    return _caches[key]
