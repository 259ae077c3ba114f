"""Measures how late the event loop comes to work that is due: everybody waits for so long."""

from __future__ import annotations

import asyncio

from prometheus_client import CollectorRegistry, Histogram

_EVERY_S = 0.25
_BUCKETS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


class LoopDelay:
    """Looks four times a second, from `start` to `stop`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._delays = Histogram(
            "headwater_event_loop_delay_seconds",
            "How late the event loop came to work that was due, four times a second.",
            buckets=_BUCKETS,
            registry=registry,
        )
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(_EVERY_S, self._look)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        assert self._timer is not None, "a stopped timer does not fire"
        now = asyncio.get_running_loop().time()
        self._delays.observe(max(now - self._timer.when(), 0.0))
        self.start()
