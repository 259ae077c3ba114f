"""Keeps rows that an index returned for one key, to answer for the key again.

    rows(key, t) = rows(key, s) + updates(key, s + 1 .. t)      s: when they were read; the updates: RecentChanges

A row that is read, changed and read again is asked of the replica once, by any number of transactions, as long as later
changes to rows with its key are known. The absence of rows is kept as well. Large rows, and many rows of a key, are not
kept; the least recently used key is dropped first.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.functions.growing import bytes_of
from server.ledgers.own_writes import rows_after
from timeline.footprint import ReadKeys
from timeline.recent_changes import RecentChanges

_KEYS_MAX = 4_096
_BYTES_MAX = 2_048
_ROWS_MAX = 4


@dataclass(frozen=True, slots=True)
class _Known:
    """All rows with a key, of the whole row's `desc`, as of a time."""

    as_of: Timestamp
    rows: tuple[Row, ...]
    desc: RelationDesc


class KnownRows:
    """The kept rows of all indexes on tables."""

    def __init__(self, recent: RecentChanges) -> None:
        self._recent = recent
        self._known: OrderedDict[object, _Known] = OrderedDict()

    def at(self, index: GlobalId, keys: ReadKeys, desc: RelationDesc, timestamp: Timestamp) -> list[Row] | None:
        """Returns the rows with the key as of `timestamp`; None where they are not known."""
        place = _place(index, keys)
        known = None if place is None else self._known.get(place)
        if known is None or known.as_of > timestamp or known.desc != desc:
            return None
        ((key, identities),) = keys.items()
        updates = self._recent.between(key, identities, known.as_of, timestamp, desc.arity)
        if updates is None:
            return None
        rows = rows_after(known.rows, updates, desc)
        self.keep(index, keys, desc, timestamp, rows)
        return rows

    def keep(
        self, index: GlobalId, keys: ReadKeys, desc: RelationDesc, timestamp: Timestamp, rows: Sequence[Row]
    ) -> None:
        """Keeps `rows`, all rows with the key as of `timestamp`."""
        place = _place(index, keys)
        if place is None:
            return
        known = self._known.pop(place, None)
        if known is not None and known.as_of > timestamp and known.desc == desc:
            self._known[place] = known
        elif len(rows) <= _ROWS_MAX and sum(bytes_of(row) for row in rows) <= _BYTES_MAX:
            self._known[place] = _Known(timestamp, tuple(rows), desc)
            if len(self._known) > _KEYS_MAX:
                self._known.popitem(last=False)


def _place(index: GlobalId, keys: ReadKeys) -> object | None:
    """Returns the place of a single small key; None for others."""
    if len(keys) != 1:
        return None
    ((key, identities),) = keys.items()
    if len(identities) != 1:
        return None
    (identity,) = identities
    return (index, key, identity) if _size(identity) <= _BYTES_MAX else None


def _size(identity: object) -> int:
    """Returns the approximate size in bytes of a key's identity, with nested tuples."""
    if isinstance(identity, tuple):
        return sum(map(_size, identity))
    return sys.getsizeof(identity)
