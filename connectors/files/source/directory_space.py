"""Finds files of the server by a pattern of paths; other programs may be writing to them."""

from __future__ import annotations

import glob
import hashlib
import os
import stat
from collections.abc import Iterable
from typing import BinaryIO

from connectors.files.source.space import FoundFile, FoundFiles, trouble_of
from connectors.gauge import UpstreamFrontier

_TAIL_BYTES = 4096


class DirectorySpace:
    """The files that match `pattern`, in the form of Python's glob, `**` included."""

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
        """Does nothing: files are read locally, not fetched ahead."""

    def open(self, file: FoundFile) -> BinaryIO:
        return open(file.path, "rb")

    def hash_of(self, file: BinaryIO, length: int) -> TailHash:
        """Returns the hash of the last bytes only, because log files are long and grow all the time."""
        file.seek(max(0, length - _TAIL_BYTES))
        return TailHash(file.read(min(length, _TAIL_BYTES)))

    def accept(self, file: FoundFile) -> None:
        """Does nothing: no queue waits for an answer."""

    def leave(self, path: str) -> None:
        """Does nothing: no queue waits for an answer."""

    def settled(self, frontier: UpstreamFrontier) -> None:
        """Does nothing: no queue waits for an answer."""

    def close(self) -> None:
        """Does nothing: a directory is not held open."""


class TailHash:
    """A hash of the last 4,096 bytes of a beginning."""

    def __init__(self, tail: bytes) -> None:
        self._tail = tail

    def update(self, data: bytes) -> None:
        self._tail = (self._tail + data)[-_TAIL_BYTES:]

    def digest(self) -> str:
        return hashlib.blake2b(self._tail, digest_size=16).hexdigest()
