"""The only access to wall time, waiting and randomness; tests and the simulation put their own in its place."""

import asyncio
import secrets
import sys
import time
from typing import Protocol


class Clock(Protocol):
    def now_ms(self) -> int:
        """Returns wall time in milliseconds since 1970, UTC; it may jump."""
        ...

    def elapsed_ns(self) -> int:
        """Returns the nanoseconds since some moment; the number never jumps, and counts what the machine slept."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Waits at least `seconds`."""
        ...


class Randomness(Protocol):
    def token(self) -> str:
        """Returns 128 unguessable bits, as 32 hexadecimal digits."""
        ...

    def below(self, bound: int) -> int:
        """Returns a whole number from 0 to `bound` - 1."""
        ...


class SystemClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def elapsed_ns(self) -> int:
        # Elsewhere a machine that slept looks like a clock that was put forward.
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic_ns()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class SystemRandomness:
    def token(self) -> str:
        return secrets.token_hex(16)

    def below(self, bound: int) -> int:
        return secrets.randbelow(bound)
