"""Notes on files in the remap collection, beside how far each file is read.

A note is a partition of its own, whose bound is 1 while the note holds. Its name contains the file's path, the version
read, a number of bytes and their hash. It is bound together with the bytes it is about, and replaced by the next note.
With it, a reader knows after a restart whether a file is still the file that was read. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from connectors.gauge import NOTE, Partition, UpstreamFrontier, is_note

_BETWEEN = "\0"


@dataclass(frozen=True, slots=True)
class FileNote:
    """A note: the hash `digest` of the first `length` bytes of a file's `version`."""

    version: str
    length: int
    digest: str

    def partition(self, path: str) -> str:
        """Returns the name of the partition that stands for the note."""
        return NOTE + _BETWEEN.join((path, self.version, str(self.length), self.digest))


def note_moves(path: str, before: FileNote | None, after: FileNote) -> dict[Partition, int]:
    """Returns the changes of a frontier that replace one note by another."""
    gone: dict[Partition, int] = {} if before is None else {before.partition(path): 0}
    return {**gone, after.partition(path): 1}


def split_frontier(frontier: UpstreamFrontier) -> tuple[dict[str, int], dict[str, FileNote]]:
    """Splits a frontier into how far files are read, and the notes on them."""
    bounds = {str(path): bound for path, bound in frontier.items() if not is_note(path)}
    return bounds, dict(_notes(path for path, bound in frontier.items() if is_note(path) and bound))


def _notes(partitions: Iterable[Partition]) -> Iterable[tuple[str, FileNote]]:
    for partition in partitions:
        path, version, length, digest = str(partition).removeprefix(NOTE).split(_BETWEEN)
        yield path, FileNote(version, int(length), digest)
