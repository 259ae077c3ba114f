"""Sources: an upstream in memory grows by transactions, goes away and comes back, while environments are killed and
taken over, and replicas crash; clients read the source, its progress, views and an index over it, and write what they
have read of it.

At every time the source holds what its progress says of upstream's log: whole transactions, in their order. What is
written at t says how much there was of the source right before t. In the end all that upstream has is there.

By ranges upstream has no transactions, and tasks read what is ahead, be it ever so little.

With tables, some come that read the source again, and go: each time another ingestion takes the source over, and what
is told to the replica takes its time. A table has nothing, or at every time what the source has.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from unittest.mock import patch

from compute.replica.ingestions.ranges.ahead import RangeBounds
from connectors.gauge import Partition
from connectors.upstream import Arrived, UpstreamPlace
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.backing_off import BackOff
from model.time.clock import Clock
from model.types.datum import Datum, Row
from planner.plans.sources import CreateSourcePlan
from server.statements import dispatch
from server.transactions.execution import Execution
from tests.compute.ingestions.log import Log, LogReader
from tests.compute.ingestions.world import nothing_heard
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, dismiss, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.reclocking_checks import Bounds, Contents, SourceRead, observed, recorded
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE, Faults

_CLIENTS, _LIVES, _OPERATIONS, _PARTITIONS = 3, 4, 8, 3
_PATIENCE_S, _ARRIVAL_S, _END_S = 120.0, 25.0, 900.0
_SETUP = (
    "CREATE SOURCE s FROM KAFKA BROKER 'upstream:9092' FORMAT TEXT INCLUDE PARTITION, OFFSET",
    "CREATE MATERIALIZED VIEW v AS SELECT partition, count(*) AS c FROM s GROUP BY partition",
    'CREATE MATERIALIZED VIEW p AS SELECT partition, "offset" FROM s_progress',
    "CREATE INDEX s_partition ON s (partition)",
    "CREATE TABLE told (what text, n int8)",
)
_OBSERVE = (
    """SELECT 's', text, partition, "offset", mz_now() FROM s"""
    """ UNION ALL SELECT 'progress', '', partition, "offset", mz_now() FROM s_progress"""
    """ UNION ALL SELECT 'v', '', partition, c, mz_now() FROM v"""
    """ UNION ALL SELECT 'p', '', partition, "offset", mz_now() FROM p"""
    """ UNION ALL SELECT 'now', '', 0, 0, mz_now()"""
)
_COUNTS = {
    "s": "SELECT count(*) FROM s",
    "v": "SELECT coalesce(sum(c), 0)::int8 FROM v",
    "progress": 'SELECT coalesce(sum("offset"), 0)::int8 FROM s_progress',
    "p": 'SELECT coalesce(sum("offset"), 0)::int8 FROM p',
    "indexed": "SELECT count(*) FROM s WHERE partition = 1",
}
_MAY_FAIL = (
    Sqlstate.SERIALIZATION_FAILURE,
    Sqlstate.STATEMENT_COMPLETION_UNKNOWN,
    Sqlstate.ADMIN_SHUTDOWN,
    Sqlstate.SYSTEM_ERROR,
    Sqlstate.CANNOT_CONNECT_NOW,
    Sqlstate.IO_ERROR,
    Sqlstate.QUERY_CANCELED,
)
_TABLES = ("first", "second", "third")
_TABLE_MAY_FAIL = (Sqlstate.DUPLICATE_TABLE, Sqlstate.UNDEFINED_TABLE, *_MAY_FAIL)
_TRANSIT_S = 0.06
_FAULTS = Faults(done=20, not_done=20, late=20, read_failure=20, latency_ms_max=4)
Plant = Callable[[], AbstractContextManager[object]]


_RANGES = RangeBounds(begin_at=3, least=1, bindings=2, at_once=2, again=BackOff(0.2, 0.2))


def run_reclocking(
    seed: int, planted: Plant = nullcontext, *, by_ranges: bool = False, with_tables: bool = False
) -> list[str]:
    """The violations that the seed shows; none, of a system without a bug."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    with planted(), patch.object(dispatch, "identified", _unidentified):
        return run_virtual(loop, asyncio.wait_for(_Simulation(seed, loop, by_ranges, with_tables).run(), _END_S))


async def _unidentified(plan: CreateSourcePlan, _execution: Execution) -> CreateSourcePlan:
    """Nobody is asked what the topic is called: threads that ask know no virtual time."""
    return plan


class _Simulation:
    def __init__(self, seed: int, loop: VirtualLoop, by_ranges: bool, with_tables: bool) -> None:
        self._with_tables = with_tables
        self._of_tables: list[str] = []
        self._source = random.Random(seed)
        self._clock = VirtualClock(loop)
        self._places = Places(MemoryConsensus(self._sync), MemoryBlob(self._sync))
        self._log = Log(whole=not by_ranges)
        self._seen: list[SourceRead] = []
        self._lives = self._clients = self._records = 0

    async def _sync(self) -> None:
        await asyncio.sleep(self._source.random() * 0.003)

    async def run(self) -> list[str]:
        life = await self._begin(RELIABLE)
        for statement in _SETUP:
            await self._client(life).query(statement)
        if self._with_tables:
            await self._observe(self._client(life))  # it has begun, before upstream may be away
        upstream = asyncio.create_task(self._grow())
        for _ in range(_LIVES - 1):
            life = await self._live(life)
        self._end(life)
        last = await self._begin(RELIABLE)
        upstream.cancel()
        self._log.away = False
        self._log.tell()
        client = self._client(last)
        violations = await self._all_arrive(client)
        for seen in [*self._seen]:
            await self._observe(client, seen.timestamp)
        if self._with_tables:
            await self._all_join(client)
        violations += [
            *self._of_tables,
            *self._places.violations,
            *observed(self._seen, self._log),
            *await recorded(last, self._log),
        ]
        last.kill()
        await asyncio.sleep(0.01)
        assert self._log.whole or self._log.staged, "tasks have not read"
        return violations

    async def _begin(self, faults: Faults) -> Incarnation:
        self._lives += 1
        number = self._lives

        def open_upstream(_place: UpstreamPlace, _secrets: object, _clock: Clock, arrived: Arrived) -> LogReader:
            return LogReader(self._log, arrived, self._source)

        def open_range(
            _place: UpstreamPlace, partitions: Mapping[Partition, str | None], _secrets: object, _clock: Clock
        ) -> LogReader:
            self._log.staged += 1
            (partition,) = partitions
            return LogReader(self._log, nothing_heard, self._source, only=int(partition))

        async def begin() -> Incarnation:
            bounds = RangeBounds() if self._log.whole else _RANGES
            transit_s = self._transit_s if self._with_tables else None
            own = (open_upstream, open_range, bounds, transit_s)
            return await begin_life(number, self._places, self._clock, self._source, faults, *own)

        return await asyncio.wait_for(asyncio.create_task(begin()), _PATIENCE_S)

    def _transit_s(self) -> float:
        return self._source.random() * _TRANSIT_S if self._source.random() < 0.3 else 0.0

    def _client(self, life: Incarnation) -> SimClient:
        self._clients += 1
        return SimClient(life.environment, 1000 + self._clients)

    async def _grow(self) -> None:
        """Upstream, which knows nothing of lives."""
        while True:
            await asyncio.sleep(self._source.random() * 0.2)
            if self._source.random() < 0.1:
                self._log.away = not self._log.away
                self._log.tell()
            number = len(self._log.cuts)
            partitions = self._source.sample(range(_PARTITIONS), self._source.randint(1, _PARTITIONS))
            gaps = (self._source.random() < 0.1 for _ in partitions)
            self._log.transact(
                [(each, None if gap else f"{number} in {each}") for each, gap in zip(partitions, gaps, strict=True)]
            )

    async def _live(self, life: Incarnation) -> Incarnation:
        """Clients work while the life lasts; the next one is given back."""
        clients = [asyncio.create_task(self._work(life)) for _ in range(_CLIENTS)]
        await asyncio.sleep(self._source.random())
        if self._source.random() < 0.5:
            life.host.crash()
            await asyncio.sleep(self._source.random())
        takeover = self._source.random() < 0.6
        if not takeover:
            self._end(life)
        following = await self._begin(self._source.choice((RELIABLE, _FAULTS)))
        if takeover:
            # Both replicas ingest, as long as the old one has not heard.
            await asyncio.sleep(self._source.random() * 0.5)
            self._end(life)
        for failure in await dismiss(clients):
            if not isinstance(failure, SqlError):
                raise failure
        return following

    def _end(self, life: Incarnation) -> None:
        life.kill()
        life.host.crash()
        if self._source.random() < 0.5:
            life.unreliable.drop_late()

    async def _work(self, life: Incarnation) -> None:
        client = self._client(life)
        for _ in range(_OPERATIONS):
            on_tables = self._with_tables and self._source.random() < 0.5
            try:
                await (self._act_on_tables(client) if on_tables else self._act(client))
            except SqlError as error:
                if error.sqlstate not in (_TABLE_MAY_FAIL if on_tables else _MAY_FAIL):
                    raise AssertionError(f"{error.sqlstate.name}: {error.message}") from error
                if client.session.transaction_status != "I":
                    await client.query("ROLLBACK")
            await asyncio.sleep(self._source.random() * 0.1)

    async def _act(self, client: SimClient) -> None:
        what = self._source.choice([*_COUNTS])
        match self._source.randrange(5):
            case 0 | 1:
                await self._observe(client)
            case 2 if self._seen:
                await self._observe(client, self._source.choice(self._seen).timestamp)
            case 3:
                await client.query(f"INSERT INTO told SELECT '{what}', ({_COUNTS[what]})")
            case _:
                await client.query("BEGIN")
                ((count,),) = await client.query(_COUNTS[what])
                await asyncio.sleep(self._source.random() * 0.02)
                await client.query(f"INSERT INTO told VALUES ('{what}', {_number(count)}); COMMIT")

    async def _act_on_tables(self, client: SimClient) -> None:
        name = self._source.choice(_TABLES)
        match self._source.randrange(4):
            case 0:
                await client.query(f"DROP TABLE {name}")
            case 1 | 2:
                await client.query(f"CREATE TABLE {name} FROM SOURCE s FORMAT TEXT INCLUDE PARTITION, OFFSET")
            case _:
                await self._is_joined(client, name)

    async def _is_joined(self, client: SimClient, name: str) -> bool:
        """Whether the table has what the source has."""
        each = """SELECT text, partition, "offset" FROM"""
        more, fewer = f"{each} {name} EXCEPT ALL {each} s", f"{each} s EXCEPT ALL {each} {name}"
        counts = (
            f"SELECT (SELECT count(*) FROM {name}), (SELECT count(*) FROM ({more})), (SELECT count(*) FROM ({fewer}))"
        )
        ((there, too_many, missing),) = [tuple(map(_number, row)) for row in await client.query(counts)]
        if there and (too_many or missing):
            self._of_tables.append(f"{name} has {there} rows, {too_many} more than the source, and misses {missing}")
        return not missing

    async def _all_join(self, client: SimClient) -> None:
        """The tables that there are in the end, before long."""
        for name in _TABLES:
            try:
                until = self._clock.elapsed_ns() + int(_ARRIVAL_S * 1e9)
                while not await self._is_joined(client, name):
                    if self._clock.elapsed_ns() > until:
                        self._of_tables.append(f"{name} does not join")
                        break
                    await asyncio.sleep(1)
            except SqlError as error:
                if error.sqlstate is not Sqlstate.UNDEFINED_TABLE:
                    raise
                await client.query("ROLLBACK")

    async def _observe(self, client: SimClient, as_of: int | None = None) -> SourceRead:
        asked = self._clock.elapsed_ns()
        rows = await client.query(_OBSERVE if as_of is None else f"{_OBSERVE} AS OF {as_of}")
        timestamp = rows[0][4]
        assert isinstance(timestamp, int)
        source: Contents = Counter(
            (text, partition, offset) for kind, text, partition, offset, _ in rows if kind == "s"
        )
        seen = SourceRead(
            asked,
            self._clock.elapsed_ns(),
            timestamp,
            source,
            _numbers(rows, "progress"),
            _numbers(rows, "p"),
            _numbers(rows, "v"),
            as_of is not None,
        )
        self._seen.append(seen)
        return seen

    async def _all_arrive(self, client: SimClient) -> list[str]:
        """All that there is upstream, before long."""
        until = self._clock.elapsed_ns() + int(_ARRIVAL_S * 1e9)
        while (seen := await self._observe(client)).progress != self._log.end:
            if self._clock.elapsed_ns() > until:
                return [f"of {self._log.end} no more than {seen.progress} arrives"]
            await asyncio.sleep(1)
        return []


def _numbers(rows: Sequence[Row], kind: str) -> Bounds:
    numbers = [(_number(row[2]), _number(row[3])) for row in rows if row[0] == kind]
    assert len(dict(numbers)) == len(numbers), f"a partition has several rows: {kind} {numbers}"
    return dict(numbers)


def _number(datum: Datum) -> int:
    assert isinstance(datum, int)
    return datum
