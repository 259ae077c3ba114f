"""The dataflow of an index or a materialized view, as system relations tell of it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp


@dataclass(frozen=True, slots=True)
class ArrangementStatus:
    """An arrangement of a dataflow, by `key`: the rows of `operator`'s input, or the dataflow's output. `records`
    counts updates."""

    name: str
    operator: str
    key: str
    records: int
    batches: int
    memory_bytes: int
    file_bytes: int


@dataclass(frozen=True, slots=True)
class TickStatus:
    """The ticks since the replica opened the dataflow. `median_ms`, `p99_ms` and `max_ms` are those of the last ticks,
    `window` in number. `wide` ticks had steps that `tasks` worked on; `narrow` tells why the last step that read
    so many rows had none; empty: there was no such step."""

    count: int
    elapsed_ms: float
    rows_read: int
    rows_written: int
    window: int
    median_ms: float
    p99_ms: float
    max_ms: float
    last_ms: float
    last_at: datetime.datetime
    last_rows_read: int
    last_rows_written: int
    wide: int = 0
    tasks: int = 0
    narrow: str = ""


@dataclass(frozen=True, slots=True)
class CheckpointStatus:
    """The checkpoints since the dataflow began. `bytes` is the size of all files of the last checkpoint,
    `written_bytes` the size of the files that it added."""

    count: int
    last_ms: float
    last_at: datetime.datetime
    bytes: int
    written_bytes: int


@dataclass(frozen=True, slots=True)
class RepairStatus:
    """The faults of a materialized view since the replica started: writes that were refused because they would have
    removed absent rows, and rows that were corrected when the view was built anew."""

    refused_writes: int
    corrected_rows: int
    last_at: datetime.datetime


@dataclass(frozen=True, slots=True)
class MaintainedStatus:
    """The state of an index or a materialized view.

    `inputs`: the objects that the definition reads
    `rows`, `rows_total`: rows read for hydration, of all
    `reason`: why the dataflow does not advance; None where it does
    `errors`: errors in the present contents; None: not known yet
    `repairs`: None for a view that was always right
    `recomputed`: the parts of the work whose size does not depend on the change
    `sharing`: the ids of all objects of the same dataflow, this object's included; empty: not known yet
    """

    id: GlobalId
    inputs: tuple[GlobalId, ...]
    status: str
    hydrated: bool
    rows: int
    rows_total: int
    reason: str | None
    retries: int
    arrangements: tuple[ArrangementStatus, ...] = ()
    errors: int | None = None
    ticks: TickStatus | None = None
    checkpoints: CheckpointStatus | None = None
    sharing: tuple[GlobalId, ...] = ()
    repairs: RepairStatus | None = None
    recomputed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MissedIndex:
    """An index that is missing: the count of reads of a whole relation that asked for the rows with given values in
    columns, and when counting began."""

    on: GlobalId
    columns: tuple[str, ...]
    reads: int
    since_ms: int


@dataclass(frozen=True, slots=True)
class IndexUse:
    """The use of indexes: when each was read last, by its collection, and the reads that an index would have
    answered."""

    last: Mapping[GlobalId, Timestamp] = field(default_factory=dict)
    missed: tuple[MissedIndex, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveStatus:
    """A move of a maintained item to another cluster, by oid, that is under way; `status` is that of its dataflow
    there."""

    id: GlobalId
    old_cluster: int
    new_cluster: int
    began_at: datetime.datetime
    status: str
    reason: str | None
    rows: int
    rows_total: int
