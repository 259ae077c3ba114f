"""Reads a load generator as an upstream without an end: each tick makes one more step due.

Nothing is read ahead: a range of steps is computed when it is taken, at most as much as a binding may cover. While
nobody takes steps none become due, so there is no backlog after a pause.
"""

from __future__ import annotations

import pyarrow as pa

from connectors.gauge import UpstreamFrontier
from connectors.generators.kinds import steps_of
from connectors.upstream import FetchedRange, UpstreamStatus
from model.external.generators import LoadGenerator
from model.time.clock import Clock

PARTITION = 0
"""The one that there is; users don't see it."""
_NO_RECORDS = pa.table({})
_NS_PER_MS = 1_000_000


class GeneratorReader:
    """Reads one generator. Call `begin` before use; a step is due at once then."""

    def __init__(self, generator: LoadGenerator, clock: Clock) -> None:
        self._steps = steps_of(generator)
        self._tick_ns = generator.tick_ms * _NS_PER_MS
        self._clock = clock
        self._at = 0
        self._due = 0
        self._next_ns = 0

    def beginning(self) -> UpstreamFrontier:
        return {}

    def begin(self, frontier: UpstreamFrontier) -> None:
        self._at = frontier.get(PARTITION, 0)
        self._due = max(self._at, self._steps.ready)
        self._next_ns = self._clock.elapsed_ns()

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        self._pass_time()
        return self._taken(records_max, bytes_max, self._due)

    def take_until(self, records_max: int, bytes_max: int, upto: UpstreamFrontier) -> FetchedRange | None:
        """Returns steps up to `upto`, which were all taken before, so there is nothing to wait for."""
        return self._taken(records_max, bytes_max, upto.get(PARTITION, 0))

    def _taken(self, records_max: int, bytes_max: int, due: int) -> FetchedRange | None:
        updates = min(records_max, bytes_max // self._steps.bytes_per_update)
        whole = max(updates // self._steps.updates_per_step, 1)
        end = min(due, self._at + whole)
        if end <= self._at:
            return None
        tables = self._steps.updates(self._at, end)
        self._at = end
        return FetchedRange(_NO_RECORDS, {PARTITION: end}, tables)

    def _pass_time(self) -> None:
        late_ns = self._clock.elapsed_ns() - self._next_ns
        if late_ns >= 0:
            ticks = late_ns // self._tick_ns + 1
            self._due += ticks
            self._next_ns += ticks * self._tick_ns

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        """Does nothing: a generator does not need to know how far its values have been made durable."""

    def status(self) -> UpstreamStatus:
        return UpstreamStatus({PARTITION: self._due}, None, self._next_ns)

    def close(self) -> None:
        """Does nothing: there is no thread to end."""
