"""A folder with copies of objects of blob, bounded by bytes: the least recently used go first.

An object never changes, so a copy is never stale; whoever reads one compares it with a checksum. Nothing here is
synced, any copy may vanish or be damaged, and on a full disk none is made: that costs downloads.

Of an object of which only pieces were asked for there is a copy with holes, beside the whole one or without it.

A copy in use is not forgotten: rows that anybody still refers to are found again without a read, and the system gives
back the room of a removed file once nobody maps it.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

import pyarrow as pa
import structlog

from compute.arrangement.blob.kept_pieces import KeptPieces

_SLASH = "~"
_TEMPORARY = ".temporary"
_HOLES = "#"
"""What the name of a copy with holes ends with."""
_STAT_BLOCK_BYTES = 512
_PIECES_BYTES = 32 << 20
"""How many bytes of decoded pieces are kept in memory; less beside a small folder."""
Range = tuple[int, int]
"""The first of some bytes of an object, and their number."""
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
        self._writing_pieces = threading.Lock()
        self._copies: OrderedDict[str, _Copy] = OrderedDict()
        self._in_use: WeakValueDictionary[str, pa.RecordBatch] = WeakValueDictionary()
        self._full = False
        self.pieces = KeptPieces(min(_PIECES_BYTES, bytes_max // 4))
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

    def __contains__(self, key: str) -> bool:
        """Returns whether there seems to be a whole copy of an object."""
        with self._lock:
            return key in self._copies

    def read_pieces(self, key: str, ranges: Sequence[Range]) -> list[bytes] | None:
        """Returns what the copy of an object has in ranges of bytes: perhaps holes. None without a copy."""
        key += _HOLES
        with self._lock:
            if key not in self._copies:
                return None
            self._copies.move_to_end(key)
        try:
            file = os.open(self._name(key), os.O_RDONLY)
        except OSError:
            self._remove(key)
            return None
        try:
            return [os.pread(file, size, offset) for offset, size in ranges]
        except OSError:
            return None
        finally:
            os.close(file)

    def write_pieces(self, key: str, pieces: Sequence[tuple[int, bytes]]) -> None:
        """Makes a copy of ranges of an object's bytes, each from a byte on, where there is room for them."""
        size = sum(len(data) for _, data in pieces)
        if size > self._bytes_max:
            return
        key += _HOLES
        with self._writing_pieces:
            with self._lock:
                self._make_room(size)
                self._copies.setdefault(key, _Copy(0)).bytes += size
                self._copies.move_to_end(key)
                self.bytes += size
            try:
                self._write_ranges(key, pieces)
                self._full = False
            except OSError as error:
                self._tell_full(error)
                self._remove(key)
            with self._lock:
                # It had to go meanwhile.
                if key not in self._copies:
                    self._unlink(key)

    def _write_ranges(self, key: str, pieces: Sequence[tuple[int, bytes]]) -> None:
        """Writes ranges of a file, which is made where there is none. Raises OSError."""
        file = os.open(self._name(key), os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            for offset, data in pieces:
                os.pwrite(file, data, offset)
        finally:
            os.close(file)

    def read(self, key: str, size: int | None = None) -> pa.Buffer | None:
        """Returns the copy of an object, mapped; None without one, or without one of `size` bytes."""
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
        return mapped if size is None or mapped.size == size else None

    def write(self, key: str, data: bytes | pa.Buffer, end: bytes = b"") -> pa.Buffer:
        """Makes a copy where there is room for it, with `end` behind it; returns the bytes of `data`, which are mapped
        then."""
        buffer = pa.py_buffer(data)
        size = buffer.size + len(end)
        if size > self._bytes_max or not buffer.size:
            return buffer
        with self._lock:
            self._make_room(size)
        temporary = self._directory / f"{next(self._numbers)}{_TEMPORARY}"
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            with temporary.open("wb") as file:
                file.write(buffer)
                file.write(end)
            temporary.rename(self._path(key))
            mapped: pa.Buffer = pa.memory_map(str(self._path(key))).read_buffer()
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            self._tell_full(error)
            return buffer
        self._full = False
        self._add(key, size)
        return mapped.slice(0, buffer.size)

    def remove(self, key: str) -> None:
        """Removes the copies of an object, if there are any."""
        self._remove(key)
        self._remove(key + _HOLES)

    def _remove(self, key: str) -> None:
        with self._lock:
            self._forget(key)

    def _tell_full(self, error: OSError) -> None:
        if not self._full:
            _log.warning("blocks are read without a cache", directory=str(self._directory), reason=str(error))
        self._full = True

    def _add(self, key: str, size: int) -> None:
        with self._lock:
            former = self._copies.pop(key, None)
            self.bytes += size - (0 if former is None else former.bytes)
            self._copies[key] = _Copy(size)
            self._make_room(0)

    def _make_room(self, size: int) -> None:
        """Removes the copies that were not used for longest; who calls has the lock."""
        while self._copies and self.bytes + size > self._bytes_max:
            self._forget(next(iter(self._copies)))

    def _forget(self, key: str) -> None:
        copy = self._copies.pop(key, None)
        if copy is not None:
            self.bytes -= copy.bytes
            self._unlink(key)

    def _unlink(self, key: str) -> None:
        with contextlib.suppress(OSError):
            self._path(key).unlink()

    def _adopt(self) -> None:
        """Takes over what earlier processes have left."""
        found = [(path, path.stat()) for path in self._directory.iterdir()]
        for path, stat in sorted(found, key=lambda each: each[1].st_mtime_ns):
            if path.suffix == _TEMPORARY or not stat.st_size:
                path.unlink(missing_ok=True)
            else:
                size = stat.st_blocks * _STAT_BLOCK_BYTES if path.name.endswith(_HOLES) else stat.st_size
                self._add(path.name.replace(_SLASH, "/"), size)

    def _path(self, key: str) -> Path:
        return Path(self._name(key))

    def _name(self, key: str) -> str:
        return f"{self._directory}/{key.replace('/', _SLASH)}"
