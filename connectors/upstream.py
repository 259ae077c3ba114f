"""The interface of a kind of source: where records are; find the beginning, read on from a frontier, report the
status."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import pyarrow as pa

from connectors.gauge import Partition, UpstreamFrontier
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId

KEY, VALUE, PARTITION, OFFSET, TIMESTAMP, HEADERS = "key", "value", "partition", "offset", "timestamp", "headers"
"""The columns of records as they are read: what decoding makes rows of."""
ERROR = "err"
"""Beside the columns of a table's changes, where some rows may be errors: their texts, else NULL."""


@dataclass(frozen=True, slots=True)
class FetchedRange:
    """All records from the end of the previous range up to `frontier`, which names every partition that has moved.

    `tables`: an upstream of tables gives no records, but each table's changes: its columns (c0, …), `err` where rows
        may be errors, and `diff`; one step or transaction of upstream is never split between ranges
    `emptied`: tables of which nothing from before the range is left
    `stopped`: tables that can't be followed beyond the range, with the reasons
    """

    records: pa.Table
    frontier: UpstreamFrontier
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    emptied: frozenset[str] = frozenset()
    stopped: Mapping[str, SqlError] = field(default_factory=dict)

    @property
    def counted(self) -> int:
        """Returns the number of records, or of changes of tables."""
        return sum((int(table.num_rows) for table in self.tables.values()), int(self.records.num_rows))

    @property
    def nbytes(self) -> int:
        return sum((int(table.nbytes) for table in self.tables.values()), int(self.records.nbytes))


@dataclass(frozen=True, slots=True)
class UpstreamStatus:
    """A reader's status.

    `known`: the frontier of what there is to read, as far as upstream has said
    `trouble`: why no records come, if so
    `next_ns`: the time, by the reader's clock, when there is more although `arrived` is not called
    """

    known: UpstreamFrontier
    trouble: str | None
    next_ns: int | None = None


class UpstreamRecords(Protocol):
    """Records of another system, as a statement names them and the catalog keeps them: plain data, of a class that the
    system has."""

    @property
    def connection(self) -> GlobalId | None:
        """The connection that leads to the records; None for records that need no connection."""


class UpstreamPlace(Protocol):
    """Records of another system, as a replica is told of them: plain data, of a class that the system has."""

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The settings of the system's client, without secrets."""

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """The settings whose values are secrets, by the secrets' ids."""


class UpstreamReader(Protocol):
    """Reads ahead from `begin` on, in a thread of its own, into a bounded buffer, and calls `arrived` in that
    thread."""

    def beginning(self) -> UpstreamFrontier:
        """Returns where the source begins. May take long. Raises SqlError when upstream does not answer, or lacks
        the place."""
        ...

    def begin(self, frontier: UpstreamFrontier) -> None:
        """Reads on from a frontier; drops what was read ahead."""
        ...

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        """Returns arrived records in order, at least one and at most as many as a binding may cover; None when there
        are none. Raises SqlError when reading can't go on: upstream has lost records, or was replaced."""
        ...

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        """Tells upstream that everything before a frontier is durable. Where reading resumes never depends on this."""
        ...

    def status(self) -> UpstreamStatus: ...

    def close(self) -> None:
        """Ends the reader; waits for its thread, though not for an upstream that does not answer."""
        ...


@runtime_checkable
class RereadableReader(UpstreamReader, Protocol):
    """A reader of an upstream whose past can be read again, by a second reader beside the current one."""

    def take_until(self, records_max: int, bytes_max: int, upto: UpstreamFrontier) -> FetchedRange | None:
        """Returns records as `take` does, but none at `upto` or beyond; when none is left before `upto`, the
        frontier of the range is `upto`."""
        ...


@dataclass(frozen=True, slots=True)
class PartitionReach:
    """How far a partition can be read. Without a `version`, bounds count records, and any range can be read. With
    one, bounds are bytes, and the partition is read completely or not at all, while it has this version."""

    end: int
    version: str | None = None


@runtime_checkable
class DivisibleReader(UpstreamReader, Protocol):
    """A reader of an upstream whose partitions can be read by other tasks, each by itself, while this reader holds."""

    def ahead(self) -> Mapping[Partition, PartitionReach]:
        """Returns up to where partitions can be read, as far as upstream has said; nothing while that is in doubt."""
        ...

    def hold(self) -> None:
        """Stops reading until `begin`, and drops what was read ahead."""
        ...

    @property
    def holds(self) -> bool:
        """Tells whether the reader holds; false also once there are records that the other tasks don't read, so that
        this reader must begin again."""
        ...


class RangeReader(Protocol):
    """Reads some partitions only, for a task, in the thread that takes records."""

    def begin(self, frontier: UpstreamFrontier) -> None:
        """Reads from a frontier."""
        ...

    def take_until(self, records_max: int, bytes_max: int, upto: UpstreamFrontier) -> FetchedRange | None:
        """Returns records as `RereadableReader` does; a range whose frontier is empty is the first part of a range
        that continues."""
        ...

    def ahead(self) -> Mapping[Partition, PartitionReach]:
        """Returns up to where its partitions can be read, as far as upstream has said."""
        ...

    def close(self) -> None: ...


Arrived = Callable[[], None]
