"""The time of the last read of each index, since the server began, and what indexes were missed for: reads of a whole
relation by queries that ask for given values of columns, over the past day. In memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catalog.declared.dataflow_status import MissedIndex
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp

_DAY_MS = 24 * 60 * 60 * 1000
_KINDS_MAX = 1_000


class MissedIndexes:
    """Reads by relation and columns; the kind of read that has not come for longest gives way to new ones."""

    def __init__(self) -> None:
        self._missed: dict[tuple[GlobalId, tuple[str, ...]], MissedIndex] = {}

    def note(self, on: GlobalId, columns: tuple[str, ...], now_ms: int) -> None:
        """Notes a read, by Spark, of the rows of a relation that have given values in the columns."""
        before = self._missed.pop((on, columns), None)
        if before is None or now_ms - before.since_ms >= _DAY_MS:
            before = MissedIndex(on, columns, 0, now_ms)
        if len(self._missed) == _KINDS_MAX:
            del self._missed[next(iter(self._missed))]
        self._missed[on, columns] = MissedIndex(on, columns, before.reads + 1, before.since_ms)

    def of_the_day(self, now_ms: int) -> tuple[MissedIndex, ...]:
        """Returns the reads that began to be counted less than a day ago, and forgets the others."""
        self._missed = {key: each for key, each in self._missed.items() if now_ms - each.since_ms < _DAY_MS}
        return tuple(self._missed.values())


class IndexUses:
    """The time of the last read through each index, by the index's collection. `began`: since when reads are noted.
    `missed` are the reads that an index would have answered."""

    def __init__(self, began: Timestamp) -> None:
        self._began = began
        self.missed = MissedIndexes()
        self._last: dict[GlobalId, Timestamp] = {}

    def note(self, collection: GlobalId, as_of: Timestamp) -> None:
        """Notes a read at a time."""
        if as_of > self._last.get(collection, self._began):
            self._last[collection] = as_of

    def last(self, present: Iterable[GlobalId]) -> Mapping[GlobalId, Timestamp]:
        """Returns for each index that there is when it was read last, or when the server began; forgets the others."""
        self._last = {each: self._last.get(each, self._began) for each in present}
        return dict(self._last)
