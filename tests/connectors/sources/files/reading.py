"""What a reader of files gives, wherever they are."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from connectors.gauge import Partition, UpstreamFrontier, is_note
from connectors.sources.description import FilesOfServer, ObjectsOfBucket
from connectors.systems import open_upstream
from connectors.upstream import FetchedRange
from model.time.clock import SystemClock

_PATIENCE_S, _QUIET_S = 20.0, 0.3
Record = tuple[str, int, bytes]


class Reading:
    """What a reader has given so far."""

    def __init__(self, place: FilesOfServer | ObjectsOfBucket, frontier: dict[Partition, int]) -> None:
        self._come = threading.Event()
        self.reader = open_upstream(place, {}, SystemClock(), self._come.set, Path(tempfile.gettempdir()))
        self.records: list[Record] = []
        self.rows: list[dict[str, object]] = []
        self.frontier = dict(frontier)
        self.reader.begin(frontier)

    def take(self, most: int = 1_000, bytes_most: int = 1 << 20) -> FetchedRange:
        """The next range, once it is there."""
        for _ in range(1_000):
            self._come.clear()
            found = self.reader.take(most, bytes_most)
            if found is not None:
                self.records += [tuple(row.values()) for row in found.records.to_pylist()]
                self.rows += [row for table in found.tables.values() for row in table.to_pylist()]
                self.frontier |= found.frontier
                return found
            self._come.wait(_PATIENCE_S / 1_000)
        raise AssertionError("nothing comes")

    def take_none(self) -> bool:
        """Whether nothing comes for a while."""
        threading.Event().wait(_QUIET_S)
        return self.reader.take(1, 1) is None

    def settle(self, holds: Callable[[], bool]) -> None:
        """Waits until it does."""
        for _ in range(200):
            if holds():
                return
            threading.Event().wait(_PATIENCE_S / 200)
        raise AssertionError("it does not come to be so")

    def until(self, count: int, most: int = 1_000) -> list[bytes]:
        """The values, once there are so many."""
        while len(self.records) < count:
            self.take(most)
        return [value for _, _, value in self.records]


def bounds_of(frontier: UpstreamFrontier) -> dict[Partition, int]:
    """How far files are read, without what is noted of them."""
    return {partition: bound for partition, bound in frontier.items() if not is_note(partition)}


@contextmanager
def reading(place: FilesOfServer | ObjectsOfBucket, frontier: dict[Partition, int] | None = None) -> Iterator[Reading]:
    found = Reading(place, frontier or {})
    try:
        yield found
    finally:
        found.reader.close()
