"""Frees Java objects to which Python still has handles: plans, literal rows, broadcasts; megabytes for a statement.

Handles lie in cycles with their methods, so only Python's collector frees them. The collector looks at old objects when
their number has grown by a fourth, which hardly ever happens after PySpark's imports; meanwhile Java's heap fills.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

_PIECES = 16
_PERIOD_S = 1.0


class HandleCollector:
    """Has Python collect handles to Java objects at the right times. `worked` must be called after each piece of work
    on Spark; `now` gives seconds."""

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
