"""What a kind of source has to be able to do: say where it begins, read on from a frontier, say what it knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import pyarrow as pa

from connectors.sources.gauge import Partition, UpstreamFrontier
from model.errors.sql_error import SqlError

KEY, VALUE, PARTITION, OFFSET, TIMESTAMP, HEADERS = "key", "value", "partition", "offset", "timestamp", "headers"
"""The columns of records as they are read: what decoding makes rows of."""
ERROR = "err"
"""Beside the columns of a table's changes, where some rows may be errors: their texts, else NULL."""


@dataclass(frozen=True, slots=True)
class FetchedRange:
    """All records from where the range before ended up to `frontier`, which names every partition that has moved.

    An upstream that has tables gives no records but `tables`: the changes of each, as its columns (c0, …), `err` where
    rows may be errors, and `diff`; whatever upstream did in one step, or in one transaction, is in one range. Of the
    tables in `emptied` nothing is left of what they held before the range. Those in `stopped` can't be followed any
    more, from the range's end on, for these reasons."""

    records: pa.Table
    frontier: UpstreamFrontier
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    emptied: frozenset[str] = frozenset()
    stopped: Mapping[str, SqlError] = field(default_factory=dict)

    @property
    def counted(self) -> int:
        """Records, or changes of tables."""
        return sum((int(table.num_rows) for table in self.tables.values()), int(self.records.num_rows))

    @property
    def nbytes(self) -> int:
        return sum((int(table.nbytes) for table in self.tables.values()), int(self.records.nbytes))


@dataclass(frozen=True, slots=True)
class UpstreamStatus:
    """`known`: what there is to read, as far as upstream has said. `trouble`: why nothing comes, if so. `next_ns`:
    when, by its clock, there is more although `arrived` is not called."""

    known: UpstreamFrontier
    trouble: str | None
    next_ns: int | None = None


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

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        """All before it is durable: upstream may be told so. What it makes of that never decides where we resume."""
        ...

    def status(self) -> UpstreamStatus: ...

    def close(self) -> None:
        """Ends it; waits for its thread, though not for an upstream that is gone."""
        ...


@runtime_checkable
class RereadableReader(UpstreamReader, Protocol):
    """Of an upstream whose past can be read again, by a reader of its own, beside the one that goes on."""

    def take_until(self, records_max: int, bytes_max: int, upto: UpstreamFrontier) -> FetchedRange | None:
        """As `take`, but nothing at `upto` or beyond it; and once nothing before it is left, the frontier is there."""
        ...


@dataclass(frozen=True, slots=True)
class PartitionReach:
    """Up to where a partition can be read. Bounds count records, and any range can be read, unless there is a
    `version`: then bounds are bytes, and the partition is read as a whole or not at all, as long as it is this one."""

    end: int
    version: str | None = None


@runtime_checkable
class DivisibleReader(UpstreamReader, Protocol):
    """Of an upstream whose partitions can be read by others, each by itself, while this reader holds."""

    def ahead(self) -> Mapping[Partition, PartitionReach]:
        """Up to where partitions can be read, as far as upstream has said; nothing while that is in doubt."""
        ...

    def hold(self) -> None:
        """Reads nothing until it is told where to begin; what was read ahead is forgotten."""
        ...

    @property
    def holds(self) -> bool:
        """False, too, once there is something that others do not read: it is to begin again."""
        ...


class RangeReader(Protocol):
    """Of some partitions alone: a task's, which reads as it is taken from."""

    def begin(self, frontier: UpstreamFrontier) -> None:
        """Reads from there."""
        ...

    def take_until(self, records_max: int, bytes_max: int, upto: UpstreamFrontier) -> FetchedRange | None:
        """As that of a reader; but a range whose frontier is empty is the beginning of one that goes on."""
        ...

    def ahead(self) -> Mapping[Partition, PartitionReach]:
        """Up to where its partitions can be read, as far as upstream has said."""
        ...

    def close(self) -> None: ...


Arrived = Callable[[], None]
