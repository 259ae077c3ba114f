"""The rows that recent commits have changed, so that a read by key is validated by the rows that have the key, and
read from an index that has not followed the last commits yet.

    kept: commits at complete_after < t <= complete_until, of all tables, in at most ROWS rows, ENTRIES entries and
          BYTES bytes

What a reader asks of an earlier time is not known here: its reads are then validated by table. Nor is what a commit
changed that is durable but has not been told of yet: consensus may have given its time to a reader already.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import pyarrow as pa

from model.global_id import GlobalId
from model.timestamp import Timestamp, step_back
from timeline.footprint import Identities, KeyColumns, WrittenRows

_ENTRIES_MAX = 10_000
_ROWS_MAX = 100_000
_BYTES_MAX = 16 << 20


class RecentChanges:
    """Of one timeline, in memory. Every commit is told of, also one that wrote nothing."""

    def __init__(self, entries_max: int = _ENTRIES_MAX) -> None:
        self._entries_max = entries_max
        self._complete_after: Timestamp | None = None
        self._complete_until: Timestamp | None = None
        self._order: deque[tuple[Timestamp, GlobalId, WrittenRows]] = deque()
        self._by_table: dict[GlobalId, deque[tuple[Timestamp, WrittenRows]]] = {}
        self._rows = self._bytes = 0

    def committed(self, timestamp: Timestamp, written: Mapping[GlobalId, list[WrittenRows]]) -> None:
        """A commit has become durable at this time, which is later than all before."""
        if self._complete_after is None:
            self._complete_after = step_back(timestamp)
        self._complete_until = timestamp
        for id_, several in written.items():
            for each in several:
                self._order.append((timestamp, id_, each))
                self._by_table.setdefault(id_, deque()).append((timestamp, each))
                self._rows += each.rows
                self._bytes += each.size
        while len(self._order) > self._entries_max or self._rows > _ROWS_MAX or self._bytes > _BYTES_MAX:
            self._forget_first()

    def _forget_first(self) -> None:
        timestamp, id_, each = self._order.popleft()
        self._complete_after = timestamp
        self._rows -= each.rows
        self._bytes -= each.size
        of_table = self._by_table[id_]
        of_table.popleft()
        if not of_table:
            del self._by_table[id_]

    def last_change(self, id_: GlobalId) -> Timestamp | None:
        """When the table was last changed, of the commits that are kept."""
        return self._by_table[id_][-1][0] if id_ in self._by_table else None

    def meets(self, key: KeyColumns, identities: Identities, since: Timestamp) -> bool:
        """Whether a commit later than `since` changed a row that has one of these values there, or may have."""
        if not self._knows(since):
            return True
        for timestamp, each in reversed(self._by_table.get(key.table, ())):
            if timestamp <= since:
                return False
            if each.meets(key, identities):
                return True
        return False

    def between(
        self, key: KeyColumns, identities: Identities, after: Timestamp, until: Timestamp, arity: int
    ) -> list[pa.Table] | None:
        """The updates that commits later than `after`, `until` the last of them, made to rows that have one of these
        values there; None where that is not known, or not yet. The table has so many columns."""
        if not self._knows(after) or self._complete_until is None or until > self._complete_until:
            return None
        found: list[pa.Table] = []
        for timestamp, each in reversed(self._by_table.get(key.table, ())):
            if timestamp <= after:
                break
            if timestamp <= until:
                updates = each.having(key, identities, arity)
                if updates is None:
                    return None
                found += updates
        return found

    def _knows(self, since: Timestamp) -> bool:
        """Whether all later commits are kept."""
        return self._complete_after is not None and since >= self._complete_after
