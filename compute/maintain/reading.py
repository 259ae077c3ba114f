"""Tells the share of its imports that a tick has read, query by query: Spark reads a large import anew for each
query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class Reading:
    """Progress of a tick. The tick's thread writes, any other thread may read. `query` counts queries begun."""

    def __init__(self) -> None:
        self.query = 0
        self._rows = 0
        self._done = 0
        self._current = 0

    def begin(self, queries: Sequence[int]) -> None:
        """Begins a tick whose queries will read the given numbers of import rows."""
        self._rows, self._done, self._current = sum(queries), 0, 0

    @contextmanager
    def reads(self, rows: int) -> Iterator[None]:
        """Marks a query that reads `rows` import rows as running while the context lasts."""
        self.query += 1
        self._current = rows
        yield
        self._done, self._current = self._done + rows, 0

    def share(self, under_way: int) -> float:
        """Returns the share read, from 0 to 1, when the running query has read `under_way` rows."""
        return min(1.0, (self._done + min(under_way, self._current)) / self._rows) if self._rows else 1.0
