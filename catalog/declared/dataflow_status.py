"""The dataflow of an index or a materialized view, as system relations tell of it."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from model.ids.global_id import GlobalId


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
    """The ticks since the replica opened the dataflow; median, p99 and max are of the last `window`."""

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


@dataclass(frozen=True, slots=True)
class CheckpointStatus:
    """The checkpoints since the dataflow began. `bytes` is the size of all files of the last one, `written_bytes` of
    those that the last one wrote."""

    count: int
    last_ms: float
    last_at: datetime.datetime
    bytes: int
    written_bytes: int


@dataclass(frozen=True, slots=True)
class RepairStatus:
    """What was wrong in a materialized view since its replica started: writes that were refused because they would
    have taken rows that it does not hold, and rows that were corrected when it was built anew."""

    refused_writes: int
    corrected_rows: int
    last_at: datetime.datetime


@dataclass(frozen=True, slots=True)
class MaintainedStatus:
    """The state of an index or a materialized view.

    `inputs`: the objects that it reads
    `rows`, `rows_total`: rows read for hydration, of all
    `reason`: why it does not advance, if so
    `errors`: errors in its contents now; None: not known yet
    `repairs`: None for a view that was always right
    `sharing`: the ids of all objects of its dataflow, its own included; empty: not known yet
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
