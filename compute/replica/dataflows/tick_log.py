"""Durations and row counts of a dataflow's ticks: sums of all, and the last ones individually."""

from __future__ import annotations

from collections import deque

from compute.protocol.measures import StepMeasure, TickMeasure
from compute.replica.dataflows.maintained import TickRows

WINDOW = 256
STEPS_WINDOW = 16
"""The ticks whose steps are kept: they cost more memory than a duration."""


class TickLog:
    """The ticks of one dataflow since it was opened."""

    def __init__(self) -> None:
        self._recent: deque[float] = deque(maxlen=WINDOW)
        self._steps: deque[tuple[StepMeasure, ...]] = deque(maxlen=STEPS_WINDOW)
        self._count = 0
        self._elapsed_ms = 0.0
        self._rows_read = 0
        self._rows_written = 0
        self._wide = 0
        self._tasks = 0
        self._last = TickRows(0, 0)
        self._last_at_ms = 0

    def note(self, elapsed_ms: float, rows: TickRows, at_ms: int) -> None:
        """Notes that a tick has ended at `at_ms`, wall time."""
        self._recent.append(elapsed_ms)
        self._count += 1
        self._elapsed_ms += elapsed_ms
        self._rows_read += rows.read
        self._rows_written += rows.written
        tasks = rows.export_tasks + sum(step.tasks for step in rows.steps)
        self._tasks += tasks
        self._wide += tasks > 0
        self._last, self._last_at_ms = rows, at_ms
        if rows.steps:
            self._steps.append(rows.steps)

    def measure(self) -> TickMeasure | None:
        """Returns the ticks' numbers and durations; None before the first tick."""
        if not self._recent:
            return None
        ordered = sorted(self._recent)
        return TickMeasure(
            count=self._count,
            elapsed_ms=self._elapsed_ms,
            rows_read=self._rows_read,
            rows_written=self._rows_written,
            window=len(ordered),
            median_ms=_quantile(ordered, 50),
            p99_ms=_quantile(ordered, 99),
            max_ms=ordered[-1],
            last_ms=self._recent[-1],
            last_at_ms=self._last_at_ms,
            last_rows_read=self._last.read,
            last_rows_written=self._last.written,
            steps=tuple(map(_together, zip(*self._steps, strict=True))),
            steps_window=len(self._steps),
            wide=self._wide,
            tasks=self._tasks,
        )


def _together(ticks: tuple[StepMeasure, ...]) -> StepMeasure:
    """Returns what a step has done in all of the ticks."""
    return StepMeasure(
        sum(each.rows_in for each in ticks),
        sum(each.rows_read for each in ticks),
        sum(each.rows_out for each in ticks),
        sum(each.elapsed_ms for each in ticks),
        sum(each.tasks for each in ticks),
        sum(each.task_ms for each in ticks),
        next((each.narrow for each in reversed(ticks) if each.narrow), ""),
    )


def _quantile(ordered: list[float], percent: int) -> float:
    """Returns the least value not exceeded by `percent` percent of all."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]
