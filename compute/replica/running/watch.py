"""Follows how far the dataflows' inputs are complete: one look at consensus for all of them at a time.

A look sees the timeline's upper and the versions of all watched shards at one moment, so that every update before the
upper is in the states read then. Hints tell when to look; without a hint, a look is taken every period.

The timeline moves at least once a second, and a thousand dataflows with unchanged inputs need not hear of each move. A
dataflow is told when a shard it reads has changed. The passing of time is told at once to attentive dataflows, and to
the others in turn, so that each hears of it within two minutes.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import partial

import msgspec
import structlog

from model.errors.sql_error import SqlError
from model.time.antichain import MINIMUM, Antichain
from model.time.clock import Clock
from model.time.timestamp import Timestamp
from storage.persist.location import Consensus, Versioned
from storage.persist.retry import retried
from storage.persist.snapshot import read_state
from storage.persist.state import ShardState
from storage.persist.version import fold_versions, shard_key

log = structlog.get_logger()

PERIOD_S = 1.0
ROUND_S = 120.0
"""How long it takes until all have been told that time has passed."""
TURNS_S = 10.0
"""Those whose turns have come in so long are told together: their uppers move in one write, and each write costs more
than a shard in it."""


class _TimelineUpper(msgspec.Struct):
    """The timeline's upper in the oracle's record."""

    upper: Timestamp


@dataclass(frozen=True, slots=True)
class Observer:
    """An observer of shards. `tell` is called when a shard in `reads` or `follows` has moved; for an attentive
    observer, when time has passed; and when others have begun to attend to, or feed from, a shard in `writes`. `tell`
    must not raise."""

    tell: Callable[[], None]
    reads: frozenset[str]
    writes: frozenset[str]
    follows: frozenset[str]


class Watch:
    """The watched shards of a replica. `run` is the task."""

    def __init__(self, consensus: Consensus, timeline_key: str, clock: Clock, period_s: float = PERIOD_S) -> None:
        self.timeline_upper = MINIMUM
        self._consensus = consensus
        self._timeline_key = timeline_key
        self._clock = clock
        self._period_s = period_s
        self._states: dict[str, ShardState] = {}
        self._followers: dict[str, int] = {}
        self._observers: dict[int, Observer] = {}
        self._readers: defaultdict[str, set[int]] = defaultdict(set)
        self._writers: defaultdict[str, set[int]] = defaultdict(set)
        self._attending: set[int] = set()
        self._first: set[int] = set()
        self._attended: Counter[str] = Counter()
        self._feeding: Counter[str] = Counter()
        self._turns: deque[int] = deque()
        self._turns_at_s = 0.0
        self._hinted = asyncio.Event()
        self._looking = asyncio.Lock()

    def hint(self, upper: Antichain) -> None:
        """Hints that the timeline has probably advanced to `upper`."""
        if not upper.precedes(self.timeline_upper):
            self._hinted.set()

    async def follow(self, shard: str) -> ShardState:
        """Follows a shard: from now on its state is known, and kept as new as the last look. Raises SqlError when it
        does not exist."""
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
        """Returns the newest known state of a followed shard."""
        return self._states[shard]

    def upper(self, shard: str) -> Antichain:
        """Returns up to where a shard that is followed is complete, as far as is known."""
        return self._states[shard].logical_upper(self.timeline_upper)

    def adopt(self, state: ShardState) -> None:
        """Takes a state written by this process."""
        known = self._states.get(state.shard)
        if state.shard in self._followers and (known is None or known.seqno < state.seqno):
            self._states[state.shard] = state
            self._tell({state.shard})

    def observe(
        self,
        number: int,
        tell: Callable[[], None],
        reads: Iterable[str] = (),
        writes: Iterable[str] = (),
        follows: Iterable[str] = (),
    ) -> None:
        observer = self._observers[number] = Observer(tell, frozenset(reads), frozenset(writes), frozenset(follows))
        for shard in observer.reads | observer.follows:
            self._readers[shard].add(number)
        for shard in observer.writes:
            self._writers[shard].add(number)
        self._turns.append(number)

    def change_followed(self, number: int, follows: Iterable[str]) -> None:
        """Replaces the shards that an observer follows; the observer's turn stays."""
        observer = self._observers.get(number)
        if observer is None:
            return
        for shard in observer.follows - observer.reads:
            self._readers[shard].discard(number)
        self._observers[number] = replace(observer, follows=frozenset(follows))
        for shard in self._observers[number].follows:
            self._readers[shard].add(number)

    def unobserve(self, number: int) -> None:
        self.attend(number, attends=False)
        observer = self._observers.pop(number, None)
        if observer is None:
            return
        self._turns.remove(number)
        for shard in observer.reads | observer.follows:
            self._readers[shard].discard(number)
        for shard in observer.writes:
            self._writers[shard].discard(number)

    def attend(self, number: int, *, attends: bool, first: bool = False) -> None:
        """Sets whether the observer wants to hear of each passing of time. Writers of its inputs then want to hear as
        well.

        With `first`, the observer feeds a reader, and so do the writers of its inputs: it is told first, and asks first
        for its turn.
        """
        if number not in self._observers:
            return
        begun = self._mark(number, self._first, self._feeding, marked=first)
        if self._mark(number, self._attending, self._attended, marked=attends) or begun:
            reads = self._observers[number].reads
            self._tell_all({writer for shard in reads for writer in self._writers.get(shard, ())})

    def _mark(self, number: int, those: set[int], counts: Counter[str], *, marked: bool) -> bool:
        """Puts the observer into, or takes it out of, a set whose shards are counted; returns whether it was put in."""
        if marked == (number in those):
            return False
        reads = self._observers[number].reads
        if marked:
            those.add(number)
            counts.update(reads)
        else:
            those.discard(number)
            counts.subtract(reads)
        return marked

    def attended(self, number: int) -> bool:
        """Returns whether an observer attends to a shard that this observer writes."""
        observer = self._observers.get(number)
        return observer is not None and any(self._attended[shard] for shard in observer.writes)

    def feeds(self, number: int) -> bool:
        """Returns whether a reader takes the observer's results, directly or through other dataflows."""
        observer = self._observers.get(number)
        return observer is not None and any(self._feeding[shard] for shard in observer.writes)

    async def run(self) -> None:
        """Looks at every hint, and every period."""
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
            moved = {shard for key, shard in keys.items() if await self._bring_up(shard, heads[key])}
            head = heads[self._timeline_key]
            before = self.timeline_upper
            if head is not None:
                upper = Antichain(msgspec.msgpack.decode(head.data, type=_TimelineUpper).upper)
                self.timeline_upper = before.join(upper)
        self._tell(moved, passed=self.timeline_upper != before)
        self._tell_all(set(self._next_turns()))

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

    def _tell(self, moved: Set[str], *, passed: bool = False) -> None:
        """Tells the observers of moved shards; with `passed`, attentive observers as well."""
        told = {number for shard in moved for number in self._readers.get(shard, ())}
        if passed:
            told |= self._attending
        self._tell_all(told)

    def _tell_all(self, numbers: Set[int]) -> None:
        for number in sorted(numbers, key=lambda each: (each not in self._first, each)):
            if number in self._observers:
                self._observers[number].tell()

    def _next_turns(self) -> Iterator[int]:
        """Yields the observers whose turn has come: the share of all that has passed of a round."""
        now_s = asyncio.get_running_loop().time()
        passed_s = now_s - self._turns_at_s
        due = int(len(self._turns) * passed_s / ROUND_S) if passed_s >= TURNS_S else 0
        if due:
            # A part of a turn is not lost, but after a long pause there is one round to do and no more.
            self._turns_at_s = max(self._turns_at_s + due * ROUND_S / len(self._turns), now_s - ROUND_S)
        for _ in range(min(due, len(self._turns))):
            yield self._turns[0]
            self._turns.rotate(-1)
