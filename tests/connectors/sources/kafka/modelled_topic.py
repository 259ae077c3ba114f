"""A topic of Apache Kafka's as its documentation has it, in memory: what the brokers of the other tests don't do.

Transactions of producers lie in partitions with what is of none, and end in a marker that takes an offset. Who reads
what is committed gets nothing at or beyond the first record of one that is open (the last stable offset), and nothing
of those that were aborted. Records before a partition's first offset are gone, by retention or by DeleteRecords; who
reads there, or beyond the end, is out of range. A topic that is deleted and created again has another id.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from connectors.gauge import Partition, UpstreamFrontier

NAME = "modelled"


@dataclass(slots=True, eq=False)
class Transaction:
    """A producer's; `committed` is None while it is open."""

    committed: bool | None = None
    partitions: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Entry:
    """What lies at an offset: a record, or a transaction's marker, which has no text. `ms`: when it was written."""

    text: str | None
    ms: int
    transaction: Transaction | None


@dataclass(slots=True)
class PartitionLog:
    """`first` is the first offset that is still there. Without a leader nobody reads it."""

    entries: list[Entry] = field(default_factory=list)
    first: int = 0
    led: bool = True

    @property
    def end(self) -> int:
        """The high watermark: all of this topic's replicas have everything."""
        return len(self.entries)

    @property
    def stable(self) -> int:
        """The last stable offset."""
        is_open = (each.transaction is not None and each.transaction.committed is None for each in self.entries)
        return next((offset for offset, open_ in enumerate(is_open) if open_), self.end)

    def shows(self, offset: int) -> bool:
        """Whether a record is there that is committed."""
        entry = self.entries[offset]
        return entry.text is not None and (entry.transaction is None or entry.transaction.committed is True)


class ModelledTopic:
    """`id` is what brokers call it; None while there is no such topic. `away`: no broker answers. `slow`: none answers
    questions in time, but records come."""

    def __init__(self, partitions: int) -> None:
        self.id: str | None = "id0"
        self.partitions = {number: PartitionLog() for number in range(partitions)}
        self.away = self.slow = False
        self.now_ms = 0
        self.acknowledged: dict[Partition, int] = {}
        self._created = 0
        self._first = self.partitions

    # Producers

    def append(self, partition: int, text: str, transaction: Transaction | None = None) -> None:
        self.partitions[partition].entries.append(Entry(text, self.now_ms, transaction))
        if transaction is not None:
            transaction.partitions.add(partition)

    def finish(self, transaction: Transaction, *, committed: bool) -> None:
        """Its marker comes to each partition that it has written."""
        transaction.committed = committed
        for partition in sorted(transaction.partitions & self.partitions.keys()):
            self.partitions[partition].entries.append(Entry(None, self.now_ms, transaction))

    # Administrators

    def add_partition(self) -> None:
        self.partitions[len(self.partitions)] = PartitionLog()

    def delete_records(self, partition: int, before: int) -> None:
        """As DeleteRecords does, and retention."""
        log = self.partitions[partition]
        log.first = max(log.first, min(before, log.end))

    def delete(self) -> None:
        self.id, self.partitions = None, {}

    def create(self, partitions: int) -> None:
        """Again: it has nothing of the one before."""
        self._created += 1
        self.id = f"id{self._created}"
        self.partitions = {number: PartitionLog() for number in range(partitions)}

    # What a source makes of it

    def first_id(self) -> str:
        """Asked when the source is created: it is of this topic, as it is called and has partitions."""
        assert self.id is not None, "there is no source of no topic"
        self._first = self.partitions
        return self.id

    @property
    def is_another(self) -> bool:
        """Whether it was deleted, whatever has taken its place."""
        return self.partitions is not self._first

    @property
    def stable_end(self) -> dict[Partition, int]:
        """How far it can be read now."""
        return {number: log.stable for number, log in self.partitions.items() if log.stable}

    def rows_below(self, frontier: UpstreamFrontier) -> Counter[tuple[object, ...]]:
        """What a source of the first topic holds whose remap collection is at this frontier: what was committed,
        whether or not it was forgotten since."""
        return Counter(
            (log.entries[offset].text, partition, offset, None)
            for partition, log in self._first.items()
            for offset in range(min(frontier.get(partition, 0), log.end))
            if log.shows(offset)
        )

    def has_forgotten(self, frontier: UpstreamFrontier) -> bool:
        """Whether records behind the frontier are gone, or the topic is."""
        return self.is_another or any(log.first > frontier.get(each, 0) for each, log in self.partitions.items())
