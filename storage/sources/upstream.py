"""What a kind of source has to be able to do: say where it begins, read on from a frontier, say what it knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from storage.sources.gauge import UpstreamFrontier

KEY, VALUE, PARTITION, OFFSET, TIMESTAMP, HEADERS = "key", "value", "partition", "offset", "timestamp", "headers"
"""The columns of records as they are read: what decoding makes rows of."""


@dataclass(frozen=True, slots=True)
class FetchedRange:
    """All records from where the range before ended up to `frontier`, which names every partition that has moved."""

    records: pa.Table
    frontier: UpstreamFrontier


@dataclass(frozen=True, slots=True)
class UpstreamStatus:
    """`known`: what there is to read, as far as upstream has said. `trouble`: why nothing comes, if so."""

    known: UpstreamFrontier
    trouble: str | None


class UpstreamReader(Protocol):
    """Reads ahead by itself, into a bounded buffer, from `begin` on. Its own thread calls `arrived`."""

    def beginning(self) -> UpstreamFrontier:
        """Where the source begins. Takes its time. SqlError when upstream does not answer, or has no such thing."""
        ...

    def begin(self, frontier: UpstreamFrontier) -> None:
        """Reads on from there; what was read ahead before is forgotten."""
        ...

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        """What has come, in order, as much of it as one binding may cover, and at least one record; None when nothing
        has. SqlError when upstream can't be read on: what it has lost, or what has taken its place."""
        ...

    def status(self) -> UpstreamStatus: ...

    def close(self) -> None:
        """Ends it; waits for its thread."""
        ...


Arrived = Callable[[], None]
