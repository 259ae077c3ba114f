"""Clients who get in each other's way: rows of INSERT AS OF that come between reads and writes, transactions that write
to tables in opposite order, rows locked in opposite order, savepoints gone back to, tables dropped before their rows
come.

Each table has the row -1, which was always there, and rows that come at their time; each change adds one to all. So a
row that came at d has been changed as often as row -1 since d, and row -1 as often as was acknowledged. And nobody
waits for ever.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from unittest.mock import patch

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.ledgers.locks import Locks
from server.ledgers.scheduled import Scheduled
from server.transactions.transaction import Transaction
from server.writes.committing import ReadsCommit
from tests.simulation.compacting import compaction_that_never_rests
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE
from timeline.group_commit import GroupCommitter
from timeline.waiting import WaitGraph

_TABLES = ("r0", "r1", "r2")
_KEYED = ("k0", "k1", "k2")
_ROUNDS = 4
_STUCK_S = 60.0
_CONFLICTS = (Sqlstate.SERIALIZATION_FAILURE, Sqlstate.DEADLOCK_DETECTED)
Plant = Callable[[], AbstractContextManager[object]]


def run_contention(seed: int, planted: Plant = nullcontext) -> list[str]:
    """The violations that the seed shows; none, of a system without a bug."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    with planted(), compaction_that_never_rests(seed, 0.1):
        return run_virtual(loop, asyncio.wait_for(_Simulation(seed, loop).run(), 6_000))


class _Simulation:
    def __init__(self, seed: int, loop: VirtualLoop) -> None:
        self._source = random.Random(seed)
        self._clock = VirtualClock(loop)
        self._changed: Counter[str] = Counter()
        self._due: list[tuple[str, int, int]] = []
        self._dropped = self._key = 0
        self.violations: list[str] = []

    async def run(self) -> list[str]:
        places = Places(MemoryConsensus(self._no_time), MemoryBlob(self._no_time))

        async def begin() -> Incarnation:
            return await begin_life(1, places, self._clock, self._source, RELIABLE)

        life = await asyncio.create_task(begin())
        clients = iter([SimClient(life.environment, 1000 + number) for number in range(20)])
        self._circle = [next(clients) for _ in _TABLES]
        setup = next(clients)
        for table in _TABLES:
            await setup.query(f"CREATE TABLE {table} (n int, gen int); INSERT INTO {table} VALUES (-1, 0)")
        for table in _KEYED:
            await setup.query(f"CREATE TABLE {table} (k int PRIMARY KEY)")
        parties = [self._schedule, self._change, self._change, self._opposite, self._go_back, self._drop]
        parties += [self._lock] * 2
        await asyncio.gather(*(self._rounds(party, next(clients)) for party in parties))
        if not self.violations:
            await self._check(setup)
        life.kill()
        await asyncio.sleep(0.01)
        return self.violations

    async def _no_time(self) -> None:
        await asyncio.sleep(self._source.random() * 0.002)

    async def _rounds(self, party: Callable[[SimClient], Awaitable[None]], client: SimClient) -> None:
        for _ in range(_ROUNDS):
            await asyncio.sleep(self._source.random() * 0.05)
            try:
                async with asyncio.timeout(_STUCK_S):
                    await party(client)
            except SqlError as error:
                self.violations.append(f"{party.__name__}: {error.sqlstate.name}: {error.message}")
            except TimeoutError:
                self.violations.append(f"{party.__name__} waits for ever")
            if client.session.transaction_status != "I":
                await client.query("ROLLBACK")

    async def _schedule(self, client: SimClient) -> None:
        """Rows that come soon, one by one."""
        begin = self._clock.now_ms() + self._source.randrange(20, 60)
        for _ in range(4):
            table, number = self._source.choice(_TABLES), len(self._due)
            due = begin + self._source.randrange(80)
            try:
                await client.query(f"INSERT INTO {table} VALUES ({number}, 0) AS OF {due}")
            except SqlError as error:
                if error.sqlstate is not Sqlstate.INVALID_PARAMETER_VALUE:
                    raise
            else:
                self._due.append((table, number, due))

    async def _change(self, client: SimClient) -> None:
        """By itself it fails for nobody's sake."""
        table = self._source.choice(_TABLES)
        await client.query(f"UPDATE {table} SET gen = gen + 1")
        self._changed[table] += 1

    async def _opposite(self, _client: SimClient) -> None:
        """Two or three at once, of whom each writes to one table and then to that to which the next has written.
        Changes of the same rows meet at the rows, new keys at the tables."""
        keyed = self._source.random() < 0.6
        tables = self._source.sample(_KEYED if keyed else _TABLES, self._source.choice((2, 3)))
        both = zip(tables, [*tables[1:], tables[0]], strict=True)

        async def change(client: SimClient, *pair: str) -> None:
            self._key += 1
            key = self._key
            sql = f"INSERT INTO {{}} VALUES ({key})" if keyed else "UPDATE {} SET gen = gen + 1"
            if await _passes(client, "; ".join(map(sql.format, pair))):
                self._changed.update(pair)

        outcomes = await asyncio.gather(
            *(change(client, *pair) for client, pair in zip(self._circle, both)), return_exceptions=True
        )
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome

    async def _go_back(self, client: SimClient) -> None:
        kept, undone = self._source.sample(_TABLES, 2)
        await client.query(f"BEGIN; UPDATE {kept} SET gen = gen + 1; SAVEPOINT p; UPDATE {undone} SET gen = gen + 1")
        if self._source.random() < 0.5:
            await _passes(client, "SELECT 1 / 0", Sqlstate.DIVISION_BY_ZERO)
        await client.query("ROLLBACK TO p")
        if await _passes(client, "COMMIT"):
            self._changed[kept] += 1

    async def _lock(self, client: SimClient) -> None:
        first, second = self._source.sample(_TABLES, 2)
        if not await _passes(client, f"BEGIN; SELECT gen FROM {first} WHERE n = -1 FOR UPDATE"):
            return
        await asyncio.sleep(self._source.random() * 0.01)
        if not await _passes(client, f"SELECT gen FROM {second} WHERE n = -1 FOR UPDATE"):
            return
        if await _passes(client, f"UPDATE {first} SET gen = gen + 1; COMMIT"):
            self._changed[first] += 1

    async def _drop(self, client: SimClient) -> None:
        self._dropped += 1
        table = f"d{self._dropped}"
        await client.query(f"CREATE TABLE {table} (n int)")
        begin = self._clock.now_ms() + 30
        for number in range(5):
            await _passes(
                client, f"INSERT INTO {table} VALUES (0) AS OF {begin + 5 * number}", Sqlstate.INVALID_PARAMETER_VALUE
            )
        await asyncio.sleep(self._source.random() * 0.05)
        await client.query(f"DROP TABLE {table}")

    async def _check(self, client: SimClient) -> None:
        await asyncio.sleep(1)
        for table in _TABLES:
            rows = await client.query(f"SELECT gen FROM {table} WHERE n = -1")
            if rows != [(self._changed[table],)]:
                self.violations.append(f"{table} was changed {self._changed[table]} times, and shows {rows}")
        for table in _KEYED:
            rows = await client.query(f"SELECT count(*) FROM {table}")
            if rows != [(self._changed[table],)]:
                self.violations.append(f"{table} was given {self._changed[table]} keys, and has {rows}")
        if self.violations:
            return
        for table, number, due in self._due:
            ((before,),) = await client.query(f"SELECT gen FROM {table} WHERE n = -1 AS OF {due}")
            found = await client.query(
                f"SELECT (SELECT gen FROM {table} WHERE n = -1) - gen FROM {table} WHERE n = {number}"
            )
            if found != [(before,)]:
                self.violations.append(f"row {number} came to {table} at {due}, at {before!r}; it shows {found}")


async def _passes(client: SimClient, sql: str, *accepted: Sqlstate) -> bool:
    """Whether it does: else it fails as is accepted, by default with a conflict."""
    try:
        await client.query(sql)
    except SqlError as error:
        if error.sqlstate not in (accepted or _CONFLICTS):
            raise
        return False
    return True


@contextmanager
def due_rows_ride_in_any_commit() -> Iterator[None]:
    """In that of a change too which has read before they came."""
    with patch.object(Scheduled, "due_before", lambda self, timestamp: False):
        yield


@contextmanager
def circles_are_not_looked_for() -> Iterator[None]:
    """Of write locks."""
    with patch.object(WaitGraph, "refuse_cycle", lambda self, owner: None):
        yield


@contextmanager
def the_queue_is_no_part_of_the_graph() -> Iterator[None]:
    """Who waits to commit waits for nobody."""
    with patch.object(GroupCommitter, "_waits", lambda self, owner: {}):
        yield


@contextmanager
def circles_of_row_locks_are_not_looked_for() -> Iterator[None]:
    with patch.object(Locks, "_circle", lambda self, session: []):
        yield


@contextmanager
def reads_are_not_validated() -> Iterator[None]:
    validate = ReadsCommit.validate

    def careless(self: ReadsCommit, timestamp: object) -> None:
        read_ids, self.transaction.reads.ids = self.transaction.reads.ids, set()
        try:
            validate(self, timestamp)  # type: ignore[arg-type]
        finally:
            self.transaction.reads.ids = read_ids

    with patch.object(ReadsCommit, "validate", careless):
        yield


@contextmanager
def going_back_keeps_what_was_written() -> Iterator[None]:
    go_back = Transaction.rollback_to

    def careless(self: Transaction, name: str) -> object:
        writes = list(self.writes.buffered)
        undone = go_back(self, name)
        self.writes.buffered[:] = writes
        return undone

    with patch.object(Transaction, "rollback_to", careless):
        yield


BUGS: dict[str, Plant] = {
    "due rows ride in any commit": due_rows_ride_in_any_commit,
    "circles are not looked for": circles_are_not_looked_for,
    "the queue is no part of the graph": the_queue_is_no_part_of_the_graph,
    "circles of row locks are not looked for": circles_of_row_locks_are_not_looked_for,
    "reads are not validated": reads_are_not_validated,
    "going back keeps what was written": going_back_keeps_what_was_written,
}
