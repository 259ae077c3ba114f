"""A folder with copies of objects of blob, bounded by bytes: the least recently used go first.

An object never changes, so a copy is never stale; whoever reads one compares it with a checksum. Nothing here is
synced, any copy may vanish or be damaged, and on a full disk none is made: that costs downloads.

A copy in use is not forgotten: rows that anybody still refers to are found again without a read, and the system gives
back the room of a removed file once nobody maps it.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

import pyarrow as pa
import structlog

_SLASH = "~"
_TEMPORARY = ".temporary"
_log = structlog.get_logger("arrangements")


@dataclass(slots=True)
class _Copy:
    bytes: int
    rows: pa.RecordBatch | None = None


class BlockCache:
    """The copies of one process. Any thread may call. OSError when the folder can't be made."""

    def __init__(self, directory: Path, bytes_max: int) -> None:
        self._directory = directory
        self._bytes_max = bytes_max
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._copies: OrderedDict[str, _Copy] = OrderedDict()
        self._in_use: WeakValueDictionary[str, pa.RecordBatch] = WeakValueDictionary()
        self._full = False
        self.bytes = 0
        """How many bytes all copies have."""
        directory.mkdir(parents=True, exist_ok=True)
        self._adopt()

    def rows(self, key: str) -> pa.RecordBatch | None:
        """Returns the rows of a block that is at hand."""
        with self._lock:
            copy = self._copies.get(key)
            if copy is not None and copy.rows is not None:
                self._copies.move_to_end(key)
                return copy.rows
            return self._in_use.get(key)

    def keep_rows(self, key: str, rows: pa.RecordBatch) -> None:
        """Keeps the rows of a block at hand while its copy stays, and while anybody uses them."""
        with self._lock:
            self._in_use[key] = rows
            copy = self._copies.get(key)
            if copy is not None:
                copy.rows = rows

    def read(self, key: str, size: int) -> pa.Buffer | None:
        """Returns the copy of an object of `size` bytes, mapped; None without one of that size."""
        with self._lock:
            copy = self._copies.get(key)
            if copy is None:
                return None
            self._copies.move_to_end(key)
        try:
            mapped: pa.Buffer = pa.memory_map(str(self._path(key))).read_buffer()
        except (OSError, pa.ArrowInvalid):
            # Somebody has emptied the folder, or the copy has just made room for another.
            self.remove(key)
            return None
        return mapped if mapped.size == size else None

    def write(self, key: str, data: bytes | pa.Buffer) -> pa.Buffer:
        """Makes a copy where there is room for it; returns the object's bytes, which are mapped then."""
        buffer = pa.py_buffer(data)
        if buffer.size > self._bytes_max or not buffer.size:
            return buffer
        self._make_room(buffer.size)
        temporary = self._directory / f"{next(self._numbers)}{_TEMPORARY}"
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            with temporary.open("wb") as file:
                file.write(buffer)
            temporary.rename(self._path(key))
            mapped: pa.Buffer = pa.memory_map(str(self._path(key))).read_buffer()
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            if not self._full:
                _log.warning("blocks are read without a cache", directory=str(self._directory), reason=str(error))
            self._full = True
            return buffer
        self._full = False
        self._add(key, buffer.size)
        self._make_room(0)
        return mapped

    def remove(self, key: str) -> None:
        """Removes a copy, if there is one."""
        with self._lock:
            self._forget(key)

    def _add(self, key: str, size: int) -> None:
        with self._lock:
            former = self._copies.pop(key, None)
            self.bytes += size - (0 if former is None else former.bytes)
            self._copies[key] = _Copy(size)

    def _make_room(self, size: int) -> None:
        with self._lock:
            while self._copies and self.bytes + size > self._bytes_max:
                self._forget(next(iter(self._copies)))

    def _forget(self, key: str) -> None:
        copy = self._copies.pop(key, None)
        if copy is not None:
            self.bytes -= copy.bytes
            with contextlib.suppress(OSError):
                self._path(key).unlink()

    def _adopt(self) -> None:
        """Takes over what earlier processes have left."""
        found = [(path, path.stat()) for path in self._directory.iterdir()]
        for path, stat in sorted(found, key=lambda each: each[1].st_mtime_ns):
            if path.suffix == _TEMPORARY or not stat.st_size:
                path.unlink(missing_ok=True)
            else:
                self._add(path.name.replace(_SLASH, "/"), stat.st_size)
        self._make_room(0)

    def _path(self, key: str) -> Path:
        return self._directory / key.replace("/", _SLASH)
