"""The durable record of a shard in consensus: frontiers, the pieces of its updates, held capabilities.

Later versions of this program read these records: fields are added with defaults, never renamed. Times of updates are
at or after 0; a piece is either an inline payload (Arrow IPC) or a part (a Parquet file).
"""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from model.time.antichain import EMPTY, Antichain
from model.types.relation_desc import RelationDesc


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """Updates stored together, in columns c0, c1, …, then `time` and `diff` unless these are constant.

    time       the time of all rows, without a time column. None: a time column, or (in a piece not yet appended, with
               time_min None too) rows that get the time of their commit
    diff       the diff of all rows, without a diff column
    retracts   whether any diff is negative
    bytes      length of the file or payload; checksum: its CRC-32
    memory     bytes of all columns, `time` and `diff` included, in memory
    """

    rows: int
    bytes: int
    time: int | None
    time_min: int | None
    time_max: int | None
    diff: int | None
    retracts: bool
    checksum: int
    memory: int = 0

    @property
    def timeless(self) -> bool:
        """Returns whether the rows have no time yet."""
        return self.time is None and self.time_min is None

    @property
    def time_column(self) -> bool:
        return self.time_min is not None and self.time is None

    @property
    def diff_column(self) -> bool:
        return self.diff is None


class Part(Piece, frozen=True, kw_only=True):
    """A Parquet file under `key` of the blob store."""

    key: str


class InlineBatch(Piece, frozen=True, kw_only=True):
    """An Arrow IPC stream, held in the shard's state itself."""

    payload: bytes


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """The updates of one append or compaction: times in [lower, upper), or advanced to `since`."""

    id: int
    lower: Antichain
    upper: Antichain
    since: Antichain
    parts: tuple[Part, ...] = ()
    inline: InlineBatch | None = None

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return self.parts if self.inline is None else (*self.parts, self.inline)


class CapabilityKind(StrEnum):
    READ = "read"
    WRITE = "write"


class Holder(StrEnum):
    """The owner of a capability: the environment moves its own with its work, a user moves the user's own
    explicitly."""

    ENVIRONMENT = "environment"
    USER = "user"


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """A capability that is in force. `expires_ms` is wall time; None never expires."""

    id: str
    kind: CapabilityKind
    frontier: Antichain
    holder: Holder
    lease_ms: int | None = None
    expires_ms: int | None = None


class Garbage(msgspec.Struct, frozen=True, kw_only=True):
    """A part that no state from seqno `removed` on names."""

    key: str
    removed: int


class ShardState(msgspec.Struct, frozen=True, kw_only=True):
    """The newest state of a shard.

    `upper` is physical: a collection of a timeline is complete further, up to the timeline's own upper. `batches` are
    in the order of their uppers: a search for new updates begins at the last batch, and stops at the first batch that
    ends before the wanted time. The place of a batch says nothing of the moment of its writing.
    """

    shard: str
    seqno: int
    desc: RelationDesc
    timeline: bool
    retain_ms: int | None
    since: Antichain
    upper: Antichain
    batches: tuple[Batch, ...] = ()
    held: tuple[Held, ...] = ()
    garbage: tuple[Garbage, ...] = ()
    next_batch: int = 1
    dropped: bool = False

    def frontiers_of(self, kind: CapabilityKind, holder: Holder | None = None) -> list[Antichain]:
        """Returns the frontiers of held capabilities of a kind (and holder)."""
        return [h.frontier for h in self.held if h.kind is kind and holder in (None, h.holder)]

    @property
    def in_order(self) -> bool:
        """Returns whether each batch ends at or after the end of the batch before."""
        return all(earlier.upper.precedes(later.upper) for earlier, later in pairwise(self.batches))

    def capability(self, id_: str) -> Held | None:
        return next((held for held in self.held if held.id == id_), None)

    @property
    def finished(self) -> bool:
        """Returns whether nothing is left of a dropped shard but this state, which will never change."""
        return self.dropped and not self.held and not self.batches and not self.garbage

    @property
    def write_frontier(self) -> Antichain:
        """Returns the frontier from which the environment may write: at or after the upper."""
        frontier = self.upper
        for own in self.frontiers_of(CapabilityKind.WRITE, Holder.ENVIRONMENT):
            frontier = frontier.join(own)
        return frontier

    def logical_upper(self, timeline_upper: Antichain) -> Antichain:
        """Returns up to where the collection is complete, given its timeline's upper (ignored without a timeline)."""
        if not self.timeline or self.dropped:
            return self.upper
        upper = self.write_frontier.join(timeline_upper)
        for other in self.frontiers_of(CapabilityKind.WRITE, Holder.USER):
            upper = upper.meet(other)
        return upper.join(self.upper)


def with_batch(batches: tuple[Batch, ...], batch: Batch) -> tuple[Batch, ...]:
    """Inserts a batch in the order of uppers, behind all batches that end no later."""
    at = len(batches)
    while at > 0 and not batches[at - 1].upper.precedes(batch.upper):
        at -= 1
    return (*batches[:at], batch, *batches[at:])


def brought_in_order(state: ShardState) -> ShardState:
    """Returns the state with batches in the order of their uppers; batches with equal uppers keep their order."""
    if state.in_order:
        return state
    placed: tuple[Batch, ...] = ()
    for batch in state.batches:
        placed = with_batch(placed, batch)
    return replace(state, batches=placed)


def meet_of(frontiers: list[Antichain]) -> Antichain:
    """Returns the earliest frontier; the empty frontier for an empty list."""
    meet = EMPTY
    for frontier in frontiers:
        meet = meet.meet(frontier)
    return meet
