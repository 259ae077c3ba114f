"""Servers that stand by and lead by turns, in virtual time: they are frozen, starved and killed, each one's wall clock
jumps, and consensus fails before, after and long after it acts.

What runs is `timeline/lease.py`, the fence and the oracle; a leader appends numbers to a log and reads it. Judged is:

    a fence is raised while the lease has not been renewed for its whole time, of real time, or was given up: to
        everybody, or to who raises it, because it was promoted
    who raises it has been awake for half of that time at least
    the lease is renewed by the leader of the present fence alone
    what was acknowledged before a read began is read, whoever answers, and is in the log in the end
    once nothing is done to them any longer one of the servers leads, and no other one takes over
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from unittest.mock import patch

import msgspec

from storage.persist.location import Indeterminate, Versioned
from storage.persist.retry import retried
from tests.simulation.incarnation import SeededRandomness
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryConsensus
from tests.storage.unreliable import RELIABLE, Faults, UnreliableConsensus
from timeline.durable_oracle import DurableOracle
from timeline.fence import FENCE_KEY, Fence, Fenced, FenceRecord
from timeline.lease import LEASE_KEY, Lease, LeaseRecord, LeaseWatch, PromotableStandby, seqnos_of, take_over
from timeline.promotion import OwnRecord, StandbyRecord

_LEASE_MS = 3_000
_LEASE_S = _LEASE_MS / 1000
_SERVERS = 3
_DEEDS = 30
_SETTLED_S = 20 * _LEASE_S
"""Who has lost the lease often waits for sixteen leases."""
_STARVED_S = 2.0
_SAYS_S = 0.3
_LOG_KEY = "log"
_FAULTY = Faults(done=30, not_done=30, late=30, read_failure=30, latency_ms_max=60)
Plant = Callable[[], AbstractContextManager[object]]


def run_leading(seed: int, planted: Plant = nullcontext) -> list[str]:
    """The violations that the seed shows; none, of a system without a bug."""
    loop = VirtualLoop()
    with planted():
        return run_virtual(loop, asyncio.wait_for(_Simulation(seed, loop).run(), 100_000))


class _Machine:
    """What a server's process stands on: whether it runs, what its wall clock shows, and how long it was awake."""

    def __init__(self, loop: VirtualLoop, source: random.Random, name: str) -> None:
        self._loop = loop
        self._source = source
        self.name = name
        self._running = asyncio.Event()
        self._running.set()
        self._asleep_s = 0.0
        self._frozen_at = 0.0
        self.offset_ms = 1_000_000
        self.starved = False

    def freeze(self) -> None:
        if self._running.is_set():
            self._frozen_at = self._loop.now
            self._running.clear()

    def thaw(self) -> None:
        if not self._running.is_set():
            self._asleep_s += self._loop.now - self._frozen_at
            self._running.set()

    @property
    def asleep_s(self) -> float:
        """Returns for how long it has been frozen, until now."""
        return self._asleep_s + (0.0 if self._running.is_set() else self._loop.now - self._frozen_at)

    async def turn(self) -> None:
        """Waits until the process gets on."""
        if self.starved:
            await asyncio.sleep(self._source.random() * _STARVED_S)
        await self._running.wait()

    # Clock

    def now_ms(self) -> int:
        return self.offset_ms + int(self._loop.now * 1000)

    def elapsed_ns(self) -> int:
        return int(self._loop.now * 1e9)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.turn()


class _Judged(MemoryConsensus):
    """The store of all servers, and what must hold of every write that lands."""

    def __init__(self, loop: VirtualLoop, violations: list[str]) -> None:
        super().__init__()
        self._loop = loop
        self._violations = violations
        self._renewed_s = 0.0
        self._lease: LeaseRecord | None = None
        self._epoch = 0
        self.raised = 0
        self.renewed_asleep: dict[_Machine, float] = {}
        self.machines: list[_Machine] = []

    def landed(self, machine: _Machine, writes: Mapping[str, bytes]) -> None:
        now = self._loop.now
        if FENCE_KEY in writes:
            lease = self._lease
            given_up = lease is None or (lease.given_up and lease.given_to in ("", machine.name))
            if not given_up and now - self._renewed_s < _LEASE_S - 1e-6:
                self._violations.append(f"taken over {now - self._renewed_s:.3f} s after the lease was renewed")
            awake = now - self._renewed_s - (machine.asleep_s - self.renewed_asleep.get(machine, 0.0))
            if not given_up and awake < _LEASE_S / 2:
                self._violations.append(f"taken over by one that was awake for {awake:.3f} s of that time")
            self._epoch = msgspec.msgpack.decode(writes[FENCE_KEY], type=FenceRecord).epoch
            self.raised += 1
        if LEASE_KEY in writes:
            self._lease = msgspec.msgpack.decode(writes[LEASE_KEY], type=LeaseRecord)
            self._renewed_s = now
            self.renewed_asleep = {each: each.asleep_s for each in self.machines}
            if self._lease.epoch != self._epoch:
                self._violations.append(f"the lease of epoch {self._epoch} is renewed by {self._lease.epoch}")


class _Seen(MemoryConsensus):
    """The store as one server reaches it; what it writes is judged as it lands."""

    def __init__(self, judged: _Judged, machine: _Machine) -> None:
        self._judged = judged
        self._machine = machine

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        return await self._judged.head(keys)

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        done = await self._judged.compare_and_set(expected, writes)
        if done:
            self._judged.landed(self._machine, writes)
        return done

    async def list_keys(self, prefix: str) -> list[str]:
        return await self._judged.list_keys(prefix)

    async def truncate(self, key: str, before_seqno: int) -> None:
        await self._judged.truncate(key, before_seqno)

    async def forget(self, keys: Sequence[str]) -> None:
        await self._judged.forget(keys)


class _OwnConsensus(UnreliableConsensus):
    """The faulty store, asked by a process that may be frozen before and after."""

    machine: _Machine

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        await self.machine.turn()
        found = await super().head(keys)
        await self.machine.turn()
        return found

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        await self.machine.turn()
        done = await super().compare_and_set(expected, writes)
        await self.machine.turn()
        return done


class _Simulation:
    def __init__(self, seed: int, loop: VirtualLoop) -> None:
        self._source = random.Random(seed)
        self._loop = loop
        self.violations: list[str] = []
        self._judged = _Judged(loop, self.violations)
        self._machines = [_Machine(loop, self._source, f"server {index}") for index in range(_SERVERS)]
        self._candidates: dict[str, PromotableStandby] = {}
        self._judged.machines = self._machines
        self._stores = [self._store(machine) for machine in self._machines]
        self._servers: list[asyncio.Task[None]] = []
        self._acknowledged: list[int] = []
        self._number = 0
        self._answered_s = 0.0

    def _store(self, machine: _Machine) -> _OwnConsensus:
        clock, randomness = VirtualClock(self._loop), SeededRandomness(self._source)
        store = _OwnConsensus(_Seen(self._judged, machine), clock, randomness, RELIABLE)
        store.machine = machine
        return store

    async def run(self) -> list[str]:
        self._servers = [self._begin(index) for index in range(_SERVERS)]
        for _ in range(_DEEDS):
            await asyncio.sleep(self._source.random() * 2 * _LEASE_S)
            self._do_something()
        for machine, store in zip(self._machines, self._stores, strict=True):
            machine.thaw()
            machine.starved, store.faults = False, RELIABLE
        await asyncio.sleep(_SETTLED_S)
        raised, settled = self._judged.raised, self._loop.now
        await asyncio.sleep(_SETTLED_S)
        if self._judged.raised != raised:
            self.violations.append(f"{self._judged.raised - raised} changeovers though nothing happens")
        if self._answered_s < settled:
            self.violations.append("nobody leads")
        await self._end()
        log = await _logged(self._judged)
        lost = [number for number in self._acknowledged if number not in log]
        return [*self.violations, *(f"{number} was acknowledged, and is lost" for number in lost)]

    def _do_something(self) -> None:
        index = self._source.randrange(_SERVERS)
        machine, store = self._machines[index], self._stores[index]
        match self._source.randrange(9):
            case 0:
                self._servers[index].cancel()
                machine.thaw()
                self._servers[index] = self._begin(index)
            case 1:
                machine.freeze()
            case 2 | 3:
                for each in self._machines:
                    each.thaw()
            case 4:
                for each in self._machines:
                    # The host of all is put to sleep for a while.
                    each.freeze()
                    self._loop.call_later(self._source.random() * 3 * _LEASE_S, each.thaw)
            case 5:
                machine.offset_ms += self._source.choice((-1, 1)) * self._source.choice((2_000, 60_000, 86_400_000))
            case 6:
                machine.starved = not machine.starved
            case 7:
                if machine.name in self._candidates:
                    self._candidates[machine.name].promoted = True
            case _:
                store.faults = _FAULTY if store.faults is RELIABLE else RELIABLE

    def _begin(self, index: int) -> asyncio.Task[None]:
        return asyncio.create_task(self._serve(self._machines[index], self._stores[index]))

    async def _end(self) -> None:
        for each in self._servers:
            each.cancel()
        await asyncio.wait(self._servers)

    async def _serve(self, machine: _Machine, store: _OwnConsensus) -> None:
        lost = 0
        while True:
            candidate = self._candidates[machine.name] = PromotableStandby(machine.name)
            own = (store, machine, SeededRandomness(self._source), _LEASE_MS, _look)
            saying = asyncio.create_task(_say(store, machine, candidate))
            try:
                fence = await take_over(*own, lost=lost, candidate=candidate)
            finally:
                saying.cancel()
            self._candidates.pop(machine.name, None)
            lease = Lease(store, fence, machine, _LEASE_MS)
            leading = asyncio.create_task(self._lead(machine, store, fence))
            asked = asyncio.create_task(lease.asked.wait())
            tasks = [asyncio.create_task(lease.keep()), leading, asked]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                if asked in done:
                    # It finishes what it is at.
                    leading.cancel()
                    await asyncio.wait([leading])
            finally:
                for task in tasks:
                    task.cancel()
            ended = [task for task in done if task is not asked and not task.cancelled()]
            defects = [error for task in ended if not isinstance(error := task.exception(), Fenced)]
            self.violations += [f"a leader ended by {error!r}" for error in defects]
            await asyncio.wait(tasks)
            if asked in done and not ended:
                await lease.give_up()
            else:
                lost += 1

    async def _lead(self, machine: _Machine, store: _OwnConsensus, fence: Fence) -> None:
        """Writes and reads until fenced."""
        oracle = DurableOracle(store, fence, machine)
        await oracle.open()
        while True:
            await machine.sleep(self._source.random())
            if self._source.random() < 0.5:
                await self._read(machine, store, oracle)
                continue
            log = (await retried(lambda: store.head([_LOG_KEY]), machine))[_LOG_KEY]
            numbers = [] if log is None else msgspec.msgpack.decode(log.data, type=list[int])
            self._number += 1
            number = self._number
            record, _ = oracle.propose(machine.now_ms())
            ((key, (seqno, encoded)),) = oracle.write_of(record).items()
            expected = {**fence.precondition, key: seqno, _LOG_KEY: None if log is None else log.seqno}
            writes = {key: encoded, _LOG_KEY: msgspec.msgpack.encode([*numbers, number])}
            try:
                committed = await store.compare_and_set(expected, writes)
            except Indeterminate:
                committed = False
            if committed:
                oracle.adopt(record)
                self._acknowledged.append(number)
                self._answered_s = self._loop.now
            else:
                await oracle.read_ts()  # Fenced, or what was in doubt has landed
                await oracle.open()

    async def _read(self, machine: _Machine, store: _OwnConsensus, oracle: DurableOracle) -> None:
        known = list(self._acknowledged)
        await oracle.read_ts()
        found = set(await retried(lambda: _logged(store), machine))
        self.violations += [f"a read that began later lacks {number}" for number in known if number not in found]


async def _look() -> None:
    """Finds everything readable."""


async def _say(store: _OwnConsensus, machine: _Machine, candidate: PromotableStandby) -> None:
    """Says that a standby is there, and what it answers."""
    own = OwnRecord(store, candidate.name)
    while True:
        with contextlib.suppress(Indeterminate):
            await own.write(
                StandbyRecord(address="", pid=1, ready=True, message="", caught_up=True, answer=candidate.answer)
            )
        await machine.sleep(_SAYS_S)


async def _logged(store: MemoryConsensus | UnreliableConsensus) -> list[int]:
    log = (await store.head([_LOG_KEY]))[_LOG_KEY]
    return [] if log is None else msgspec.msgpack.decode(log.data, type=list[int])


@contextmanager
def the_wall_clock_judges_the_lease() -> Iterator[None]:
    """A jump forward ends the lease of a leader that lives."""

    def now(machine: _Machine) -> int:
        return machine.now_ms() * 1_000_000

    def expired(watch: LeaseWatch, signs: Mapping[str, Versioned | None], now_ns: int) -> bool:
        seqnos = seqnos_of(signs)
        if watch._seen != seqnos:
            watch._seen, watch._looked_ns = seqnos, now_ns
        return now_ns - watch._looked_ns >= _LEASE_MS * 1_000_000 or signs[FENCE_KEY] is None

    with patch.object(_Machine, "elapsed_ns", now), patch.object(LeaseWatch, "expired", expired):
        yield


@contextmanager
def sleep_counts() -> Iterator[None]:
    """A standby that was frozen together with the leader takes over as soon as it wakes."""
    with patch("timeline.lease._LOOK_COUNTS", 1_000):
        yield


@contextmanager
def the_fenced_renew() -> Iterator[None]:
    """A leader that wakes up goes on renewing the lease, without a look at the fence."""

    async def look(lease: Lease) -> None:
        head = (await lease._consensus.head((LEASE_KEY,)))[LEASE_KEY]
        lease._seqno = None if head is None else head.seqno

    async def write(lease: Lease, record: LeaseRecord) -> bool:
        written = await lease._consensus.compare_and_set(
            {LEASE_KEY: lease._seqno}, {LEASE_KEY: msgspec.msgpack.encode(record)}
        )
        if written:
            lease._seqno = (lease._seqno or 0) + 1
        return written

    with patch.object(Lease, "_look", look), patch.object(Lease, "_write", write):
        yield


@contextmanager
def the_last_look_is_not_asked_for() -> Iterator[None]:
    """Who has looked raises the fence, whatever the leader has written since."""
    put = _OwnConsensus.compare_and_set

    async def careless(store: _OwnConsensus, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        if FENCE_KEY in writes:
            expected = seqnos_of(await store.head([*writes]))
        return await put(store, expected, writes)

    with patch.object(_OwnConsensus, "compare_and_set", careless):
        yield


@contextmanager
def everybody_takes_what_is_given_to_one() -> Iterator[None]:
    """Whoever looks first leads, though another one was promoted."""
    careful = LeaseWatch.expired

    def expired(watch: LeaseWatch, signs: Mapping[str, Versioned | None], now_ns: int) -> bool:
        if (head := signs[LEASE_KEY]) is not None:
            watch.name = msgspec.msgpack.decode(head.data, type=LeaseRecord).given_to
        return careful(watch, signs, now_ns)

    with patch.object(LeaseWatch, "expired", expired):
        yield


BUGS: dict[str, tuple[Plant, str]] = {
    "the wall clock judges the lease": (the_wall_clock_judges_the_lease, "after the lease was renewed"),
    "sleep counts": (sleep_counts, "taken over by one that was awake"),
    "the fenced renew": (the_fenced_renew, "the lease of epoch"),
    "the last look is not asked for": (the_last_look_is_not_asked_for, "after the lease was renewed"),
    "everybody takes what is given to one": (everybody_takes_what_is_given_to_one, "after the lease was renewed"),
}
"""What is planted, and what is to be seen of it."""
