"""What a transaction has read: the one time of its reads, and what COMMIT tests for changes.

reads.at                                     # Timestamp(1700000000000), chosen at the first read
reads.add_keys({accounts_by_id: identities}) # these rows were looked up by key
reads.footprint                              # all tables and keys that were read until now
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from storage.holds import StorageReadHold
from timeline.footprint import Footprint, Identities, KeyColumns, ReadKeys, joined

if TYPE_CHECKING:
    from server.transactions.noting import NotedRead


@dataclass(slots=True)
class TransactionReads:
    """The reads of one transaction.

    `at`: the time of all reads
    `dated`: an answer may have shown `at`, or a cursor will read at `at`
    `seen`: the committed catalog in which statements read
    `ids`, `sources`: collections that were read (tables and views; sources)
    `keys`: keys by which further collections were read
    `computed`: collections whose rows were computed by Spark
    `noted`: reads that COMMIT repeats
    `unrepeatable`: a read that COMMIT would have to repeat, and can't
    `holds`: read holds at `at`
    `held`: the collections that `holds` keep readable
    """

    at: Timestamp | None = None
    dated: bool = False
    seen: CatalogState | None = None
    ids: set[GlobalId] = field(default_factory=set)
    sources: set[GlobalId] = field(default_factory=set)
    keys: dict[KeyColumns, Identities] = field(default_factory=dict)
    computed: set[GlobalId] = field(default_factory=set)
    noted: list[NotedRead] = field(default_factory=list)
    unrepeatable: bool = False
    holds: list[StorageReadHold] = field(default_factory=list)
    held: set[GlobalId] = field(default_factory=set)

    @property
    def footprint(self) -> Footprint:
        """Returns the reads of tables up to now."""
        return Footprint(frozenset(self.ids), self.keys)

    def add_keys(self, keys: ReadKeys) -> None:
        """Notes that rows are read by these keys."""
        self.keys, whole = joined(self.keys, keys)
        self.ids |= whole

    def forget_since(self, earlier: Footprint, tables: Set[GlobalId]) -> None:
        """Forgets what was read of these tables after `earlier`, because it can't have changed."""
        self.ids -= tables - earlier.tables
        kept = {key: found for key, found in self.keys.items() if key.table not in tables}
        self.keys = kept | {key: found for key, found in earlier.keys.items() if key.table in tables}

    def forget(self) -> None:
        """Forgets all reads, as if nothing had been read yet, and releases their holds."""
        self.at = self.seen = None
        self.ids.clear()
        self.sources.clear()
        self.keys = {}
        self.noted.clear()
        self.unrepeatable = self.dated = False
        self.release_holds()

    def hold(self, holds: Iterable[StorageReadHold]) -> None:
        """Takes over these holds, at the time of the reads, until the transaction ends."""
        for each in holds:
            self.holds.append(each)
            if each.collection is not None:
                self.held.add(each.collection)

    def release_holds(self) -> None:
        """Releases all holds, so that what was read may be compacted."""
        for hold in self.holds:
            hold.release()
        self.holds.clear()
        self.held.clear()
