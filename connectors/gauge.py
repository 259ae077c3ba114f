"""Gauges of progress: how far a kind of source has come, partition by partition.

An upstream frontier is the exclusive upper bound of each partition: 42 for a Kafka partition whose records 0 to 41 have
been read. A partition that nothing is known of stands at 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.ids.global_id import GlobalId
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT2, INT4, INT8

Partition = int | str
UpstreamFrontier = Mapping[Partition, int]
"""The exclusive upper bound of each partition; those at 0 may be left out."""
NOTE = "\0"
"""With what the names of partitions begin that are notes."""


def is_note(partition: Partition) -> bool:
    """Tells whether a partition is a note of upstream's reader, and no partition of upstream. The bounds of notes
    with textual names may go back to 0."""
    return partition < 0 if isinstance(partition, int) else partition.startswith(NOTE)


_JOINED = -(1 << 30)
"""Below it are the notes of collections, of that they have joined and of that they have stopped; those of upstream's
readers are above."""
_STOPPED = _JOINED - (1 << 29)


def joined_note(collection: GlobalId) -> Partition:
    """Returns the note whose bound is 1 from the binding on with which an added collection has joined."""
    return _JOINED - collection.number


def stopped_note(collection: GlobalId) -> Partition:
    """Returns the note that says that a collection is no longer followed, while its bound is above that of
    `joined_note`."""
    return _STOPPED - collection.number


def is_stopped(frontier: UpstreamFrontier, collection: GlobalId) -> bool:
    """Tells whether a collection is no longer followed, because upstream's table was changed in a way that can't be
    followed."""
    return frontier.get(stopped_note(collection), 0) > frontier.get(joined_note(collection), 0)


def without_joined(frontier: UpstreamFrontier) -> UpstreamFrontier:
    """Returns the part of a frontier that upstream's reader knows."""
    return {at: bound for at, bound in frontier.items() if not (isinstance(at, int) and at < _JOINED)}


@dataclass(frozen=True, slots=True)
class Gauge:
    """The form of a kind of source's frontiers.

    `partition`: the column that names a partition
    `progress`: the column with a partition's bound, as users see it
    `alone`: there is only one partition, which is not shown
    `wide`: bounds have more digits than a diff, and are shown as text
    """

    partition: ColumnDesc
    progress: ColumnDesc
    alone: bool = False
    wide: bool = False

    @property
    def shown(self) -> tuple[ColumnDesc, ...]:
        """The columns that users see of a frontier."""
        return (self.progress,) if self.alone else (self.partition, self.progress)

    @property
    def remap_desc(self) -> RelationDesc:
        """Describes the rows of a remap collection, whose diffs are increments of bounds (or of one digit of wide
        bounds)."""
        return RelationDesc((self.partition, _PLACE) if self.wide else (self.partition,))


_PLACE = ColumnDesc("place", INT2, nullable=False)
NUMBERED, OFFSET = ColumnDesc("partition", INT4, nullable=False), ColumnDesc("offset", INT8, nullable=False)
"""The columns of gauges whose partitions are numbers, and whose progress is an offset."""
