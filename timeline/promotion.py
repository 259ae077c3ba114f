"""A changeover on command: the leader gives way to a standby, which leads at once.

    standby    compare-and-set {fence: as seen} -> promotion {the leader's epoch, the standby}
    leader     sees the promotion at the next renewal of the lease; ends all work, and gives the lease to the standby
    standby    takes over, as from a leader that ended; others wait for the lease's time, since a standby may die

A client may tell the leader to give way, too. Each standby has a record under a key of the standby's own, and writes
the record anew all the time: a standby with an unchanged record at some looks of the leader's is absent.

A standby that keeps views of its own reads the past beside the leader: its record says which, and the lease up to
which record the leader holds it. Before it gives way the leader asks, in the lease, and the standby answers in its
record: one that has died just now answers nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from storage.persist.location import Consensus, Versioned
from timeline.fence import FENCE_KEY

PROMOTION_KEY = "promotion"
_STANDBY = "standby/"


class PromotionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The promotion's record in consensus: the leader of `epoch` is asked to give way to the standby `to`."""

    epoch: int
    to: str


class StandbyRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A standby's own record.

    `address`: the listening socket's. `ready`: whether the standby would lead at once. `message`: the present work.
    `version`: what its replicas would speak. `hydrated`: whether every view and index is there at once when it leads,
    `hydrated_dataflows` of `dataflows`; `caught_up`: whether they are as new as the leader's, or there is none to wait
    for. `holds`: by shard, from which time on it reads, and of which version of the shard. `answer`: to which question.
    """

    address: str
    pid: int
    ready: bool
    message: str
    version: str = ""
    hydrated: bool = False
    caught_up: bool = False
    dataflows: int = 0
    hydrated_dataflows: int = 0
    holds: dict[str, tuple[int, int]] = {}
    answer: str = ""


@dataclass(frozen=True, slots=True)
class PresentStandby:
    """A standby, present and known by a name. `seqno` is its record's."""

    name: str
    record: StandbyRecord
    seqno: int = 0


@dataclass(slots=True)
class StandbyWatch:
    """The standbys as a leader sees them. Pure: a standby is present while the record changes, and absent once the
    record has stood still at `_STILL_LOOKS` looks in a row."""

    _still: dict[str, tuple[int, int]] = field(default_factory=dict)
    present: tuple[PresentStandby, ...] = ()

    def look(self, heads: Mapping[str, Versioned | None]) -> None:
        """Takes a look at the records of all standbys, by key."""
        found: list[PresentStandby] = []
        still: dict[str, tuple[int, int]] = {}
        for key, head in sorted(heads.items()):
            if head is None:
                continue
            # A first look tells nothing of life.
            seqno, looks = self._still.get(key, (head.seqno, _STILL_LOOKS))
            still[key] = (head.seqno, 0 if head.seqno != seqno else looks + 1)
            if still[key][1] < _STILL_LOOKS:
                record = msgspec.msgpack.decode(head.data, type=StandbyRecord)
                found.append(PresentStandby(key.removeprefix(_STANDBY), record, head.seqno))
        self._still, self.present = still, tuple(found)

    @property
    def gone(self) -> list[str]:
        """Returns the keys of records that nobody will write any more."""
        return [key for key, (_, looks) in self._still.items() if looks >= _GONE_LOOKS]


_STILL_LOOKS = 5
_GONE_LOOKS = 100
"""A standby that was killed has left a record, which goes after so many looks."""


async def look_at_standbys(consensus: Consensus, watch: StandbyWatch) -> None:
    """Takes a look at all standbys, and removes the records of standbys that were killed. Raises Indeterminate,
    SqlError."""
    keys = await consensus.list_keys(_STANDBY)
    watch.look(await consensus.head(keys) if keys else {})
    if watch.gone:
        await consensus.forget(watch.gone)


async def answered(consensus: Consensus, name: str) -> str:
    """Returns the question that a standby has answered last; empty before the first. Raises Indeterminate, SqlError."""
    key = f"{_STANDBY}{name}"
    head = (await consensus.head((key,)))[key]
    return "" if head is None else msgspec.msgpack.decode(head.data, type=StandbyRecord).answer


class OwnRecord:
    """Writes a standby's record, under the standby's name."""

    def __init__(self, consensus: Consensus, name: str) -> None:
        self._consensus = consensus
        self._key = f"{_STANDBY}{name}"

    async def write(self, record: StandbyRecord) -> int | None:
        """Writes the record anew, and returns its version; None where that is not known. Raises Indeterminate,
        SqlError."""
        head = (await self._consensus.head((self._key,)))[self._key]
        seqno = None if head is None else head.seqno
        done = await self._consensus.compare_and_set({self._key: seqno}, {self._key: msgspec.msgpack.encode(record)})
        if seqno is not None:
            await self._consensus.truncate(self._key, seqno)
        return (seqno or 0) + 1 if done else None

    async def forget(self) -> None:
        """Removes the record. Raises Indeterminate, SqlError."""
        await self._consensus.forget((self._key,))


async def ask_to_give_way(consensus: Consensus, epoch: int, fence_seqno: int, to: str) -> bool:
    """Asks the leader of the epoch to give way to a standby; False when another server leads by now, or another standby
    has asked at the same moment. Raises Indeterminate, SqlError."""
    head = (await consensus.head((PROMOTION_KEY,)))[PROMOTION_KEY]
    seqno = None if head is None else head.seqno
    record = msgspec.msgpack.encode(PromotionRecord(epoch=epoch, to=to))
    asked = await consensus.compare_and_set({FENCE_KEY: fence_seqno, PROMOTION_KEY: seqno}, {PROMOTION_KEY: record})
    if asked and seqno is not None:
        await consensus.truncate(PROMOTION_KEY, seqno)
    return asked


def asked_to_give_way(head: Versioned | None, epoch: int) -> str | None:
    """Returns the standby to which the leader of the epoch is to give way; None while nobody asks."""
    if head is None:
        return None
    record = msgspec.msgpack.decode(head.data, type=PromotionRecord)
    return record.to if record.epoch == epoch else None
