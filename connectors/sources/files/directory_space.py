"""Files of the server's, by a pattern of paths. Others may be writing to them."""

from __future__ import annotations

import glob
import hashlib
import os
import stat
from collections.abc import Iterable
from typing import BinaryIO

from connectors.sources.files.space import FoundFile, FoundFiles, trouble_of
from connectors.sources.gauge import UpstreamFrontier

_TAIL_BYTES = 4096


class DirectorySpace:
    """`pattern` as Python's glob has it, `**` included."""

    atomic = False
    noun = "file"

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def look(self) -> FoundFiles:
        found, trouble = [], None
        for path in sorted(glob.iglob(self._pattern, recursive=True)):
            try:
                seen = os.stat(path)
            except FileNotFoundError:
                continue
            except OSError as error:
                trouble = trouble_of(path, error)
                continue
            if stat.S_ISREG(seen.st_mode):
                found.append(FoundFile(path, seen.st_size, str(seen.st_mtime_ns), seen.st_ctime_ns // 1_000_000))
        return FoundFiles(found, all=True, trouble=trouble)

    def expect(self, files: Iterable[FoundFile]) -> None:
        """They are near."""

    def open(self, file: FoundFile) -> BinaryIO:
        return open(file.path, "rb")

    def hash_of(self, file: BinaryIO, length: int) -> TailHash:
        """Of the last bytes of these alone: files of logs grow all the time, and are long."""
        file.seek(max(0, length - _TAIL_BYTES))
        return TailHash(file.read(min(length, _TAIL_BYTES)))

    def accept(self, file: FoundFile) -> None:
        """Nobody waits for it."""

    def leave(self, path: str) -> None:
        """Nobody waits for it."""

    def settled(self, frontier: UpstreamFrontier) -> None:
        """Nobody waits for it."""

    def close(self) -> None:
        """Nothing is held."""


class TailHash:
    """Of the last 4,096 bytes."""

    def __init__(self, tail: bytes) -> None:
        self._tail = tail

    def update(self, data: bytes) -> None:
        self._tail = (self._tail + data)[-_TAIL_BYTES:]

    def digest(self) -> str:
        return hashlib.blake2b(self._tail, digest_size=16).hexdigest()
