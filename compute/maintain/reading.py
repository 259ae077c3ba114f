"""How much of its imports a tick has read: by query, since Spark reads a large import anew for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class Reading:
    """The tick's thread tells; any other may ask. `query` counts the queries that have begun."""

    def __init__(self) -> None:
        self.query = 0
        self._rows = 0
        self._done = 0
        self._current = 0

    def begin(self, queries: Sequence[int]) -> None:
        """A tick begins, in which the queries will read so many rows of imports each."""
        self._rows, self._done, self._current = sum(queries), 0, 0

    @contextmanager
    def reads(self, rows: int) -> Iterator[None]:
        """While a query runs that reads so many rows of imports."""
        self.query += 1
        self._current = rows
        yield
        self._done, self._current = self._done + rows, 0

    def share(self, under_way: int) -> float:
        """From 0 to 1, when the query that runs now has read `under_way` rows."""
        return min(1.0, (self._done + min(under_way, self._current)) / self._rows) if self._rows else 1.0
