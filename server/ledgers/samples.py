"""The samples of the past hour, oldest first, in memory alone."""

from __future__ import annotations

import datetime
from collections import deque

from catalog.declared.snapshot import Sample

_KEPT = datetime.timedelta(hours=1)
ROWS_MAX = 60_000
"""So many rows of all samples together; those of 1,000 objects for an hour."""


class Samples:
    """Keeps samples for an hour, or for less where they have many rows; the newest one always."""

    def __init__(self) -> None:
        self._samples: deque[Sample] = deque()
        self._rows = 0

    def add(self, sample: Sample) -> None:
        """Adds the newest sample, and forgets the oldest."""
        self._samples.append(sample)
        self._rows += len(sample)
        while len(self._samples) > 1 and (
            self._rows > ROWS_MAX or sample.at - self._samples[0].at >= _KEPT or sample.at < self._samples[0].at
        ):
            self._rows -= len(self._samples.popleft())

    def recent(self) -> tuple[Sample, ...]:
        """Returns all that are kept, oldest first."""
        return tuple(self._samples)
