"""The rows that recent commits have changed.

A read by key is validated against the changed rows that have the key, and read from an index that has not yet followed
the last commits.

    kept: commits at complete_after < t <= complete_until, of all tables, in at most ROWS rows, ENTRIES entries and
          BYTES bytes

Commits are sorted on demand: the first question about some columns of a table sorts the table's commits by the values
in those columns, as far back as the question reaches; later commits are added as they come. So a question never looks
at commits of other rows. When sorting takes too long for one question, the answer is "unknown".

Older commits are unknown, and reads from before are validated by table. A durable commit that has not been reported yet
is unknown as well, although consensus may have given its time to a reader already.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Reversible
from dataclasses import dataclass, field
from itertools import takewhile

import pyarrow as pa

from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp, step_back
from timeline.footprint import FORMS_MAX, Identities, KeyColumns, WrittenRows

_ENTRIES_MAX = 10_000
_ROWS_MAX = 100_000
_BYTES_MAX = 64 << 20
"""Of memory, all told: the ten thousand small commits that ENTRIES lets through take nearly as much."""
_SORTED_AT_ONCE_MAX = 2_000
"""Rows: some milliseconds."""
_FORGOTTEN_SINGLY_MAX = 100
"""Of more commits that are forgotten at once, as for one that is large, none is looked for in what is sorted."""


_Changes = deque[tuple[Timestamp, WrittenRows]]
"""In the order of their times."""


class _ByKey:
    """Commits by the values of their rows in some columns; `whole` are the commits with unknown values.

    Commits are sorted from the last one back, as far as questions reach: `_unsorted` counts the first of all `changes`,
    about which nobody has asked.
    """

    def __init__(self, key: KeyColumns, changes: _Changes) -> None:
        self._key = key
        self._changes = changes
        self._unsorted = len(changes)
        self.whole: list[tuple[Timestamp, WrittenRows]] = []
        # Lists, since most are of one commit, for which a deque takes ten times as much.
        self._having: dict[Hashable, list[tuple[Timestamp, WrittenRows]]] = {}

    def sorted_since(self, since: Timestamp) -> bool:
        """Returns whether all commits later than `since` are sorted now.

        One call sorts some thousands of rows at most, since everybody else waits meanwhile; the next call goes on.
        """
        rows = 0
        while self._unsorted:
            timestamp, each = self._changes[self._unsorted - 1]
            if timestamp <= since:
                return True
            if rows >= _SORTED_AT_ONCE_MAX:
                return False
            rows += max(each.rows, 1)
            self._unsorted -= 1
            for changes in self._places(each):
                changes.insert(0, (timestamp, each))
        return True

    def having(self, identities: Identities, after: Timestamp) -> dict[Timestamp, list[WrittenRows]]:
        """Returns the commits later than `after` that have changed a row with one of the values, each once."""
        found: dict[Timestamp, dict[int, WrittenRows]] = {}
        for identity in identities:
            for timestamp, each in _later(self._having.get(identity, ()), after):
                found.setdefault(timestamp, {})[id(each)] = each
        return {timestamp: list(several.values()) for timestamp, several in found.items()}

    def add(self, timestamp: Timestamp, each: WrittenRows) -> None:
        """Adds the latest commit."""
        for changes in self._places(each):
            changes.append((timestamp, each))

    def forget(self, each: WrittenRows) -> None:
        """Removes the earliest commit."""
        if self._unsorted:
            self._unsorted -= 1
            return
        for changes in self._places(each):
            del changes[0]
        for identity in each.identities(self._key) or ():
            if not self._having[identity]:
                del self._having[identity]

    def _places(self, each: WrittenRows) -> Iterable[list[tuple[Timestamp, WrittenRows]]]:
        identities = each.identities(self._key)
        if identities is None:
            return (self.whole,)
        return [self._having.setdefault(identity, []) for identity in identities]


@dataclass(slots=True)
class _Table:
    """The commits that have changed one table, and the sorted views of them."""

    changes: _Changes = field(default_factory=deque)
    by_key: dict[KeyColumns, _ByKey] = field(default_factory=dict)

    def by(self, key: KeyColumns) -> _ByKey:
        found = self.by_key.get(key)
        if found is None:
            if len(self.by_key) == FORMS_MAX:
                self.by_key.clear()
            found = self.by_key[key] = _ByKey(key, self.changes)
        return found


class RecentChanges:
    """The recent commits of one timeline, in memory. Every commit is reported, including commits without rows."""

    def __init__(self, entries_max: int = _ENTRIES_MAX) -> None:
        self._entries_max = entries_max
        self._complete_after: Timestamp | None = None
        self._complete_until: Timestamp | None = None
        self._order: deque[tuple[Timestamp, GlobalId, WrittenRows, int]] = deque()
        self._tables: dict[GlobalId, _Table] = {}
        self._rows = self._bytes = 0

    def committed(self, timestamp: Timestamp, written: Mapping[GlobalId, list[WrittenRows]]) -> None:
        """Adds a durable commit, later than all before."""
        if self._complete_after is None:
            self._complete_after = step_back(timestamp)
        self._complete_until = timestamp
        for id_, several in written.items():
            table = self._tables.setdefault(id_, _Table())
            for each in several:
                size = each.size
                self._order.append((timestamp, id_, each, size))
                table.changes.append((timestamp, each))
                for by_key in table.by_key.values():
                    by_key.add(timestamp, each)
                self._rows += each.rows
                self._bytes += size
        forgotten = 0
        while len(self._order) > self._entries_max or self._rows > _ROWS_MAX or self._bytes > _BYTES_MAX:
            forgotten += 1
            if forgotten == _FORGOTTEN_SINGLY_MAX:
                # What is left is sorted again as far as somebody asks.
                for table in self._tables.values():
                    table.by_key.clear()
            self._forget_first()

    def _forget_first(self) -> None:
        timestamp, id_, each, size = self._order.popleft()
        self._complete_after = timestamp
        self._rows -= each.rows
        self._bytes -= size
        table = self._tables[id_]
        table.changes.popleft()
        if not table.changes:
            del self._tables[id_]
            return
        for by_key in table.by_key.values():
            by_key.forget(each)

    @property
    def complete_until(self) -> Timestamp | None:
        """The time of the last commit."""
        return self._complete_until

    def told_until(self, timestamp: Timestamp) -> bool:
        """Returns whether every commit up to `timestamp` has been reported."""
        return self._complete_until is not None and timestamp <= self._complete_until

    def last_change(self, id_: GlobalId) -> Timestamp | None:
        """Returns when the table was last changed, of the commits that are kept."""
        return self._tables[id_].changes[-1][0] if id_ in self._tables else None

    def meets(self, key: KeyColumns, identities: Identities, since: Timestamp) -> bool:
        """Returns whether a commit later than `since` changed, or may have changed, a row with one of the values."""
        if not self._knows(since):
            return True
        if key.table not in self._tables:
            return False
        by_key = self._tables[key.table].by(key)
        if not by_key.sorted_since(since):
            return True
        return any(_later(by_key.whole, since)) or bool(by_key.having(identities, since))

    def between(
        self, key: KeyColumns, identities: Identities, after: Timestamp, until: Timestamp, arity: int
    ) -> list[pa.Table] | None:
        """Returns the updates of rows with one of the values, made by commits after `after` up to `until`.

        None when the commits are unknown, not yet reported, or made when the table had other than `arity` columns.
        """
        if not self._knows(after) or not self.told_until(until):
            return None
        if key.table not in self._tables:
            return []
        by_key = self._tables[key.table].by(key)
        if not by_key.sorted_since(after):
            return None
        if any(timestamp <= until for timestamp, _ in _later(by_key.whole, after)):
            return None
        found: list[pa.Table] = []
        for timestamp, several in by_key.having(identities, after).items():
            for each in several if timestamp <= until else ():
                updates = each.having(key, identities, arity)
                if updates is None:
                    return None
                found += updates
        return found

    def _knows(self, since: Timestamp) -> bool:
        """Returns whether all commits later than `since` are kept."""
        return self._complete_after is not None and since >= self._complete_after


def _later(
    changes: Reversible[tuple[Timestamp, WrittenRows]], after: Timestamp
) -> Iterable[tuple[Timestamp, WrittenRows]]:
    """Returns the changes later than `after`, the latest first."""
    return takewhile(lambda change: change[0] > after, reversed(changes))
