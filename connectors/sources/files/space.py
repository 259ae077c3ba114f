"""Where files are looked for: a directory of the server's, or a bucket."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from connectors.sources.gauge import UpstreamFrontier


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file as it is now. Its `version` is another once it was written again; `came_ms`: when it came to be so, in ms
    since 1970."""

    path: str
    size: int
    version: str
    came_ms: int


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """What a look has found, by path. `all`: there are no others. `trouble`: what stands in the way of finding them."""

    files: Sequence[FoundFile]
    all: bool
    trouble: str | None = None


class PartHash(Protocol):
    """What tells the beginning of one file from that of another."""

    def update(self, data: bytes) -> None:
        """The file goes on with this."""
        ...

    def digest(self) -> str: ...


class FileSpace(Protocol):
    """One reader's, and used by its thread alone, but for `settled`. What fails raises OSError: FileNotFoundError for
    a file that is gone, ChangedMeanwhile for one that is not any more what was found."""

    atomic: bool
    """A file is whole whenever it is seen, and a version of it is what it was."""
    noun: str
    """What users call a file here."""

    def look(self) -> FoundFiles:
        """What there is, or what has come; it may wait for that, for a second."""
        ...

    def expect(self, files: Iterable[FoundFile]) -> None:
        """These are to be opened next, in this order."""
        ...

    def open(self, file: FoundFile) -> BinaryIO:
        """For reading, at any place."""
        ...

    def hash_of(self, file: BinaryIO, length: int) -> PartHash:
        """Of the first `length` bytes."""
        ...

    def accept(self, file: FoundFile) -> None:
        """It was looked at, and is as it should be; what it has more is read, though not yet durably."""
        ...

    def leave(self, path: str) -> None:
        """It is not going to be read further."""
        ...

    def settled(self, frontier: UpstreamFrontier) -> None:
        """What is before it is read, durably."""
        ...

    def close(self) -> None: ...


class ChangedMeanwhile(OSError):
    """A file was written again since it was found."""


def trouble_of(path: str, error: OSError) -> str:
    """Why it can't be read, for users. Buckets name it; neither the system does, nor Arrow where data are damaged."""
    reason = error.strerror or str(error)
    return reason if path in reason else f'file "{path}": {reason}'
