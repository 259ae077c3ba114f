"""All sequences, in memory; a shard holds the reserved values of each.

A take changes only memory, and is answered at once. A take that reserves more waits for the next group commit, the
taker's own or an empty one; until the reservation is durable, no client may see the values (`covered`). No value is
therefore given twice, after any crash; and none is given back, since nothing is undone.

The shard has one row for each collection of a used sequence: the last value reserved.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace

import pyarrow as pa

from catalog.nouns.items import SequenceDefinition
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT8, TEXT
from model.updates.update import Update, updates_to_arrow
from planner.sequence_rules import SequenceRules
from server.ledgers.counting.counter import Counter, Taken, take

COUNTERS_SHARD_ID = GlobalId.system(3)
COUNTERS_DESC = relation_desc(("id", TEXT, False), ("last_value", INT8, False), ("is_called", BOOL, False))


@dataclass(frozen=True, slots=True)
class _Reserved:
    """A sequence's state after a crash: it goes on behind `last` or, unless `called`, with `last`."""

    last: int
    called: bool

    def row(self, id_: GlobalId) -> Row:
        return str(id_), self.last, self.called


@dataclass(frozen=True, slots=True)
class _Running:
    """A sequence in use. `rules` are those by which the rest of its reservation was counted; None without a rest."""

    counter: Counter
    rules: SequenceRules | None


class Counters:
    """The state of all sequences. The group committer asks for `due` reservations at each commit. `number` counts
    reservations.

    Recursions are evaluated in threads of their own, so changes are made under a lock.
    """

    def __init__(self, updates: Iterable[Update], catalog: CatalogState) -> None:
        self._lock = threading.RLock()
        self._durable = _net(updates)
        self._running = {
            id_: _Running(Counter(reserved.last, reserved.called), None) for id_, reserved in self._durable.items()
        }
        self._waiting: dict[GlobalId, _Reserved | None] = {}
        self._carried: dict[GlobalId, _Reserved | None] = {}
        self._number = self._carried_number = self._durable_number = 0
        self._numbers: dict[GlobalId, int] = {}
        self._catalog: CatalogState | None = None
        self._existing: frozenset[GlobalId] = frozenset(self._durable)
        self._drop_gone(catalog)

    # What sessions do

    def counter(self, definition: SequenceDefinition) -> Counter:
        """Returns the state of the sequence."""
        running = self._running.get(definition.collection)
        if running is None:
            return Counter(definition.first, False)
        return running.counter if running.rules == definition.rules else replace(running.counter, left=0)

    def take(self, definition: SequenceDefinition, name: str) -> Taken:
        """Takes values that nobody else gets; raises 2200H without any."""
        with self._lock:
            taken = take(self.counter(definition), definition.rules, name)
            self._running[definition.collection] = _Running(taken.counter, definition.rules)
            if taken.reserved is not None:
                self._reserve(definition.collection, _Reserved(taken.reserved, True))
            return taken

    def set(self, definition: SequenceDefinition, value: int, called: bool) -> None:
        with self._lock:
            self._running[definition.collection] = _Running(Counter(value, called), None)
            self._reserve(definition.collection, _Reserved(value, called))

    def settle(self, definition: SequenceDefinition) -> None:
        """Takes back reserved values that were not given: other rules may not count that far."""
        with self._lock:
            running = self._running.get(definition.collection)
            if running is not None:
                self.set(definition, running.counter.last, running.counter.called)

    def settle_all(self) -> bool:
        """Settles all sequences; returns whether anything was taken back."""
        with self._lock:
            kept = [(id_, each.counter) for id_, each in self._running.items() if each.counter.left]
            for id_, counter in kept:
                self._running[id_] = _Running(replace(counter, left=0), None)
                self._reserve(id_, _Reserved(counter.last, counter.called))
            return bool(kept)

    def number_of(self, definition: SequenceDefinition) -> int:
        """Returns the number of the reservation that covers the sequence's values."""
        return self._numbers.get(definition.collection, 0)

    def covered(self, number: int) -> bool:
        """Returns whether the reservation with the number is durable."""
        return number <= self._durable_number

    @property
    def collections(self) -> Set[GlobalId]:
        """Returns the collections that durable rows name, or may name."""
        return self._running.keys() | self._waiting.keys()

    def last_values(self) -> Mapping[GlobalId, int]:
        """Returns the last value of each collection that has given any."""
        with self._lock:
            return {id_: each.counter.last for id_, each in self._running.items() if each.counter.called}

    def _reserve(self, id_: GlobalId, reserved: _Reserved | None) -> None:
        self._number += 1
        self._numbers[id_] = self._number
        self._waiting[id_] = reserved

    # What the group committer does

    def due(self, timestamp: Timestamp, catalog: CatalogState) -> dict[GlobalId, list[pa.Table]]:
        """Returns the updates that a commit at `timestamp` must carry."""
        with self._lock:
            return self._due(timestamp, catalog)

    def _due(self, timestamp: Timestamp, catalog: CatalogState) -> dict[GlobalId, list[pa.Table]]:
        if catalog is not self._catalog:
            self._drop_gone(catalog)
        self._carried, self._carried_number = dict(self._waiting), self._number
        updates: list[Update] = []
        for id_, reserved in self._carried.items():
            before = self._durable.get(id_)
            if before != reserved:
                updates += [] if before is None else [Update(before.row(id_), timestamp, -1)]
                updates += [] if reserved is None else [Update(reserved.row(id_), timestamp, 1)]
        return {COUNTERS_SHARD_ID: [updates_to_arrow(updates, COUNTERS_DESC)]} if updates else {}

    def applied(self) -> None:
        """Notes that the due reservations are durable."""
        with self._lock:
            for id_, reserved in self._carried.items():
                if reserved is None:
                    self._durable.pop(id_, None)
                else:
                    self._durable[id_] = reserved
                if self._waiting.get(id_) == reserved:
                    self._waiting.pop(id_, None)
            self._durable_number = self._carried_number

    def _drop_gone(self, catalog: CatalogState) -> None:
        """Forgets sequences that were dropped, or began again."""
        existing = _collections(catalog)
        for id_ in self._existing - existing:
            self._running.pop(id_, None)
            self._numbers.pop(id_, None)
            if id_ in self._durable or id_ in self._waiting:
                self._waiting[id_] = None
        self._catalog, self._existing = catalog, existing


def _collections(catalog: CatalogState) -> frozenset[GlobalId]:
    items = catalog.items.values()
    return frozenset(i.definition.collection for i in items if isinstance(i.definition, SequenceDefinition))


def _net(updates: Iterable[Update]) -> dict[GlobalId, _Reserved]:
    counts: dict[Row, int] = {}
    for update in updates:
        counts[update.row] = counts.get(update.row, 0) + update.diff
    found: dict[GlobalId, _Reserved] = {}
    for (id_, last, called), count in counts.items():
        if count > 0:
            assert isinstance(id_, str) and isinstance(last, int) and isinstance(called, bool)
            assert GlobalId.parse(id_) not in found, f"two counters for {id_}"
            found[GlobalId.parse(id_)] = _Reserved(last, called)
    return found
