"""How much a client over HTTP may ask for."""

from __future__ import annotations

from dataclasses import dataclass

from model.time.clock import Clock


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """`connections_max`: beyond it the connection that has been waited for longest gives way. `requests_per_second` is
    for each source. A request's head and body come within `head_s` and `body_s`, its rows are computed within
    `evaluation_s` and durable within `commit_s`; a connection that is kept says something within `idle_s`. Bodies that
    are held at one time take no more than `held_bytes_max`; rows of one request no more than `rows_max` and
    `rows_bytes_max`."""

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
    """So many in a second, and no more at once than in one second."""

    def __init__(self, per_second: int, clock: Clock) -> None:
        self._per_second = per_second
        self._clock = clock
        self._left = float(per_second)
        self._at_ms = clock.now_ms()

    def take(self) -> bool:
        """Whether there may be one more now."""
        now_ms = self._clock.now_ms()
        gained = max(now_ms - self._at_ms, 0) / 1000 * self._per_second
        self._left, self._at_ms = min(self._left + gained, float(self._per_second)), now_ms
        if self._left < 1:
            return False
        self._left -= 1
        return True
