"""The time of the last read of each index, in memory since the server began."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp


class IndexUses:
    """The time of the last read through each index, by the index's collection. `began`: since when reads are noted."""

    def __init__(self, began: Timestamp) -> None:
        self._began = began
        self._last: dict[GlobalId, Timestamp] = {}

    def note(self, collection: GlobalId, as_of: Timestamp) -> None:
        """Notes a read at a time."""
        if as_of > self._last.get(collection, self._began):
            self._last[collection] = as_of

    def last(self, present: Iterable[GlobalId]) -> Mapping[GlobalId, Timestamp]:
        """Returns for each index that there is when it was read last, or when the server began; forgets the others."""
        self._last = {each: self._last.get(each, self._began) for each in present}
        return dict(self._last)
