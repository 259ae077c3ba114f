"""Decides which ticks of a dataflow may give steps to tasks, by how tasks have fared at the ticks before.

    tasks fail at a tick, or their process ends meanwhile    the same tick is tried again without tasks
    that happens for the k-th time in succession             2^(k-1) ticks that would have had tasks have none
    tasks have done their part of a tick                     all is forgotten

Ticks are counted, and not seconds: a tick that is always lost costs as much as it is large. A note tells the count to
later processes. It counts a tick as failed while that is under way, since a process that is killed tells nothing.
"""

from __future__ import annotations

from typing import Protocol

import structlog

WITHOUT_MAX = 64
"""After how many ticks at most tasks are tried again."""
_KILLED = "tasks that were under way when an earlier process ended"
_log = structlog.get_logger("dataflows")


class FailureNote(Protocol):
    """A number that outlives the process, 0 at first."""

    def read(self) -> int:
        """Raises OSError."""
        ...

    def put(self, number: int) -> None:
        """Raises OSError."""
        ...


class NoNote:
    """Tells later processes nothing."""

    def read(self) -> int:
        return 0

    def put(self, number: int) -> None:
        return


class TaskTrust:
    """The record of tasks that succeeded and failed at the ticks of one dataflow. A note that can't be written is not:
    ticks go on."""

    def __init__(self, note: FailureNote | None = None) -> None:
        self._note = note or NoNote()
        self._failures = 0
        self._without = 0
        self._reason = ""
        try:
            self._failures = self._note.read()
        except OSError as error:
            _log.warning("could not read how tasks have fared", reason=str(error))
        if self._failures:
            self._mistrust(_KILLED)

    @property
    def reason(self) -> str:
        """Returns why the next tick has no tasks; empty: it may have some."""
        return self._reason if self._without else ""

    def begin(self) -> None:
        """Notes that tasks of a tick are about to begin; the tick ends as `done`, `undone` or `failed`."""
        self._write(self._failures + 1)

    def done(self) -> None:
        """Notes that tasks have done their part of a tick."""
        self._failures = self._without = 0
        self._write(0)

    def undone(self) -> None:
        """Notes that a tick ended without a fault of its tasks, or without any task."""
        self._write(self._failures)

    def failed(self, kind: str) -> None:
        """Notes that tasks have failed, by an error of a kind."""
        self._failures += 1
        self._mistrust(f"tasks that failed ({kind})")

    def went_without(self) -> None:
        """Notes that a tick that would have had tasks is done without."""
        self._without = max(self._without - 1, 0)

    def _mistrust(self, reason: str) -> None:
        self._without = min(2 ** (min(self._failures, WITHOUT_MAX) - 1), WITHOUT_MAX)
        times = f", {self._failures} times in succession" if self._failures > 1 else ""
        self._reason = f"{reason}{times}"

    def _write(self, number: int) -> None:
        try:
            self._note.put(number)
        except OSError as error:
            _log.warning("could not note how tasks have fared", reason=str(error))
