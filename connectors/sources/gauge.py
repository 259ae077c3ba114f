"""Gauges of progress: how far a kind of source has come, partition by partition.

An upstream frontier is the exclusive upper bound of each partition: 42 for a Kafka partition whose records 0 to 41 have
been read. A partition that nothing is known of stands at 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.ids.global_id import GlobalId
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT2, INT4, INT8, TEXT

Partition = int | str
UpstreamFrontier = Mapping[Partition, int]
"""The exclusive upper bound of each partition; those at 0 may be left out."""
NOTE = "\0"
"""With what the names of partitions begin that are notes."""


def is_note(partition: Partition) -> bool:
    """Whether it is none of upstream's, but something that upstream's reader remembers. The bounds of notes whose names
    are texts may go back to 0."""
    return partition < 0 if isinstance(partition, int) else partition.startswith(NOTE)


_JOINED = -(1 << 30)
"""Below it are the notes of collections, of that they have joined and of that they have stopped; those of upstream's
readers are above."""
_STOPPED = _JOINED - (1 << 29)


def joined_note(collection: GlobalId) -> Partition:
    """The partition whose bound is 1 from the binding on in which a collection that was added has joined."""
    return _JOINED - collection.number


def stopped_note(collection: GlobalId) -> Partition:
    """The partition whose bound says that a collection is no longer followed, while it is above `joined_note`'s."""
    return _STOPPED - collection.number


def is_stopped(frontier: UpstreamFrontier, collection: GlobalId) -> bool:
    """Whether upstream's table can't be followed since, for what was done to it there."""
    return frontier.get(stopped_note(collection), 0) > frontier.get(joined_note(collection), 0)


def without_joined(frontier: UpstreamFrontier) -> UpstreamFrontier:
    """What upstream's reader knows of it."""
    return {at: bound for at, bound in frontier.items() if not (isinstance(at, int) and at < _JOINED)}


@dataclass(frozen=True, slots=True)
class Gauge:
    """`partition` is what tells partitions apart, `progress` what users call the bound of one. `alone`: there is one
    partition only, of which users need not know. `wide`: bounds have more digits than a diff, and are text to users."""

    partition: ColumnDesc
    progress: ColumnDesc
    alone: bool = False
    wide: bool = False

    @property
    def shown(self) -> tuple[ColumnDesc, ...]:
        """What users see of a bound."""
        return (self.progress,) if self.alone else (self.partition, self.progress)

    @property
    def remap_desc(self) -> RelationDesc:
        """The rows of a remap collection; their diffs are increments of the bounds, or of one place of wide ones."""
        return RelationDesc((self.partition, _PLACE) if self.wide else (self.partition,))


_PLACE = ColumnDesc("place", INT2, nullable=False)
_PARTITION, _OFFSET = ColumnDesc("partition", INT4, nullable=False), ColumnDesc("offset", INT8, nullable=False)
KAFKA_OFFSETS = Gauge(_PARTITION, _OFFSET)
GENERATOR_STEPS = Gauge(_PARTITION, _OFFSET, alone=True)
PUBNUB_TIMETOKENS = Gauge(ColumnDesc("region", INT8, nullable=False), ColumnDesc("timetoken", INT8, nullable=False))
KINESIS_SEQUENCE_NUMBERS = Gauge(
    ColumnDesc("shard_id", INT8, nullable=False), ColumnDesc("sequence_number", TEXT, nullable=False), wide=True
)
FILE_BYTES = Gauge(ColumnDesc("key", TEXT, nullable=False), ColumnDesc("byte_offset", INT8, nullable=False))
POSTGRES_LSN = Gauge(_PARTITION, ColumnDesc("lsn", INT8, nullable=False), alone=True)
