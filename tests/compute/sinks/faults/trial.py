"""A sink as the replica runs it, into a real destination, with an interposer between: lives of it that fail, one after
the other or at once, while money goes from account to account and somebody looks."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from compute.replica.sinks.driver_thread import DriverChannel
from compute.replica.sinks.key_ranges import ranges_of
from connectors.sinks.description import SinkDescription, SinkPlace
from connectors.sinks.driver import Driver
from connectors.sinks.messages import KeyRange
from model.ids.global_id import GlobalId
from model.time.clock import Clock
from model.time.timestamp import Timestamp
from model.types.datum import Row
from tests.compute.dataflows.world import Replica, World
from tests.compute.dataflows.worlds import run
from tests.compute.sinks.faults.accounts import LEDGER, Accounts, Mode, held, violation
from tests.compute.sinks.faults.interposer import Conversation, InterposedChannel, Rule
from tests.compute.sinks.ranged_store import key_hash
from tests.compute.sinks.world import TABLE, create_sink
from tests.storage.unreliable import UnreliableConsensus
from tests.storage.worlds import SeededRandomness

_TRANSFERS = 3
_PATIENCE_S = 60.0


class Reached(Protocol):
    """A destination as tests reach it."""

    @property
    def place(self) -> SinkPlace: ...
    def driver(self) -> Driver: ...
    def read(self) -> Counter[Row]: ...


@dataclass(frozen=True, slots=True)
class Kind:
    """`mode`: the one that shows most there. `looked_at`: a reader finds the collection as it was at one time, whenever
    it looks, and looking takes no time. `waits_unbegun`: a session that is frozen is so before it has begun a
    transaction there, since the locks of one hold up all others. `keyed`: changes have a key."""

    mode: Mode
    looked_at: bool = True
    waits_unbegun: bool = False
    keyed: bool = False


class _MortalConsensus(UnreliableConsensus):
    """Hears nothing any more of a process that is dead."""

    dead = False

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        if self.dead:
            await asyncio.Event().wait()
        return await super().compare_and_set(expected, writes)


@dataclass
class Life:
    """A process that runs the sink."""

    replica: Replica
    conversation: Conversation

    def thaw(self) -> None:
        """What was frozen goes on; what it says next is its last word."""
        self.conversation.thawed.set()

    def was_told(self, text: str) -> bool:
        """Whether a status has said so."""
        return any(text in (status.message or "") for status in self.replica.statuses())

    def end(self) -> None:
        """kill -9"""
        if not self.conversation.dead:
            self.conversation.die()

    async def stop(self) -> None:
        """As a server ends, or pauses a sink."""
        await self.replica.dataflows.stop()
        self.conversation.dead = True


@dataclass
class Trial:
    """One of a destination of a kind. `defect` stands in each driver's place. `parallelism`: into how many ranges of
    keys the sink is divided once it has written what there was; a reader finds each of them as it was at one time, and
    all of them at one time where all that there is has arrived. `seen`: at which times ranges were found."""

    world: World
    kind: Kind
    destination: Reached
    defect: Callable[[Driver, Clock, Callable[[], Driver]], Driver]
    parallelism: int = 1
    lives: list[Life] = field(default_factory=list)
    seen: dict[KeyRange, int] = field(default_factory=dict)
    witnessed: list[str] = field(default_factory=list)

    async def begin(self, name: str) -> None:
        """The collection, and its sink."""
        mode = self.kind.mode
        self.accounts = Accounts(mode)
        await self.world.table(TABLE, LEDGER)
        sink = await create_sink(self.world, LEDGER)
        place, key = self.destination.place, (0,) if mode is not Mode.CHANGES or self.kind.keyed else None
        policy = replace(sink.policy, parallelism=self.parallelism)
        self.description: SinkDescription = replace(
            sink, name=name, place=place, key=key, sums=mode.sums, policy=policy
        )

    def live(self, *rules: Rule) -> Life:
        """A process begins."""
        clock = self.world.clock
        conversation = Conversation(clock, rules, self._defective, look=self.look)
        consensus = _MortalConsensus(self.world.consensus, clock, SeededRandomness(0))

        def open_driver(
            _sink: SinkDescription, _token: str, _directory: Path, _slow: Callable[[str], None]
        ) -> DriverChannel:
            return InterposedChannel(self.destination.driver(), conversation)

        replica = Replica(self.world, consensus=consensus, open_driver=open_driver)

        def die() -> None:
            consensus.dead = True
            replica.dataflows.kill()

        conversation.on_death = die
        replica.start(self.description)
        self.lives.append(Life(replica, conversation))
        return self.lives[-1]

    def _defective(self, driver: Driver) -> Driver:
        return self.defect(driver, self.world.clock, self.destination.driver)

    async def transfer(self, times: int = 1) -> None:
        """So many commits."""
        for _ in range(times):
            await self.commit(self.accounts.transfers(_TRANSFERS))

    async def commit(self, changes: list[tuple[Row, int]]) -> None:
        """One commit, of which all lives hear."""
        await self.world.commit({TABLE: changes}, after_ms=20)
        for life in self.lives:
            if not life.conversation.dead:
                life.replica.hint()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits, in virtual time. AssertionError when nothing comes of it."""
        waited = 0.0
        while not condition():
            statuses = [life.replica.statuses()[-1:] for life in self.lives]
            assert self.witnessed == []
            assert waited < _PATIENCE_S, f"nothing came of it: {statuses}"
            await self.world.clock.sleep(0.02)
            waited += 0.02

    async def settled(self, transactions: int = 1) -> None:
        """So many commits are made, each as a transaction of its own, and are there, once each."""
        for _ in range(transactions):
            await self.transfer()
            await self.arrived()

    async def arrived(self) -> None:
        """All that is there is in the destination, as a living one has heard."""
        now = self.world.now
        await self.until(
            lambda: any(life.conversation.position >= now for life in self.lives if not life.conversation.dead)
        )
        found = self.found()
        wanted = held(self.world.rows_at(TABLE, now - 1), self.kind.mode)
        assert found == wanted, f"there is {found - wanted}, and not {wanted - found}"

    def found(self) -> Counter[Row]:
        """What a reader finds, in which nothing is wrong."""
        found = self.destination.read()
        why = violation(found, self.kind.mode)
        assert why is None, why
        return found

    def look(self) -> None:
        """A reader comes along: it finds what was there at one time, no earlier than it has seen. Who is asked to look
        is a session, which would take an error for its destination's."""
        if not self.kind.looked_at:
            return
        try:
            found = self.found() if self.parallelism == 1 else self.destination.read()
        except AssertionError as error:
            self.witnessed.append(str(error))
            return
        times = sorted(self.world.contents[GlobalId.user(TABLE)])
        there = [(t, held(self.world.rows_at(TABLE, t), self.kind.mode)) for t in times]
        for keys in ranges_of(self.parallelism):
            self._look_at(keys, found, there)

    def _look_at(self, keys: KeyRange, found: Counter[Row], there: list[tuple[Timestamp, Counter[Row]]]) -> None:
        own, seen = _within(keys, found), self.seen.get(keys, 0)
        at = [time for time, rows in there if _within(keys, rows) == own]
        if not at:
            self.witnessed.append(f"there never was {own}")
        elif at[-1] < seen:
            self.witnessed.append("what was there is gone again")
        else:
            self.seen[keys] = next(time for time in at if time >= seen)

    async def end(self) -> None:
        """Every fault has come about, and the sink goes on behind it."""
        for life in self.lives:
            assert [*life.conversation.unfired] == [], "nothing came of a fault"
        await self.settled()
        assert self.witnessed == []
        assert len(self.lives[-1].conversation.ranges) == self.parallelism
        for life in self.lives:
            life.end()


def _within(keys: KeyRange, rows: Counter[Row]) -> Counter[Row]:
    """Rows whose key is of a range."""
    return Counter({row: count for row, count in rows.items() if keys.begin <= key_hash(row[0]) <= keys.end})


def tried(
    kind: Kind,
    destination: Reached,
    name: str,
    case: Callable[[Trial], Awaitable[None]],
    defect: Callable[[Driver, Clock, Callable[[], Driver]], Driver],
    *,
    parallelism: int = 1,
    goes_on: bool = True,
) -> None:
    """Runs a case in a world of its own. AssertionError where something is lost, doubled, or seen in part. `goes_on`:
    more comes behind it."""

    async def work(world: World) -> None:
        trial = Trial(world, kind, destination, defect, parallelism)
        await trial.begin(name)
        await case(trial)
        if goes_on:
            await trial.end()

    run(work)
