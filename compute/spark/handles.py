"""Java keeps what Python has a handle on: plans, their literal rows, what they broadcast; megabytes for a statement.

Handles lie in cycles with their methods, so only Python's collector frees them. It looks through what is old when that
has grown by a fourth, which a process that loads as much as PySpark hardly ever sees; meanwhile Java's heap fills.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

_PIECES = 16
_PERIOD_S = 1.0


class HandleCollector:
    """`worked` after each piece of work on Spark. `now` gives seconds."""

    def __init__(
        self, now: Callable[[], float], collect: Callable[[], object] = gc.collect, *, pieces: int = _PIECES
    ) -> None:
        self._due_after = pieces
        self._now = now
        self._collect = collect
        self._counting = threading.Lock()
        self._pieces = 0
        self._last = now()

    def worked(self) -> None:
        """Collects after some pieces of work, but not all the time."""
        with self._counting:
            self._pieces += 1
            due = self._pieces >= self._due_after and self._now() - self._last >= _PERIOD_S
            if due:
                self._pieces, self._last = 0, self._now()
        if due:
            self._collect()
