"""Retries after failures: how long to wait before each attempt, and tasks that run for ever.

Waits double from the first to the longest, and stay there: callers need not limit the count of failures.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NoReturn

from model.time.clock import Clock

_DOUBLINGS_MAX = 62
"""Beyond these every wait is the longest; without a bound the power itself would overflow one day."""


@dataclass(frozen=True, slots=True)
class BackOff:
    """Waits from `first_s` to `longest_s` seconds."""

    first_s: float
    longest_s: float

    def delay_s(self, failures: int) -> float:
        """Returns how long to wait after so many failures in a row (at least one)."""
        assert failures > 0, "nothing has failed"
        return min(self.longest_s, self.first_s * 2.0 ** min(failures - 1, _DOUBLINGS_MAX))

    async def wait(self, clock: Clock, failures: int) -> None:
        await clock.sleep(self.delay_s(failures))


_AGAIN = BackOff(0.1, 10.0)


async def kept_going(
    work: Callable[[], Awaitable[object]], clock: Clock, told: Callable[[Exception | None], None]
) -> NoReturn:
    """Runs `work`, which should never end, and runs it again when it ends: by an error, or without one (None).

    `told` is called each time. Cancelling ends it.
    """
    failures = 0
    while True:
        error: Exception | None = None
        try:
            await work()
        except Exception as ended:  # noqa: BLE001  (whatever it is, it is told)
            error = ended
        failures += 1
        told(error)
        await _AGAIN.wait(clock, failures)
