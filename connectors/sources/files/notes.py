"""What is remembered of a file beside how far it is read: a note in the remap collection.

A note is a partition of its own, whose bound is 1 while it holds: its name has the file's path, the version of it that
was read, how many of its bytes a hash is of, and that hash. It is bound together with the bytes that it is of, and
gives way to the next note. So a reader that begins after a restart knows whether a file is still what was read. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from connectors.sources.gauge import NOTE, Partition, UpstreamFrontier, is_note

_BETWEEN = "\0"


@dataclass(frozen=True, slots=True)
class FileNote:
    """`digest` is that of the first `length` bytes of a file's `version`."""

    version: str
    length: int
    digest: str

    def partition(self, path: str) -> str:
        """What stands for it in an upstream frontier."""
        return NOTE + _BETWEEN.join((path, self.version, str(self.length), self.digest))


def note_moves(path: str, before: FileNote | None, after: FileNote) -> dict[Partition, int]:
    """What a frontier has to say so that one gives way to the other."""
    gone: dict[Partition, int] = {} if before is None else {before.partition(path): 0}
    return {**gone, after.partition(path): 1}


def split_frontier(frontier: UpstreamFrontier) -> tuple[dict[str, int], dict[str, FileNote]]:
    """How far files are read, and what is noted of them."""
    bounds = {str(path): bound for path, bound in frontier.items() if not is_note(path)}
    return bounds, dict(_notes(path for path, bound in frontier.items() if is_note(path) and bound))


def _notes(partitions: Iterable[Partition]) -> Iterable[tuple[str, FileNote]]:
    for partition in partitions:
        path, version, length, digest = str(partition).removeprefix(NOTE).split(_BETWEEN)
        yield path, FileNote(version, int(length), digest)
