"""The fence: an epoch in consensus, and a precondition of every commit. The last environment to raise the epoch may
write.

An environment that finds the fence moved has been superseded: none of its writes since has become durable, and the
environment must stop answering (source: seed 2, "Adapter": acknowledged commands are in one durable total order).
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Randomness
from storage.persist.location import Consensus, Indeterminate

FENCE_KEY = "fence"
_ATTEMPTS_MAX = 100


class Fenced(SqlError):
    """Another environment has taken over; writes without an acknowledgement will never become durable."""

    def __init__(self) -> None:
        super().__init__(
            Sqlstate.ADMIN_SHUTDOWN,
            "another server has taken over this data; this one stops",
            severity=Severity.FATAL,
        )


class FenceRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The fence's record in consensus. `owner` is unique to the environment that raised the fence."""

    epoch: int
    owner: str


@dataclass(frozen=True, slots=True)
class Fence:
    """An environment's own epoch. `seqno` is the fence's version in consensus while the epoch holds."""

    epoch: int
    seqno: int

    @property
    def precondition(self) -> dict[str, int | None]:
        return {FENCE_KEY: self.seqno}


def raised_after(before: FenceRecord | None, owner: str) -> FenceRecord:
    """Returns the record that follows."""
    return FenceRecord(epoch=1 if before is None else before.epoch + 1, owner=owner)


async def raise_fence(consensus: Consensus, randomness: Randomness) -> Fence:
    """Takes over from any former environment, and returns the new fence once the epoch is durable."""
    owner = randomness.token()
    for _ in range(_ATTEMPTS_MAX):
        try:
            head = (await consensus.head([FENCE_KEY]))[FENCE_KEY]
            before = None if head is None else msgspec.msgpack.decode(head.data, type=FenceRecord)
            if head is not None and before is not None and before.owner == owner:
                return Fence(epoch=before.epoch, seqno=head.seqno)
            record = raised_after(before, owner)
            seqno = None if head is None else head.seqno
            if await consensus.compare_and_set({FENCE_KEY: seqno}, {FENCE_KEY: msgspec.msgpack.encode(record)}):
                fence = Fence(epoch=record.epoch, seqno=(seqno or 0) + 1)
                await consensus.truncate(FENCE_KEY, fence.seqno)
                return fence
        except Indeterminate:
            continue  # the next look at the fence tells whether it was raised
    raise Fenced
