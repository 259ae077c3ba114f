"""An upstream in memory: a log of partitions, which grows by whole transactions, goes away and comes back."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from connectors.gauge import Partition, UpstreamFrontier
from connectors.kafka.source.records import RECORDS_SCHEMA
from connectors.upstream import (
    KEY,
    OFFSET,
    PARTITION,
    VALUE,
    Arrived,
    FetchedRange,
    PartitionReach,
    UpstreamStatus,
)
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate


def without_key(text: str) -> tuple[bytes | None, bytes | None]:
    """A record whose value is the text."""
    return None, text.encode()


@dataclass
class Log:
    """`partitions`: texts, by their offsets; None is an offset without a record. `record` gives a text's key and value.
    Of a log of `whole` transactions readers take no parts; `cuts` are the frontiers between these. While it is `away`
    it gives nothing, and while it is `broken` an error; readers were told to begin `begun` times. `acknowledged` is
    what they have told it to be durable. `step` is by how much an offset moves a partition's bound. Of ranges
    `staged` were begun."""

    record: Callable[[str], tuple[bytes | None, bytes | None]] = without_key
    whole: bool = False
    partitions: dict[int, list[str | None]] = field(default_factory=dict)
    cuts: list[dict[Partition, int]] = field(default_factory=lambda: [{}])
    readers: list[LogReader] = field(default_factory=list)
    away: bool = False
    broken: bool = False
    begun: int = 0
    acknowledged: dict[Partition, int] = field(default_factory=dict)
    step: int = 1
    staged: int = 0

    def append(self, partition: int, text: str | None) -> None:
        self.transact([(partition, text)])

    def transact(self, records: list[tuple[int, str | None]]) -> None:
        for partition, text in records:
            self.partitions.setdefault(partition, []).append(text)
        self.cuts.append(self.end)
        self.tell()

    @property
    def end(self) -> dict[Partition, int]:
        return {partition: len(texts) * self.step for partition, texts in self.partitions.items()}

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        known = self.acknowledged
        self.acknowledged = {each: max(bound, known.get(each, 0)) for each, bound in {**known, **frontier}.items()}

    def tell(self) -> None:
        """Readers look at it again."""
        for reader in self.readers:
            reader.arrived()

    def rows_below(self, frontier: UpstreamFrontier) -> Counter[tuple[object, ...]]:
        """What a source holds whose remap collection is at this frontier."""
        return Counter(
            (text, partition, offset, None)
            for partition, texts in self.partitions.items()
            for offset, text in enumerate(texts[: frontier.get(partition, 0) // self.step])
            if text is not None
        )


class LogReader:
    """Gives as much as chance has it; of the partition `only`, and then it falters now and then."""

    def __init__(
        self, log: Log, arrived: Arrived, chance: random.Random, only: int | None = None, *, falters: bool = True
    ) -> None:
        self.arrived = arrived
        self._only = only
        self._falters = falters and only is not None
        self._held: int | None = None
        """How many partitions there were when it was to hold."""
        self._log = log
        self._chance = chance
        self._at: dict[Partition, int] = {}
        self._looked = False
        log.readers.append(self)

    def beginning(self) -> UpstreamFrontier:
        if self._log.away:
            raise SqlError(Sqlstate.CONNECTION_EXCEPTION, "the log is away")
        return {}

    def begin(self, frontier: UpstreamFrontier) -> None:
        self._at = dict(frontier)
        self._held = None
        self._log.begun += self._only is None
        self._looked = False

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        if self._falters and self._chance.random() < 0.02:
            raise SqlError(Sqlstate.CONNECTION_EXCEPTION, "the partition is away")
        if self._log.broken:
            looked, self._looked = self._looked, True
            if looked:
                raise SqlError(Sqlstate.IO_ERROR, "the log is broken")
            # That is not seen at once.
            return None
        if self._log.away or self._held is not None:
            return None
        begin, end = self._at, self._end()
        moved = {partition: bound for partition, bound in end.items() if bound > begin.get(partition, 0)}
        self._at = {**begin, **moved}
        return FetchedRange(self._records(begin, moved), moved) if moved else None

    def take_until(self, records_max: int, bytes_max: int, upto: UpstreamFrontier) -> FetchedRange | None:
        before = self._at
        fetched = self.take(records_max, bytes_max)
        if fetched is None:
            return None
        moved = {each: min(bound, upto.get(each, 0)) for each, bound in fetched.frontier.items()}
        moved = {each: bound for each, bound in moved.items() if bound > before.get(each, 0)}
        self._at = {**before, **moved}
        return FetchedRange(self._records(before, moved), moved) if moved else None

    def ahead(self) -> Mapping[Partition, PartitionReach]:
        return (
            {}
            if self._log.away or self._log.broken
            else {each: PartitionReach(end) for each, end in self._log.end.items()}
        )

    def hold(self) -> None:
        self._held = len(self._log.partitions)

    @property
    def holds(self) -> bool:
        return self._held == len(self._log.partitions) and not self._log.broken

    def _end(self) -> Mapping[Partition, int]:
        """Up to where it reads this time."""
        if not self._log.whole:
            step = self._log.step
            ends = ((each, end // step, min(self._at.get(each, 0), end) // step) for each, end in self._log.end.items())
            return {each: self._chance.randint(at, end) * step for each, end, at in ends if self._only in (None, each)}
        ahead = [cut for cut in self._log.cuts if any(self._at.get(each, 0) < bound for each, bound in cut.items())]
        return self._chance.choice(ahead) if ahead and self._chance.random() < 0.8 else {}

    def _records(self, begin: UpstreamFrontier, end: UpstreamFrontier) -> pa.Table:
        found = [
            (partition, offset, *self._log.record(text))
            for partition, bound in end.items()
            for offset in range(begin.get(partition, 0) // self._log.step, bound // self._log.step)
            if (text := self._log.partitions[int(partition)][offset]) is not None
        ]
        columns = dict(zip((PARTITION, OFFSET, KEY, VALUE), zip(*found, strict=True), strict=True)) if found else {}
        fields = ((each.name, each.type) for each in RECORDS_SCHEMA)
        arrays = [pa.array(columns.get(name, [None] * len(found)), type_) for name, type_ in fields]
        return pa.table(arrays, schema=RECORDS_SCHEMA)

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        self._log.acknowledge(frontier)

    def status(self) -> UpstreamStatus:
        return UpstreamStatus({}, "the log is away" if self._log.away else None)

    def close(self) -> None:
        self._log.readers.remove(self)
