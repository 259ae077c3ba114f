"""A clock that follows the wall clock as far as time itself has passed.

Whoever sets the wall clock moves it by hours at once. Timestamps, leases and how much of the past is kept are all
counted from this clock, so that none of them jumps:

    now' = clamp(wall, now + elapsed / 2, now + 2 * elapsed)

It never goes back, runs at no less than half and no more than double speed, and has reached a wall clock that was put
forward by d after d at the latest, one that was put back by d after 2 d. What time has passed counts in full, also
while the process was stopped or the machine slept: then nothing has jumped.
"""

from __future__ import annotations

from model.time.clock import Clock

_NS_PER_MS = 1_000_000


class SteadyClock:
    """A Clock. It begins at the wall clock, or where time had come to already, when that is later."""

    def __init__(self, clock: Clock, no_earlier_than_ms: int = 0) -> None:
        self._clock = clock
        self._elapsed_ns = clock.elapsed_ns()
        self._now_ns = max(clock.now_ms(), no_earlier_than_ms) * _NS_PER_MS

    def now_ms(self) -> int:
        elapsed_ns = self._clock.elapsed_ns()
        passed, self._elapsed_ns = elapsed_ns - self._elapsed_ns, elapsed_ns
        wall_ns = self._clock.now_ms() * _NS_PER_MS
        self._now_ns = min(max(wall_ns, self._now_ns + passed // 2), self._now_ns + 2 * passed)
        return self._now_ns // _NS_PER_MS

    def elapsed_ns(self) -> int:
        return self._clock.elapsed_ns()

    async def sleep(self, seconds: float) -> None:
        await self._clock.sleep(seconds)

    def behind_ms(self) -> int:
        """How far the wall clock is ahead of this one; negative when it is behind."""
        return self._clock.now_ms() - self.now_ms()
