"""How far the collections are complete that dataflows read: one look at consensus for all of them at a time.

A look sees the timeline's upper and the versions of all watched shards at one moment, so that every update before that
upper is in the states that are read then. Hints say when to look; without any, a look is taken every period.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial

import msgspec
import structlog

from model.antichain import MINIMUM, Antichain
from model.clock import Clock
from model.errors import SqlError
from model.timestamp import Timestamp
from storage.persist.location import Consensus, Versioned
from storage.persist.retry import retried
from storage.persist.snapshot import read_state
from storage.persist.state import ShardState
from storage.persist.version import fold_versions, shard_key

log = structlog.get_logger()

PERIOD_S = 1.0


class _TimelineUpper(msgspec.Struct):
    """What matters here of the record that the oracle keeps of a timeline."""

    upper: Timestamp


class Watch:
    """`run` is its task. Observers are called after a look in which anything moved; they must not raise."""

    def __init__(self, consensus: Consensus, timeline_key: str, clock: Clock, period_s: float = PERIOD_S) -> None:
        self.timeline_upper = MINIMUM
        self._consensus = consensus
        self._timeline_key = timeline_key
        self._clock = clock
        self._period_s = period_s
        self._states: dict[str, ShardState] = {}
        self._followers: dict[str, int] = {}
        self._observers: dict[int, Callable[[], None]] = {}
        self._hinted = asyncio.Event()
        self._looking = asyncio.Lock()

    def hint(self, upper: Antichain) -> None:
        """The timeline has probably advanced to `upper`."""
        if not upper.precedes(self.timeline_upper):
            self._hinted.set()

    async def follow(self, shard: str) -> ShardState:
        """From now on the shard's state is known, and kept as new as the last look. SqlError when it does not exist."""
        self._followers[shard] = self._followers.get(shard, 0) + 1
        try:
            if shard not in self._states:
                self.adopt(await retried(partial(read_state, self._consensus, shard), self._clock))
        except BaseException:
            self.leave(shard)
            raise
        return self._states[shard]

    def leave(self, shard: str) -> None:
        """Ends one `follow`."""
        self._followers[shard] -= 1
        if self._followers[shard] == 0:
            del self._followers[shard]
            self._states.pop(shard, None)

    def state(self, shard: str) -> ShardState:
        """The newest known state of a shard that is followed."""
        return self._states[shard]

    def upper(self, shard: str) -> Antichain:
        """Up to where a shard that is followed is complete, as far as is known."""
        return self._states[shard].logical_upper(self.timeline_upper)

    def adopt(self, state: ShardState) -> None:
        """Takes a state that a write of this process has brought about."""
        known = self._states.get(state.shard)
        if state.shard in self._followers and (known is None or known.seqno < state.seqno):
            self._states[state.shard] = state
            self._tell()

    def observe(self, number: int, observer: Callable[[], None]) -> None:
        self._observers[number] = observer

    def unobserve(self, number: int) -> None:
        self._observers.pop(number, None)

    async def run(self) -> None:
        """Looks whenever there is a hint, and every period."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._period_s):
                    await self._hinted.wait()
            self._hinted.clear()
            if not self._observers:
                continue  # who comes looks for itself
            try:
                await self.look()
            except SqlError as error:
                log.warning("could not look at consensus", error=error.message, detail=error.detail)
            except Exception:
                # All dataflows stand on this task: a defect here must not end it unnoticed.
                log.exception("could not look at consensus")

    async def look(self) -> None:
        """Reads how far the timeline and the followed shards are now."""
        async with self._looking:
            keys = {shard_key(shard): shard for shard in self._followers}
            heads = await retried(partial(self._consensus.head, [self._timeline_key, *keys]), self._clock)
            moved = False
            for key, shard in keys.items():
                moved |= await self._bring_up(shard, heads[key])
            head = heads[self._timeline_key]
            if head is not None:
                upper = Antichain(msgspec.msgpack.decode(head.data, type=_TimelineUpper).upper)
                moved |= not upper.precedes(self.timeline_upper)
                self.timeline_upper = self.timeline_upper.join(upper)
        if moved:
            self._tell()

    async def _bring_up(self, shard: str, head: Versioned | None) -> bool:
        known = self._states.get(shard)
        if known is None or head is None or head.seqno <= known.seqno:
            return False
        if head.seqno == known.seqno + 1:
            state = fold_versions(shard, known, [head])
            assert state is not None
        else:
            state = await retried(partial(read_state, self._consensus, shard, known), self._clock)
        # It may have been left meanwhile, or another write of this process been adopted.
        current = self._states.get(shard)
        if current is None or current.seqno >= state.seqno:
            return False
        self._states[shard] = state
        return True

    def _tell(self) -> None:
        for observer in list(self._observers.values()):
            observer()
