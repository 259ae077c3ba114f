"""Measures how long each step of a tick is worked on.

Only spans count in which the tick is at work, or waits for a job of its own; a tick that waits for others of its round
is told what Java worked on its question instead.
"""

from __future__ import annotations

from collections.abc import Callable


class StepTimes:
    """The times of one tick. `now` returns seconds of a clock that never goes back."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._step: int | None = None
        self._seconds: dict[int, float] = {}
        self._begun: float | None = None

    def begin(self) -> None:
        """Begins a span of work, on the step that the tick is at."""
        self._begun = self._now()

    def end(self) -> None:
        """Ends the span."""
        if self._begun is not None:
            self.add(self._now() - self._begun)
            self._begun = None

    def enter(self, step: int | None) -> None:
        """Counts the span's further work to `step`; None stands for what belongs to no step."""
        if self._begun is not None:
            self.end()
            self.begin()
        self._step = step

    def add(self, seconds: float) -> None:
        """Adds work that was done elsewhere for the step that the tick is at."""
        if self._step is not None:
            self._seconds[self._step] = self._seconds.get(self._step, 0.0) + seconds

    def ms(self, step: int) -> float:
        """Returns the milliseconds of a step so far."""
        return self._seconds.get(step, 0.0) * 1e3
