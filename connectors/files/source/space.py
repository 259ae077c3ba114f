"""The interface of a place with files: a directory of the server, or a bucket."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from connectors.gauge import UpstreamFrontier


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file as a look has found it. Its `version` changes when the file is written again; `came_ms` is the time of
    the last change, in ms since 1970."""

    path: str
    size: int
    version: str
    came_ms: int


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """The result of a look, sorted by path. `all` is true when there are no other files. `trouble` describes a
    failure to find files."""

    files: Sequence[FoundFile]
    all: bool
    trouble: str | None = None


class PartHash(Protocol):
    """A hash of a file's beginning, which tells it from another file's."""

    def update(self, data: bytes) -> None:
        """Adds the bytes that follow."""
        ...

    def digest(self) -> str: ...


class FileSpace(Protocol):
    """A place with files, for one reader and its thread (`settled` may be called from any). Failures are OSError:
    FileNotFoundError for a file that is gone, ChangedMeanwhile for one that was written again since it was found."""

    atomic: bool
    """A file is whole whenever it is seen, and a version of it is what it was."""
    noun: str
    """What users call a file here."""

    def look(self) -> FoundFiles:
        """Finds the files there are, or the new ones; may wait up to a second for some."""
        ...

    def expect(self, files: Iterable[FoundFile]) -> None:
        """Names the files that will be opened next, in this order."""
        ...

    def open(self, file: FoundFile) -> BinaryIO:
        """Opens a file for reading, at any place."""
        ...

    def hash_of(self, file: BinaryIO, length: int) -> PartHash:
        """Returns the hash of the first `length` bytes."""
        ...

    def accept(self, file: FoundFile) -> None:
        """Confirms that a file is as it should be; its new bytes are being read, though not durably yet."""
        ...

    def leave(self, path: str) -> None:
        """Says that a file will not be read further."""
        ...

    def settled(self, frontier: UpstreamFrontier) -> None:
        """Says that everything before a frontier is read durably."""
        ...

    def close(self) -> None: ...


class ChangedMeanwhile(OSError):
    """Raised for a file that was written again since it was found."""


def trouble_of(path: str, error: OSError) -> str:
    """Describes a failure with a file for users. Errors of buckets name the file themselves; errors of the system
    and of Arrow don't."""
    reason = error.strerror or str(error)
    return reason if path in reason else f'file "{path}": {reason}'
