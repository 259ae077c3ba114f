"""Logs when the wall clock has jumped, and when the server's own clock has caught up."""

from __future__ import annotations

import structlog

from model.time.steady_clock import SteadyClock

_log = structlog.get_logger()

TOLD_MS = 1_000


class ClockWatch:
    """Compares the clocks at each `look`: one warning each time they part."""

    def __init__(self, clock: SteadyClock) -> None:
        self._clock = clock
        self._apart = False

    async def look(self) -> None:
        behind_ms = self._clock.behind_ms()
        if not self._apart and abs(behind_ms) > TOLD_MS:
            self._apart = True
            _log.warning(
                "the wall clock has jumped: timestamps follow it at half or double speed",
                wall_clock_ahead_ms=behind_ms,
            )
        elif self._apart and abs(behind_ms) <= TOLD_MS // 2:
            self._apart = False
            _log.info("timestamps are at the wall clock again")
