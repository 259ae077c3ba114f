"""What a dataflow takes, in figures: what it arranges, how long its ticks are, what they read and write."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ArrangementMeasure:
    """An arrangement, by the name that its dataflow's plan gives it. `rows` are updates."""

    name: str
    rows: int
    batches: int
    memory_bytes: int
    file_bytes: int


@dataclass(frozen=True, slots=True)
class TickMeasure:
    """The ticks of a dataflow since its replica opened it; those at which no input had changed are none.

    `count`, `elapsed_ms`, `rows_read`, `rows_written` are of all of them; median, p99 and max of the last `window`.
    `last_at_ms` is the wall time at which the last one ended. Rows are read by queries and kernels, from inputs and
    from arrangements; they are written into arrangements and given to what the dataflow exports.
    """

    count: int
    elapsed_ms: float
    rows_read: int
    rows_written: int
    window: int
    median_ms: float
    p99_ms: float
    max_ms: float
    last_ms: float
    last_at_ms: int
    last_rows_read: int
    last_rows_written: int


@dataclass(frozen=True, slots=True)
class CheckpointMeasure:
    """The checkpoints since then: how long the last one took, what it holds, and how much of that it had to write."""

    count: int
    last_ms: float
    last_at_ms: int
    bytes: int
    written_bytes: int
