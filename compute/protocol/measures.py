"""Figures about a dataflow: its arrangements, the durations of its ticks, rows read and written, repairs; and about
the operators of a peek."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ArrangementMeasure:
    """An arrangement, by its name in the dataflow's plan. `rows` are updates."""

    name: str
    rows: int
    batches: int
    memory_bytes: int
    file_bytes: int


@dataclass(frozen=True, slots=True)
class StepMeasure:
    """The work of a step of the dataflow's plan in one tick, or in several together.

    `rows_in` were added to its arrangements, `rows_read` were read and looked up, `rows_out` are its output; the first
    of several steps counts what they share. `elapsed_ms` does not count what a tick waits for others. `tasks` have
    worked on it for `task_ms` of processor time, where it was wide. `narrow` tells why a step that read as many rows as
    wide ones do was narrow when it last was.
    """

    rows_in: int
    rows_read: int
    rows_out: int
    elapsed_ms: float
    tasks: int = 0
    task_ms: float = 0.0
    narrow: str = ""


@dataclass(frozen=True, slots=True)
class OperatorMeasure:
    """The work of an operator of Spark's plan for a peek, `depth` levels below the plan's first.

    `rows` left it, in `elapsed_ms` of all its tasks together, `bytes` went to other tasks, and `spilled_bytes` had no
    room in memory. None for what Spark does not count, or is nothing.
    """

    depth: int
    name: str
    detail: str
    rows: int | None
    elapsed_ms: float | None
    bytes: int | None
    spilled_bytes: int | None


@dataclass(frozen=True, slots=True)
class TickMeasure:
    """The ticks of a dataflow since its replica opened it, without ticks in which no input had changed.

    `count`, `elapsed_ms`, `rows_read`, `rows_written`: of all ticks. `median_ms`, `p99_ms`, `max_ms`: of the last
    `window` ticks.
    `last_at_ms`: the wall time at the end of the last tick.
    `steps`: by step, of the last `steps_window` ticks together; empty where a dataflow has no steps.
    `wide`, `tasks`: how many of all ticks had wide steps, and how many tasks worked on those.

    Queries and kernels read rows from inputs and arrangements; rows are written into arrangements and exports.
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
    steps: tuple[StepMeasure, ...] = ()
    steps_window: int = 0
    wide: int = 0
    tasks: int = 0


@dataclass(frozen=True, slots=True)
class CheckpointMeasure:
    """The checkpoints of a dataflow since its replica opened it: duration, contents and written bytes of the last."""

    count: int
    last_ms: float
    last_at_ms: int
    bytes: int
    written_bytes: int


@dataclass(frozen=True, slots=True)
class RepairMeasure:
    """The errors found in a materialized view since its replica started.

    `refused`: writes that would have taken rows that the view does not hold.
    `rows`: rows that were dropped or added because they were wrong or missing when the view was built anew.
    `last_at_ms`: the wall time of the last of either; None for a view that was always right.
    `built`: how often it was built anew, and compared with what was written of it.
    """

    refused: int
    rows: int
    last_at_ms: int | None
    built: int = 0
