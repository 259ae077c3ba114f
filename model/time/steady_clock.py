"""A clock that follows the wall clock, but never jumps.

Setting the wall clock may move it by hours at once. Timestamps, leases and the retention of history all use this clock
instead:

    now' = clamp(wall, now + elapsed / 2, now + 2 * elapsed)

It never goes back, and runs between half and double speed. A wall clock put forward by d is reached after d at the
latest, one put back by d after 2 d. Elapsed time counts in full even while the process was stopped or the machine
slept: that is no jump.
"""

from __future__ import annotations

from model.time.clock import Clock

_NS_PER_MS = 1_000_000


class SteadyClock:
    """A steady Clock. It begins at the wall clock, or at a later time that was already reached."""

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
        """Returns how far the wall clock is ahead of this one; negative when it is behind."""
        return self._clock.now_ms() - self.now_ms()
