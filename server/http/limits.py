"""The limits for clients over HTTP."""

from __future__ import annotations

from dataclasses import dataclass

from model.time.clock import Clock


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """Limits for all clients together, for one request, and for one webhook source.

    `connections_max`: beyond it the connection that has been silent longest is dropped
    `requests_per_second`: per webhook source
    `head_s`, `body_s`: the time for a request's head and body to arrive
    `idle_s`: the time that a kept connection may be silent, or take nothing of what it is sent
    `held_bytes_max`: for the bodies of all requests together
    `evaluation_s`, `commit_s`: the time to compute the rows of a webhook's request, and to make them durable
    `rows_max`, `rows_bytes_max`: for the rows of one such request
    """

    connections_max: int = 500
    body_bytes_max: int = 5 << 20
    requests_per_second: int | None = None
    head_bytes_max: int = 32 << 10
    held_bytes_max: int = 64 << 20
    head_s: float = 10.0
    body_s: float = 30.0
    idle_s: float = 60.0
    evaluation_s: float = 10.0
    commit_s: float = 30.0
    rows_max: int = 20_000
    rows_bytes_max: int = 32 << 20


class RateLimit:
    """Allows so many requests per second, with bursts of at most one second's number."""

    def __init__(self, per_second: int, clock: Clock) -> None:
        self._per_second = per_second
        self._clock = clock
        self._left = float(per_second)
        self._at_ms = clock.now_ms()

    def take(self) -> bool:
        """Tells whether one more is allowed now, and counts it."""
        now_ms = self._clock.now_ms()
        gained = max(now_ms - self._at_ms, 0) / 1000 * self._per_second
        self._left, self._at_ms = min(self._left + gained, float(self._per_second)), now_ms
        if self._left < 1:
            return False
        self._left -= 1
        return True
