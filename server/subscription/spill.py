"""A queue of byte strings in files, for rows of a subscription that don't fit into memory.

The files have no names, so nothing is left of them after kill -9. Each holds a stretch of the queue, and is closed when
that has been read, so a reader that lags but keeps pace needs no more space than the waiting rows.
"""

from __future__ import annotations

import os
import struct
import tempfile
from collections import deque
from dataclasses import dataclass
from typing import IO

_FILE_BYTES = 16 << 20
_LENGTH = struct.Struct(">Q")


@dataclass(slots=True)
class _Stretch:
    """Offsets in bytes of the next record to take, and of the end."""

    file: IO[bytes]
    taken: int = 0
    end: int = 0


class SpillQueue:
    """Synchronous: for a runner, one call at a time. OSError when the disk fails."""

    def __init__(self) -> None:
        self._stretches: deque[_Stretch] = deque()

    def append(self, record: bytes) -> None:
        if not self._stretches or self._stretches[-1].end >= _FILE_BYTES:
            self._stretches.append(_Stretch(tempfile.TemporaryFile(prefix="headwater-subscription-")))  # noqa: SIM115
        stretch = self._stretches[-1]
        data = _LENGTH.pack(len(record)) + record
        written = 0
        while written < len(data):
            written += os.pwrite(stretch.file.fileno(), data[written:], stretch.end + written)
        stretch.end += len(data)

    def first(self) -> bytes | None:
        """Returns the oldest record, if there is one; it stays until `forget_first`."""
        if not self._stretches:
            return None
        stretch = self._stretches[0]
        (length,) = _LENGTH.unpack(self._read(stretch, stretch.taken, _LENGTH.size))
        return self._read(stretch, stretch.taken + _LENGTH.size, length)

    def forget_first(self, record: bytes) -> None:
        """Removes the record that `first` returned."""
        stretch = self._stretches[0]
        stretch.taken += _LENGTH.size + len(record)
        if stretch.taken == stretch.end:
            self._stretches.popleft()
            stretch.file.close()

    def close(self) -> None:
        while self._stretches:
            self._stretches.popleft().file.close()

    def _read(self, stretch: _Stretch, at: int, length: int) -> bytes:
        data = b""
        while len(data) < length:
            piece = os.pread(stretch.file.fileno(), length - len(data), at + len(data))
            assert piece, "a scratch file holds what was written to it"
            data += piece
        return data
