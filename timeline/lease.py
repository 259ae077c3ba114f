"""The lease: who leads renews its record in consensus, and a standby takes over once the record stands still.

    leader     compare-and-set {fence: mine} -> lease, every third of the lease's time
    standby    looks, several times in the lease's time; while nothing has changed, time counts on its own steady clock
               nothing changed for the lease's time: compare-and-set {all as looked at} -> fence, lease

Nobody compares wall clocks, so a clock that jumps ends no lease. Between two looks at most _LOOK_COUNTS looks' time
counts: a standby that was stopped, or starved beside a leader that was starved as well, begins to wait when it wakes.
The takeover is refused when leader or timeline has moved since the look, and of several standbys one takes over.

The lease only says when to take over. That the former leader can write nothing more, and answers nothing, is the
fence's affair alone: a lease that is lost for no good reason costs a changeover, never a write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import structlog

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Clock, Randomness
from storage.persist.location import Consensus, Indeterminate, Versioned
from timeline.durable_oracle import TIMELINE_KEY
from timeline.fence import FENCE_KEY, Fence, Fenced, FenceRecord, raised_after
from timeline.promotion import (
    PROMOTION_KEY,
    PresentStandby,
    StandbyWatch,
    answered,
    ask_to_give_way,
    asked_to_give_way,
    look_at_standbys,
)

log = structlog.get_logger()

LEASE_KEY = "lease"
LEASE_MS = 3_000
_RENEWALS = 3
"""So often a leader renews the lease within its time."""
_LOOKS = 10
"""So often a standby looks within the lease's time."""
_LOOK_COUNTS = 2
_WAITS_MAX = 16
_FOLLOWS = 3
"""So many leases' time a server that has given way waits for the next; others respect one."""
_ANSWERS = 2
"""A standby that is asked has so many leases' time to answer: it looks several times in one."""
_VERSIONS_MAX = 64
_NS_PER_MS = 1_000_000
_NO_USE_TO_WAIT = Sqlstate.DATA_CORRUPTED
"""What consensus answers once it is beyond help; whatever else it raises may pass."""
_SIGNS = (FENCE_KEY, LEASE_KEY, TIMELINE_KEY)
"""The keys of consensus that a leader changes while it lives."""


class LeaderPlace(msgspec.Struct, frozen=True):
    """Where a leader's replicas are: processes on `host` in `folder`, or one at the address `folder`, without a host.
    `version` is what they speak, and `in_blob` begins the names of states that they keep there."""

    host: str = ""
    folder: str = ""
    version: str = ""
    in_blob: str = ""


_NO_PLACE = LeaderPlace()


class LeaseRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The lease's record in consensus. `epoch` is the leader's; standbys wait for `lease_ms` without a change of the
    record, or not at all once it is `given_up`: all of them, or the one that it is `given_to`.

    `place`: of the leader's replicas. `held`: by standby, the version of its record whose holds are in force.
    `question`: what the standby `asked` is to answer.
    """

    epoch: int
    lease_ms: int
    given_up: bool = False
    given_to: str = ""
    place: LeaderPlace = _NO_PLACE
    held: dict[str, int] = {}
    asked: str = ""
    question: str = ""


HoldStandbys = Callable[[Sequence[PresentStandby]], Mapping[str, int]]
"""Holds what the present standbys read, and nothing for others; returns the version of each one's record."""


class Lease:
    """The lease of the environment whose fence it is.

    `asked`: is set once a standby is to lead in this environment's place, the standby `given_to`.
    `standbys`: all present standbys.
    `hold`: holds what they read.
    """

    def __init__(
        self, consensus: Consensus, fence: Fence, clock: Clock, lease_ms: int, place: LeaderPlace = _NO_PLACE
    ) -> None:
        self._consensus = consensus
        self._fence = fence
        self._clock = clock
        self._record = LeaseRecord(epoch=fence.epoch, lease_ms=lease_ms, place=place)
        self._writing = asyncio.Lock()
        self._questions = 0
        self._asking: asyncio.Task[None] | None = None
        self._refused = ""
        self.hold: HoldStandbys | None = None
        self._seqno: int | None = None
        self._truncated_before = 0
        self.given_to = ""
        self.asked = asyncio.Event()
        self.standbys = StandbyWatch()

    async def keep(self) -> None:
        """Renews the lease until cancelled. Fenced once another environment has taken over."""
        period_s = self._record.lease_ms / _RENEWALS / 1000
        try:
            await self._keep(period_s)
        finally:
            if self._asking is not None:
                self._asking.cancel()

    async def _keep(self, period_s: float) -> None:
        while True:
            try:
                while not await self._write(self._record):
                    # Another one has taken over, or what was in doubt has landed.
                    await self._look()
                await self._truncate()
                await self._look_at_others()
            except (Indeterminate, SqlError) as error:
                if isinstance(error, Fenced):
                    raise
                log.warning("the lease could not be renewed", error=str(error))
            await self._clock.sleep(period_s)

    def give_way(self, to: str) -> None:
        """Has the environment end soon, and the standby `to` lead in its place."""
        if not self.asked.is_set():
            self.given_to = to
            self.asked.set()

    async def answers(self, standby: str) -> bool:
        """Asks a standby, and returns whether it has answered in time. Raises Indeterminate, SqlError."""
        self._questions += 1
        question = f"{self._record.epoch}.{self._questions}"
        self._record = msgspec.structs.replace(self._record, asked=standby, question=question)
        await self._write(self._record)
        tries = _ANSWERS * _LOOKS * 2
        for _ in range(tries):
            if await answered(self._consensus, standby) == question:
                return True
            await self._clock.sleep(self._record.lease_ms * _ANSWERS / tries / 1000)
        return False

    async def give_up(self) -> None:
        """Tells standbys that nobody leads, so that one takes over at once, the one that was asked for; without a word
        when that can't be told."""
        record = msgspec.structs.replace(self._record, given_up=True, given_to=self.given_to)
        try:
            if not await self._write(record):
                await self._look()
                await self._write(record)
        except (Indeterminate, SqlError) as error:
            log.info("the lease was not given up", error=str(error))

    async def _write(self, record: LeaseRecord) -> bool:
        async with self._writing:
            expected = {**self._fence.precondition, LEASE_KEY: self._seqno}
            written = await self._consensus.compare_and_set(expected, {LEASE_KEY: msgspec.msgpack.encode(record)})
            if written:
                self._seqno = (self._seqno or 0) + 1
            return written

    async def _look(self) -> None:
        heads = await self._consensus.head((FENCE_KEY, LEASE_KEY))
        fence, lease = heads[FENCE_KEY], heads[LEASE_KEY]
        if fence is None or fence.seqno != self._fence.seqno:
            raise Fenced
        self._seqno = None if lease is None else lease.seqno

    async def _look_at_others(self) -> None:
        """Looks for standbys, and for a standby that is to lead."""
        await look_at_standbys(self._consensus, self.standbys)
        if self.hold is not None:
            held = dict(self.hold(self.standbys.present))
            self._record = msgspec.structs.replace(self._record, held=held)
        head = (await self._consensus.head((PROMOTION_KEY,)))[PROMOTION_KEY]
        to = asked_to_give_way(head, self._fence.epoch)
        if to is not None and to != self._refused and (self._asking is None or self._asking.done()):
            self._asking = asyncio.create_task(self._hear(to), name="promotion")

    async def _hear(self, to: str) -> None:
        """Gives way to a standby that has asked for it, if it is still there."""
        try:
            if await self.answers(to):
                self.give_way(to)
                return
        except (Indeterminate, SqlError) as error:
            log.warning("a standby that is to lead could not be asked", standby=to, error=str(error))
            return
        self._refused = to
        log.warning("a standby that is to lead does not answer: this server leads on", standby=to)

    async def _truncate(self) -> None:
        seqno = self._seqno or 0
        if seqno - self._truncated_before >= _VERSIONS_MAX:
            await self._consensus.truncate(LEASE_KEY, seqno)
            self._truncated_before = seqno


@dataclass(slots=True)
class LeaseWatch:
    """A standby's view of the leader. Pure: `now_ns` is that of a clock which only goes forward.

    `lease_ms`: the leader's; until a leader has told its own, the standby's.
    `waits`: the standby waits for so many leases' time.
    `name`: the standby's.
    """

    lease_ms: int
    waits: int = 1
    name: str = ""
    _seen: Mapping[str, int | None] | None = None
    _looked_ns: int = 0
    _still_ns: int = field(default=0)

    def expired(self, signs: Mapping[str, Versioned | None], now_ns: int) -> bool:
        """Takes a look, and returns whether the leader is to be replaced."""
        record = _lease_of(signs)
        seqnos = seqnos_of(signs)
        passed = min(max(now_ns - self._looked_ns, 0), self.look_ns * _LOOK_COUNTS)
        self._looked_ns = now_ns
        if seqnos != self._seen:
            self._seen, self._still_ns = seqnos, 0
        else:
            self._still_ns += passed
        if signs[FENCE_KEY] is None or (record is not None and record.given_up and record.given_to in ("", self.name)):
            return True
        if record is not None:
            self.lease_ms = record.lease_ms
        return self._still_ns >= self.lease_ms * self.waits * _NS_PER_MS

    @property
    def look_ns(self) -> int:
        """Returns the time between two looks."""
        return self.lease_ms * _NS_PER_MS // _LOOKS

    def missed(self, now_ns: int) -> None:
        """Notes a look that showed nothing, since consensus did not answer: its time does not count."""
        self._looked_ns = now_ns


def seqnos_of(signs: Mapping[str, Versioned | None]) -> dict[str, int | None]:
    """Returns the newest version of each key."""
    return {key: None if head is None else head.seqno for key, head in signs.items()}


def _lease_of(signs: Mapping[str, Versioned | None]) -> LeaseRecord | None:
    """Returns the lease of the present fence: one of an earlier epoch says nothing of a server without a lease."""
    fence, lease = signs[FENCE_KEY], signs[LEASE_KEY]
    if fence is None or lease is None:
        return None
    record = msgspec.msgpack.decode(lease.data, type=LeaseRecord)
    return record if record.epoch == msgspec.msgpack.decode(fence.data, type=FenceRecord).epoch else None


async def is_followed(consensus: Consensus, clock: Clock, lease_ms: int) -> bool:
    """Waits until another server leads after one that has given its lease up; False when none does in time: the standby
    that was to lead has died meanwhile. Raises Indeterminate, SqlError."""
    for _ in range(_FOLLOWS * _LOOKS):
        record = _lease_of(await consensus.head(_SIGNS))
        if record is None or not record.given_up:
            return True
        await clock.sleep(lease_ms / _LOOKS / 1000)
    return False


@dataclass(slots=True)
class PromotableStandby:
    """A standby, perhaps `promoted`: then the standby asks each leader once to give way.

    `seen`: the lease of the present leader, as of the last look.
    """

    name: str
    promoted: bool = False
    seen: LeaseRecord | None = None
    epoch: int = 0
    _asked_epoch: int = 0

    @property
    def answer(self) -> str:
        """Returns the question of the leader's to this standby; empty where there is none."""
        return self.seen.question if self.seen is not None and self.seen.asked == self.name else ""

    def see(self, signs: Mapping[str, Versioned | None]) -> None:
        """Takes a look at who leads."""
        self.seen, fence = _lease_of(signs), signs[FENCE_KEY]
        self.epoch = 0 if fence is None else msgspec.msgpack.decode(fence.data, type=FenceRecord).epoch

    async def ask(self, consensus: Consensus, fence: Versioned | None, look: Callable[[], Awaitable[None]]) -> None:
        """Asks the leader once to give way, after a promotion; raises SqlError as `look` does, and asks nobody then."""
        if not self.promoted or fence is None:
            return
        epoch = msgspec.msgpack.decode(fence.data, type=FenceRecord).epoch
        if epoch == self._asked_epoch:
            return
        await look()
        if await ask_to_give_way(consensus, epoch, fence.seqno, self.name):
            self._asked_epoch = epoch
            log.info("the leader is asked to give way", epoch=epoch, standby=self.name)


async def take_over(
    consensus: Consensus,
    clock: Clock,
    randomness: Randomness,
    lease_ms: int,
    look: Callable[[], Awaitable[None]],
    *,
    lost: int = 0,
    candidate: PromotableStandby | None = None,
) -> Fence:
    """Waits until nobody leads, and returns the raised fence.

    `look` raises SqlError XX001 for what this server can't read. It comes between the last sign of a leader and the
    takeover, which a sign in between refuses: a leader of a newer version may have written since this server began.

    `lost`: how often this process has led and lost the lease while it lived. It waits for twice the time after each,
    lest two servers on a starved machine take over from each other again and again.

    `candidate`: the standby that waits; once it is `promoted`, it asks the leader to give way.

    A standby outlives consensus that does not answer, is locked, or has no room; raises SqlError XX001: it is corrupt.
    """
    owner = randomness.token()
    candidate = candidate or PromotableStandby(owner)
    watch = LeaseWatch(lease_ms, min(2**lost, _WAITS_MAX), candidate.name)
    trouble: str | None = None
    while True:
        try:
            signs = await consensus.head(_SIGNS)
            candidate.see(signs)
            if expired := watch.expired(signs, clock.elapsed_ns()):
                await look()
            fence = await _claimed(consensus, signs, owner, lease_ms, expired=expired)
            if fence is not None:
                return fence
            await candidate.ask(consensus, signs[FENCE_KEY], look)
            if trouble is not None:
                log.info("a standby can look at the lease again")
            trouble = None
        except (Indeterminate, SqlError) as error:
            if isinstance(error, SqlError) and (isinstance(error, Fenced) or error.sqlstate is _NO_USE_TO_WAIT):
                raise
            watch.missed(clock.elapsed_ns())
            if str(error) != trouble:
                log.warning("a standby cannot look at the lease", error=str(error))
            trouble = str(error)
        await clock.sleep(watch.look_ns / _NS_PER_MS / 1000)


async def _claimed(
    consensus: Consensus, signs: Mapping[str, Versioned | None], owner: str, lease_ms: int, *, expired: bool
) -> Fence | None:
    """Returns the fence once it is raised by `owner`; None while another one leads."""
    head = signs[FENCE_KEY]
    before = None if head is None else msgspec.msgpack.decode(head.data, type=FenceRecord)
    if head is not None and before is not None and before.owner == owner:
        # An attempt in doubt has succeeded.
        return Fence(epoch=before.epoch, seqno=head.seqno)
    if not expired:
        return None
    record = raised_after(before, owner)
    writes = {
        FENCE_KEY: msgspec.msgpack.encode(record),
        LEASE_KEY: msgspec.msgpack.encode(LeaseRecord(epoch=record.epoch, lease_ms=lease_ms)),
    }
    seqnos = seqnos_of(signs)
    if not await consensus.compare_and_set(seqnos, writes):
        return None
    return Fence(epoch=record.epoch, seqno=(seqnos[FENCE_KEY] or 0) + 1)
