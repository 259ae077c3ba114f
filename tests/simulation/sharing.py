"""Views of equal queries, which share dataflows: materialized views and indexes of two queries come, go and are
replaced while rows change, and replicas die at any step of a tick, a round, a commit, a checkpoint or a joining, some
with their environments. What dies leaves its disk to the next; environments die while their replica goes on, and are
taken over.

Each read is of the table and of all views at one time. So at every time, then and later, each view must hold what its
query makes of the rows that the same read has found; so must what is looked up in an index. A time gives one answer.

With some seeds the table keeps a second of its past, and what dataflows hold. A view of earlier times is then judged by
what the table was found to hold when it could be read.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Row
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, dismiss, task_of_its_life
from tests.simulation.kept_interpreted import Witness
from tests.simulation.outliving import OutlivingHost
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE, Faults

_LIVES, _OPERATIONS, _KEYS, _LATER_READS = 4, 12, 4, 12
_STEPS_MAX = 120
_PATIENCE_S, _END_S = 120.0, 1_200.0
_FAULTS = Faults(done=20, not_done=20, read_failure=20, latency_ms_max=4)
_QUERIES = {
    "sums": "SELECT k % 2 AS g, count(*) AS n, sum(x)::int8 AS s FROM t GROUP BY k % 2",
    "ends": "SELECT k AS g, max(x) AS n, min(x) AS s FROM t GROUP BY k",
}
_VIEWS = {"va": "sums", "vb": "sums", "vc": "ends"}
_INDEXES = {"va_g": "va (g)", "va_n": "va (n)", "vb_g": "vb (g)", "vc_g": "vc (g)"}
_MATERIALIZED = ("ma", "mb", "mc")
_SETUP = (
    "CREATE TABLE t (k int8, x int8)",
    "INSERT INTO t VALUES (0, 1), (1, 2), (2, 3)",
    *(f"CREATE VIEW {name} AS {_QUERIES[query]}" for name, query in _VIEWS.items()),
    *(f"CREATE INDEX {name} ON {on}" for name, on in _INDEXES.items() if name != "va_n"),
    *(f"CREATE MATERIALIZED VIEW {name} AS {_QUERIES['sums']}" for name in _MATERIALIZED[:2]),
)
_MAY_FAIL = (
    Sqlstate.SERIALIZATION_FAILURE,
    Sqlstate.STATEMENT_COMPLETION_UNKNOWN,
    Sqlstate.ADMIN_SHUTDOWN,
    Sqlstate.SYSTEM_ERROR,
    Sqlstate.CANNOT_CONNECT_NOW,
    Sqlstate.IO_ERROR,
    Sqlstate.QUERY_CANCELED,
)
_NOT_THERE = (Sqlstate.UNDEFINED_TABLE, Sqlstate.UNDEFINED_OBJECT)
Plant = Callable[[], AbstractContextManager[object]]


def run_sharing(seed: int, planted: Plant = nullcontext, witness: Witness | None = None) -> list[str]:
    """The violations that the seed shows; none, of a system without a bug."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    with planted(), tempfile.TemporaryDirectory() as root:
        simulation = _Simulation(seed, loop, Path(root), witness or Witness())
        return run_virtual(loop, asyncio.wait_for(simulation.run(), _END_S))


@dataclass(slots=True)
class _Materialized:
    """A name's query, None where there is no such view; `settled`: that is known. `since`: a time at which it was
    there already. `changes` counts what was asked of it."""

    query: str | None = None
    settled: bool = True
    since: int = 0
    changes: int = 0


@dataclass(slots=True)
class _Record:
    """What each time has shown: of the table, and of each view."""

    rows: dict[int, Counter[Row]] = field(default_factory=dict)
    looked_up: list[tuple[int, str, list[Row]]] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)


class _Simulation:
    def __init__(self, seed: int, loop: VirtualLoop, root: Path, witness: Witness) -> None:
        self._source = random.Random(seed)
        self._clock = VirtualClock(loop)
        self._places = Places(MemoryConsensus(self._sync), MemoryBlob(self._sync))
        self._materialized = {name: _Materialized() for name in _MATERIALIZED}
        self._indexes: dict[str, bool | None] = {name: name != "va_n" for name in _INDEXES}
        self._record = _Record()
        self._short = self._source.random() < 0.5
        self._lives = self._clients = 0
        self._steps_max = _STEPS_MAX
        self._fallen = asyncio.Event()
        self._host = OutlivingHost(
            1_000, self._places, self._clock, self._source, root, self._steps_to_live, self._fall
        )
        self._host.witness = witness

    async def _sync(self) -> None:
        await asyncio.sleep(self._source.random() * 0.003)

    def _steps_to_live(self) -> int:
        return self._source.randrange(self._steps_max)

    def _fall(self) -> None:
        """A replica has died; its environment at times with it."""
        if self._source.random() < 0.4:
            self._fallen.set()

    async def run(self) -> list[str]:
        self._steps_max, mortal = 10**9, self._steps_max
        life = await self._begin(RELIABLE)
        client = self._client(life)
        for statement in _SETUP:
            await client.query(statement)
        if self._short:
            await client.query("ALTER TABLE t SET (RETAIN HISTORY FOR '1s')")
        for name in _MATERIALIZED[:2]:
            await self._is_there(client, name, "sums")
        await asyncio.sleep(self._source.choice((0.5, 3.0)))
        self._steps_max = mortal
        if self._source.random() < 0.7:
            self._host.crash()
        for _ in range(_LIVES - 1):
            life = await self._live(life)
        self._end(life)
        self._steps_max = 10**9
        if self._source.random() < 0.5:
            self._host.crash()
        last = await self._begin(RELIABLE)
        await self._look_at_everything(self._client(last))
        last.kill()
        self._host.crash()
        await asyncio.sleep(0.01)
        return [*self._places.violations, *self._record.violations]

    async def _begin(self, faults: Faults) -> Incarnation:
        self._lives += 1
        number = self._lives
        self._host.faults = faults

        async def begin() -> Incarnation:
            own = (self._places, self._clock, self._source, faults)
            return await begin_life(number, *own, outliving=self._host, keep_alive_ms=1_000)

        return await asyncio.wait_for(asyncio.create_task(begin()), _PATIENCE_S)

    def _client(self, life: Incarnation) -> SimClient:
        self._clients += 1
        return SimClient(life.environment, 1_000 + self._clients)

    def _end(self, life: Incarnation) -> None:
        life.kill()
        self._host.lose(life.number)

    async def _live(self, life: Incarnation) -> Incarnation:
        """Clients work while the life lasts; the next one is given back."""
        self._fallen.clear()
        parties = (self._change, self._define, self._read, self._read)
        clients = [asyncio.create_task(self._work(life, party)) for party in parties]
        try:
            async with asyncio.timeout(self._source.choice((0.5, 3.0, 12.0))):
                await self._fallen.wait()
        except TimeoutError:
            if self._source.random() < 0.3:
                self._host.crash()
        takeover = not self._fallen.is_set() and self._source.random() < 0.4
        if not takeover:
            self._end(life)
        following = await self._begin(self._source.choice((RELIABLE, _FAULTS)))
        if takeover:
            await asyncio.sleep(self._source.random() * 0.2)
            self._end(life)
        for failure in await dismiss(clients):
            raise failure
        return following

    async def _work(self, life: Incarnation, party: Callable[[SimClient], object]) -> None:
        client = self._client(life)
        for _ in range(_OPERATIONS):
            try:
                await party(client)  # type: ignore[misc]
            except SqlError as error:
                if error.sqlstate not in _MAY_FAIL:
                    raise AssertionError(f"{error.sqlstate.name}: {error.message}") from error
                if client.session.transaction_status != "I":
                    await client.query("ROLLBACK")
            await asyncio.sleep(self._source.random() * self._source.choice((0.02, 1.0)))

    async def _change(self, client: SimClient) -> None:
        key, x = self._source.randrange(_KEYS), self._source.randrange(10)
        await client.query(
            self._source.choice(
                (
                    f"INSERT INTO t VALUES ({key}, {x}), ({x % _KEYS}, {key})",
                    f"INSERT INTO t VALUES ({key}, {x})",
                    f"DELETE FROM t WHERE k = {key} AND x < {x}",
                    f"UPDATE t SET x = x + 1 WHERE k = {key}",
                )
            )
        )

    async def _define(self, client: SimClient) -> None:
        """Something comes, goes or is replaced."""
        if self._source.random() < 0.4:
            name = self._source.choice([*_INDEXES])
            drop = self._indexes[name] is not False
            self._indexes[name] = None
            await client.query(f"DROP INDEX IF EXISTS {name}" if drop else f"CREATE INDEX {name} ON {_INDEXES[name]}")
            self._indexes[name] = not drop
            return
        name = self._source.choice(_MATERIALIZED)
        known = self._materialized[name]
        query = self._source.choice(("sums", "sums", "ends"))
        there, settled = known.query is not None, known.settled
        known.settled = False
        known.changes += 1
        if not settled or (there and self._source.random() < 0.5):
            await client.query(f"DROP MATERIALIZED VIEW IF EXISTS {name}")
            known.query, known.settled = None, True
            return
        await client.query(f"CREATE OR REPLACE MATERIALIZED VIEW {name} AS {_QUERIES[query]}")
        await self._is_there(client, name, query)

    async def _is_there(self, client: SimClient, name: str, query: str) -> None:
        ((now,),) = await client.query("SELECT mz_now()")
        known = self._materialized[name]
        known.query, known.settled, known.since = query, True, _number(now)

    async def _read(self, client: SimClient) -> None:
        match self._source.randrange(5):
            case 0 if self._record.rows:
                await self._observe(client, self._source.choice([*self._record.rows]))
            case 1:
                name, key = self._source.choice([*_VIEWS]), self._source.randrange(_KEYS)
                found = await client.query(f"SELECT g, n, s, mz_now() FROM {name} WHERE g = {key}")
                for *row, time in found:
                    self._record.looked_up.append((_number(time), name, [tuple(row)]))
            case _:
                await self._observe(client)

    async def _observe(self, client: SimClient, as_of: int | None = None) -> None:
        """The table and all views at one time, of which those are judged that nobody has touched meanwhile."""
        known = {
            name: (each.query, each.changes)
            for name, each in self._materialized.items()
            if each.query and each.settled and (as_of is None or as_of >= each.since)
        }
        views = {name: query for name, (query, _) in known.items()}
        recalled = as_of is not None and self._short
        if not recalled:
            views |= _VIEWS
        parts = ["SELECT 'now', 0, 0, 0, mz_now()"]
        parts += [f"SELECT '{name}', g, n, s, mz_now() FROM {name}" for name in views]
        parts += [] if recalled else ["SELECT 't', k, x, 0, mz_now() FROM t"]
        sql = " UNION ALL ".join(parts)
        try:
            rows = await client.query(sql if as_of is None else f"{sql} AS OF {as_of}")
        except SqlError as error:
            touched = any(self._materialized[name].changes != changes for name, (_, changes) in known.items())
            if error.sqlstate in _NOT_THERE and touched:
                return
            raise
        found: dict[str, list[Row]] = {}
        for what, *row, _ in rows:
            found.setdefault(str(what), []).append(tuple(row))
        time = _number(rows[0][4])
        table: Counter[Row] = Counter((k, x) for k, x, _ in found.get("t", ()))
        before = self._record.rows.setdefault(time, table)
        if before != table and not recalled:
            self._record.violations.append(f"t at {time} was {sorted(before.elements())}, then {sorted(table)}")
        for name, query in views.items():
            if name in _VIEWS or self._materialized[name].changes == known[name][1]:
                self._judge(name, str(query), time, found.get(name, ()))

    def _judge(self, name: str, query: str, time: int, found: Iterable[Row]) -> None:
        should = sorted(_result(query, self._record.rows[time]))
        if sorted(found) != should:
            self._record.violations.append(f"{name} ({query}) at {time}: {sorted(found)}, not {should}")

    async def _look_at_everything(self, client: SimClient) -> None:
        await self._observe(client)
        times = sorted(self._record.rows)
        if not self._short:
            times += [self._source.randrange(times[0], times[-1]) for _ in range(_LATER_READS)]
            times += [time for time, _, _ in self._record.looked_up]
        for time in sorted({*times}):
            await self._observe(client, time)
        for time, name, rows in self._record.looked_up:
            if time in self._record.rows and not set(rows) <= {*_result(_VIEWS[name], self._record.rows[time])}:
                self._record.violations.append(f"{rows} was looked up in {name} at {time}")
        await asyncio.sleep(5.0)
        for name, known in self._materialized.items():
            if known.query and known.settled:
                await self._check(client, f"MATERIALIZED VIEW {name}")
        for name, there in self._indexes.items():
            if there:
                await self._check(client, f"INDEX {name}")

    async def _check(self, client: SimClient, what: str) -> None:
        self._record.violations += [f"CHECK {what}: {row}" for row in await client.query(f"CHECK {what}")]


def _result(query: str, table: Counter[Row]) -> Iterator[tuple[int, int, int]]:
    """What a query makes of the table's rows, (k, x)."""
    of: dict[int, list[int]] = {}
    for k, x in table.elements():
        of.setdefault(_number(k) % 2 if query == "sums" else _number(k), []).append(_number(x))
    for g, xs in of.items():
        yield (g, len(xs), sum(xs)) if query == "sums" else (g, max(xs), min(xs))


def _number(datum: object) -> int:
    assert isinstance(datum, int)
    return datum
