"""Transactions that read and write one table by its keys: each reads rows by some keys, also by keys that no row has,
and then inserts, moves or deletes one. Between them single statements do the same, which fail for nobody's sake. And
compaction never rests.

What a transaction that committed at t has read must be so at t - 1, and of those that share t none has read a key of a
row that another retracts or asserts. And no two rows have one key.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from unittest.mock import patch

import pyarrow as pa
import pyarrow.compute as pc

from compute.replica.dataflows.maintained import Input, Outputs, TickRows
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN
from model.time.timestamp import TIMESTAMP_MIN, Timestamp, step_back
from model.types.datum import Row
from model.updates.update import updates_from_arrow
from planner.catalog_view import QualifiedName
from server.reads import later_reads
from storage.persist.snapshot import read_changes
from storage.persist.state import Part
from tests.compute.dataflows.interpreted import Interpreted
from tests.simulation.compacting import compaction_that_never_rests
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE, Faults
from timeline.footprint import Identities, KeyColumns, WrittenRows
from timeline.group_commit import GroupCommitter, WriteRequest
from timeline.recent_changes import RecentChanges
from timeline.write_locks import WriteLocks

_CLIENTS, _ROUNDS, _KEYS = 5, 6, 6
_COLUMNS = ("id", "u")
_REFUSED = (Sqlstate.SERIALIZATION_FAILURE, Sqlstate.UNIQUE_VIOLATION, Sqlstate.DEADLOCK_DETECTED)
_SLOW = Faults(latency_ms_max=8)
"""A commit is durable, and others may be given its time, some while before who made it hears of it."""
Plant = Callable[[], AbstractContextManager[object]]


def run_keyed(seed: int, planted: Plant = nullcontext) -> list[str]:
    """The violations that the seed shows; none, of a system without a bug."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    with planted(), _ticks_that_take_time(random.Random(seed)), compaction_that_never_rests(seed):
        return run_virtual(loop, asyncio.wait_for(_Simulation(seed, loop).run(), 6_000))


@contextmanager
def _ticks_that_take_time(source: random.Random) -> Iterator[None]:
    """Indexes follow the commits that others have made at some distance."""
    tick = Interpreted.tick

    async def slow(
        self: Interpreted, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        await asyncio.sleep(source.random() * 0.03)
        return await tick(self, inputs, lower, upper, outputs)

    with patch.object(Interpreted, "tick", slow):
        yield


@dataclass(frozen=True, slots=True)
class _Done:
    """What a transaction was told by each key that it asked for, and the rows that it retracted and asserted."""

    read: dict[tuple[int, int], list[Row]]
    written: list[Row]


class _Simulation:
    def __init__(self, seed: int, loop: VirtualLoop) -> None:
        self._source = random.Random(seed)
        self._clock = VirtualClock(loop)
        self._done: dict[int, _Done] = {}
        self._number = 0
        self.violations: list[str] = []

    async def run(self) -> list[str]:
        places = Places(MemoryConsensus(self._no_time), MemoryBlob(self._no_time))

        async def begin() -> Incarnation:
            return await begin_life(1, places, self._clock, self._source, self._source.choice((RELIABLE, _SLOW)))

        life = await asyncio.create_task(begin())
        clients = [SimClient(life.environment, 1000 + number) for number in range(_CLIENTS)]
        await clients[0].query(
            "CREATE TABLE k (id int PRIMARY KEY, u int UNIQUE) WITH (RETAIN HISTORY FOR '1h'); CREATE TABLE log (n int)"
        )
        await clients[0].query("INSERT INTO k VALUES (0, 0), (1, 1), (2, 2)")
        await asyncio.gather(*map(self._rounds, clients))
        await self._check(clients[0], life)
        life.kill()
        await asyncio.sleep(0.01)
        return self.violations

    async def _no_time(self) -> None:
        await asyncio.sleep(self._source.random() * 0.002)

    async def _rounds(self, client: SimClient) -> None:
        for _ in range(_ROUNDS):
            await asyncio.sleep(self._source.random() * 0.01)
            await self._change_alone(client)
            try:
                await self._transact(client)
            except SqlError as error:
                if error.sqlstate not in _REFUSED:
                    self.violations.append(f"{error.sqlstate.name}: {error.message}")
                if client.session.transaction_status != "I":
                    await client.query("ROLLBACK")

    async def _change_alone(self, client: SimClient) -> None:
        """By a statement, which locks what it reads: rows by their keys, or the table."""
        id_, new = self._source.randrange(_KEYS), self._source.randrange(_KEYS)
        statements = (
            f"UPDATE k SET id = id WHERE id = {id_}",
            f"UPDATE k SET u = u WHERE u = {id_}",
            f"UPDATE k SET u = {new} WHERE id = {id_}",
            f"DELETE FROM k WHERE id = {id_} AND u = {new}",
            f"INSERT INTO k VALUES ({id_}, {new})",
        )
        try:
            await client.query(self._source.choice(statements))
        except SqlError as error:
            if error.sqlstate is not Sqlstate.UNIQUE_VIOLATION:
                self.violations.append(f"a statement by itself: {error.sqlstate.name}: {error.message}")

    async def _transact(self, client: SimClient) -> None:
        self._number += 1
        number = self._number
        read: dict[tuple[int, int], list[Row]] = {}
        await client.query("BEGIN")
        for column, value in self._some_keys():
            read[column, value] = await client.query(f"SELECT id, u FROM k WHERE {_COLUMNS[column]} = {value}")
        written = await self._write(client, [row for rows in read.values() for row in rows])
        await client.query(f"INSERT INTO log VALUES ({number})")
        # Known before COMMIT's answer: its rows tell whether it took place.
        self._done[number] = _Done(read, written)
        await client.query("COMMIT")

    def _some_keys(self) -> Iterable[tuple[int, int]]:
        return {
            (self._source.randrange(2), self._source.randrange(_KEYS)) for _ in range(self._source.choice((1, 1, 2)))
        }

    async def _write(self, client: SimClient, found: list[Row]) -> list[Row]:
        """Changes a row that was read, or inserts one; the rows of before and after."""
        new = self._source.randrange(_KEYS), self._source.randrange(_KEYS)
        if not found or self._source.random() < 0.2:
            await client.query(f"INSERT INTO k VALUES ({new[0]}, {new[1]})")
            return [new]
        old_id, old_u = found[0]
        assert isinstance(old_id, int)
        assert isinstance(old_u, int)
        old = old_id, old_u
        match self._source.randrange(4):
            case 0:
                await client.query(f"DELETE FROM k WHERE id = {old[0]}")
                return [old]
            case 1:
                await client.query(f"UPDATE k SET id = {new[0]} WHERE u = {old[1]}")
                return [old, (new[0], old[1])]
            case 2:
                await client.query(f"UPDATE k SET u = {new[1]} WHERE id = {old[0]}")
                return [old, (old[0], new[1])]
            case _:
                return []

    async def _check(self, client: SimClient, life: Incarnation) -> None:
        for column in _COLUMNS:
            ((count, distinct),) = await client.query(f"SELECT count(*), count(DISTINCT {column}) FROM k")
            if count != distinct:
                self.violations.append(f"{count!r} rows have {distinct!r} values of {column}")
        times = await _commit_times(life)
        for time, numbers in times.items():
            together = [self._done[number] for number in numbers]
            for done in together:
                await self._check_reads(client, done, time)
                for other in together:
                    if other is not done and _meet(done, other):
                        self.violations.append(f"of two that committed at {time} one has read what the other wrote")

    async def _check_reads(self, client: SimClient, done: _Done, time: Timestamp) -> None:
        for (column, value), rows in done.read.items():
            sql = f"SELECT id, u FROM k WHERE {_COLUMNS[column]} = {value} AS OF {step_back(time)}"
            before = await client.query(sql)
            if before != rows:
                name = _COLUMNS[column]
                self.violations.append(f"with {name} = {value} {rows} was read, and {before} was so before {time}")


async def _commit_times(life: Incarnation) -> dict[Timestamp, list[int]]:
    """The numbers of the transactions that committed, by time."""
    log = life.environment.catalog.state.find(QualifiedName("headwater", "public", "log"))
    assert log is not None
    storage = life.environment.storage
    upper = storage.frontiers(log.id).upper.time
    assert upper is not None
    changes = storage.reads.updates_between(log.id, TIMESTAMP_MIN, upper)
    found: dict[Timestamp, list[int]] = {}
    for update in updates_from_arrow(await read_changes(changes, storage.blob), log.desc):
        (number,) = update.row
        assert isinstance(number, int)
        found.setdefault(Timestamp(update.time), []).append(number)
    return found


def _meet(reader: _Done, writer: _Done) -> bool:
    return any(row[column] == value for column, value in reader.read for row in writer.written)


def _only(kept: Callable[[pa.Table], pa.Table]) -> AbstractContextManager[object]:
    """Of the rows that commits change, some are not looked at."""
    begin = WrittenRows.__init__

    def careless(self: WrittenRows, updates: Iterable[pa.Table | Part], *, whole: bool = False) -> None:
        begin(self, [kept(each) if isinstance(each, pa.Table) else each for each in updates], whole=whole)

    return patch.object(WrittenRows, "__init__", careless)


@contextmanager
def after_images_only() -> Iterator[None]:
    """The key that an UPDATE takes from a row, or a DELETE, is not recorded."""

    def asserted(table: pa.Table) -> pa.Table:
        if DIFF_COLUMN not in table.column_names:
            return table
        return table.filter(pc.greater(table.column(DIFF_COLUMN), 0))

    with _only(asserted):
        yield


@contextmanager
def absent_keys_not_recorded() -> Iterator[None]:
    """Who was told that there is no row with a key does not hear of one that came: only rows that go are compared."""

    def retracted(table: pa.Table) -> pa.Table:
        if DIFF_COLUMN not in table.column_names:
            return table.slice(0, 0)
        return table.filter(pc.less(table.column(DIFF_COLUMN), 0))

    with _only(retracted):
        yield


@contextmanager
def batches_not_compared() -> Iterator[None]:
    """Whoever is waiting commits together, whatever they have read and write."""
    with patch.object(WriteRequest, "meets", lambda self, other: False):
        yield


@contextmanager
def stale_index_rows() -> Iterator[None]:
    """What an index that is behind holds is taken for what is there now."""
    with patch.object(RecentChanges, "between", lambda *_: []):
        yield


def _until(other: Callable[[Timestamp, Timestamp], Timestamp]) -> AbstractContextManager[object]:
    """Commits are added to what an index holds until another time than the read's: that, and the last commit's of
    which has been told, are given."""
    between = RecentChanges.between

    def careless(
        self: RecentChanges, key: KeyColumns, identities: Identities, after: Timestamp, until: Timestamp, arity: int
    ) -> list[pa.Table] | None:
        told = self._complete_until
        return between(self, key, identities, after, until if told is None else other(until, told), arity)

    return patch.object(RecentChanges, "between", careless)


@contextmanager
def commits_under_way_unseen() -> Iterator[None]:
    """What has been told of is taken for all there is, also at a time whose commit is durable and not told of yet, and
    which nobody waits for."""

    async def unheeded(self: GroupCommitter, timestamp: Timestamp) -> None:
        return

    with _until(min), patch.object(GroupCommitter, "told_until", unheeded):
        yield


@contextmanager
def changes_after_the_read() -> Iterator[None]:
    """Commits that are later than the read's time are added to what an index holds."""
    with _until(max):
        yield


@contextmanager
def write_locks_granted_to_all() -> Iterator[None]:
    """Statements that change the same rows have them locked at the same time, and wait for each other."""
    with patch.object(WriteLocks, "_is_kept_waiting", lambda _locks, _claim: False):
        yield


@contextmanager
def times_moved_over_changes() -> Iterator[None]:
    """Who goes on to write reads at a later time, whatever has changed of what it had read."""
    with patch.object(later_reads, "changed_by_key", lambda *_: False):
        yield


BUGS: dict[str, Plant] = {
    "stale index rows": stale_index_rows,
    "commits under way unseen": commits_under_way_unseen,
    "changes after the read": changes_after_the_read,
    "after-images only": after_images_only,
    "absent keys not recorded": absent_keys_not_recorded,
    "batches not compared": batches_not_compared,
    "times moved over changes": times_moved_over_changes,
    "write locks granted to all": write_locks_granted_to_all,
}
FIRST_SEEDS = {
    "commits under way unseen": 23,
    "batches not compared": 4,
    "times moved over changes": 2,
    "write locks granted to all": 20,
}
"""Of bugs that the first seeds don't show, the seed to begin with."""
