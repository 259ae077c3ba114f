"""Two clusters of several replicas each, over which views, indexes and subscribes spread: replicas lag, die, come back
with what they kept, stand still, are dropped and added; objects move between clusters; environments replace each other.

One writer counts: its transaction j adds a row j and takes the oldest away, so what any view holds says which j it is
of. No answer is of a transaction that was not asked for yet, or of one before those that were known when it was asked;
a subscribe goes through them in order; frontiers never go back. Trouble befalls a replica only while its cluster has
another one that is up to date: then no statement fails, and none waits long.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractContextManager, aclosing, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from catalog.nouns.clusters import ClusterReplica
from compute.controller.clusters import ComputeClusters
from compute.controller.replication import ExportFrontiers
from compute.replica.running.watch import ROUND_S
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId, Namespace
from model.time.timestamp import Timestamp
from model.types.datum import Datum, Row
from server.pgwire.backend import CopyOut, Rows
from tests.simulation.cluster_hosts import ClusterHost, ClusterPlaces
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, dismiss, task_of_its_life
from tests.simulation.kept_interpreted import Witness
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE
from timeline.fence import Fenced

Plant = Callable[[], AbstractContextManager[object]]

_LIVES, _READERS, _SUBSCRIBERS = 3, 2, 2
_WINDOW, _KEYS = 5, 3
_PATIENCE_S, _WAITED_S_MAX, _END_S = ROUND_S + 5.0, 30.0, 1_200.0
"""A dataflow of which nobody reads, and whose inputs stay the same, hears once a round that time has passed."""
_CLUSTERS = ("c", "d")
_SETUP = (
    "CREATE TABLE t (n int8, k int8)",
    "CREATE VIEW v AS SELECT k, count(*) AS c, sum(n)::int8 AS s FROM t GROUP BY k",
    "CREATE INDEX i IN CLUSTER c ON v (k)",
    "CREATE MATERIALIZED VIEW m IN CLUSTER c AS SELECT k, count(*) AS c, sum(n)::int8 AS s FROM t GROUP BY k",
    "CREATE MATERIALIZED VIEW over_m IN CLUSTER d AS SELECT 9::int8 AS k, sum(c)::int8 AS c, sum(s)::int8 AS s FROM m",
    "CREATE VIEW w AS SELECT k, c, s FROM over_m",
    "CREATE INDEX j IN CLUSTER d ON w (k)",
)
_MOVED = ("INDEX i", "INDEX j", "MATERIALIZED VIEW m", "MATERIALIZED VIEW over_m")
_RELATIONS = ("v", "m", "over_m", "w")


def run_clusters(seed: int, planted: Plant = nullcontext, witness: Witness | None = None) -> list[str]:
    """The violations that the seed shows; none, of a system without a bug."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    with planted(), tempfile.TemporaryDirectory() as root:
        simulation = _Simulation(seed, loop, Path(root), witness or Witness())
        return run_virtual(loop, asyncio.wait_for(simulation.run(), _END_S))


def _contents(relation: str, j: int) -> Counter[Row]:
    """What a relation holds after transaction j."""
    if j == 0 and relation in ("over_m", "w"):
        return Counter({(9, None, None): 1})
    of: dict[int, list[int]] = {}
    for n in range(max(1, j - _WINDOW + 1), j + 1):
        of.setdefault(n % _KEYS if relation in ("v", "m") else 9, []).append(n)
    return Counter((key, len(ns), sum(ns)) for key, ns in of.items())


@dataclass(slots=True)
class _Truth:
    """`known`: the last transaction that a client was told of, or has seen; `asked`: the last that was asked for."""

    known: int = 0
    asked: int = 0
    violations: list[str] = field(default_factory=list)

    def judge(
        self, what: str, relation: str, since: int, found: Counter[Row], key: Datum = None, until: int | None = None
    ) -> int:
        """Notes whether the answer is of some transaction, from `since` on to `until`, and returns of which."""
        until = self.asked if until is None else until
        for j in range(since, until + 1):
            if found == Counter({row: n for row, n in _contents(relation, j).items() if key in (None, row[0])}):
                if key is None:
                    self.known = max(self.known, j)
                return j
        told = f"{what} gave {sorted(found.elements())}: of none of {since} to {until}"
        self.violations.append(told)
        return since


class _Simulation:
    def __init__(self, seed: int, loop: VirtualLoop, root: Path, witness: Witness) -> None:
        self._source = random.Random(seed)
        self._clock = VirtualClock(loop)
        self._places = Places(MemoryConsensus(self._sync), MemoryBlob(self._sync))
        self._hosts = ClusterPlaces(self._places, self._clock, self._source, root, witness)
        self._truth = _Truth()
        self._lives = self._clients = self._added = 0
        self._seen: list[tuple[int, int]] = []
        self._moving = (_MOVED[-1], "d")
        self._ending: set[int] = set()
        self._over: set[int] = set()
        self._troubled = {name: asyncio.Lock() for name in _CLUSTERS}

    async def _sync(self) -> None:
        await asyncio.sleep(self._source.random() * 0.003)

    async def run(self) -> list[str]:
        life = await self._begin()
        client = self._client(life)
        for name in _CLUSTERS:
            replicas = ", ".join(f"{name}{number} ()" for number in range(self._source.randint(2, 3)))
            await client.query(f"CREATE CLUSTER {name} REPLICAS ({replicas})")
        for statement in _SETUP:
            await client.query(statement)
        for _ in range(_LIVES - 1):
            life = await self._live(life)
        await self._live(life, last=True)
        return [*self._places.violations, *self._truth.violations]

    async def _begin(self) -> Incarnation:
        self._lives += 1
        number = self._lives

        async def begin() -> Incarnation:
            own = (self._places, self._clock, self._source, RELIABLE)
            return await begin_life(
                number, *own, outliving=self._hosts.first, replica_places=self._hosts, keep_alive_ms=1_000
            )

        life = await asyncio.wait_for(asyncio.create_task(begin()), _PATIENCE_S)
        told: dict[GlobalId, ExportFrontiers] = {}

        def follow(id_: GlobalId, frontiers: ExportFrontiers) -> None:
            before = told.get(id_, frontiers)
            if not (before.upper.precedes(frontiers.upper) and before.since.precedes(frontiers.since)):
                self._truth.violations.append(f"frontiers of {id_} went back: {before}, then {frontiers}")
            told[id_] = frontiers

        life.environment.compute.dataflows.on_frontiers(follow)
        return life

    def _client(self, life: Incarnation) -> SimClient:
        self._clients += 1
        return SimClient(life.environment, 1_000 + self._clients)

    async def _live(self, life: Incarnation, *, last: bool = False) -> Incarnation:
        """Clients work while the life lasts; the next one is given back."""
        writer = asyncio.create_task(self._write(life))
        others = [self._read] * _READERS + [self._subscribe] * _SUBSCRIBERS + [self._operate]
        clients = [asyncio.create_task(self._guarded(life, each)) for each in others]
        clients += [asyncio.create_task(self._trouble(life, name)) for name in _CLUSTERS]
        await asyncio.sleep(self._source.choice((1.0, 3.0, 8.0)))
        if last:
            await self._end_well(life, [writer, *clients])
            return life
        if self._source.random() < 0.4:
            await self._settle(life)
        takeover = self._source.random() < 0.5
        self._raise(await dismiss([writer]))
        if not takeover:
            self._end(life)
        self._ending.add(life.number)
        following = await self._begin()
        if takeover:
            await asyncio.sleep(self._source.random() * 0.5)
            self._end(life)
        self._raise(each for each in await dismiss(clients) if not isinstance(each, Fenced))
        return following

    def _raise(self, failures: Iterable[BaseException]) -> None:
        for failure in failures:
            raise failure

    def _end(self, life: Incarnation) -> None:
        self._ending.add(life.number)
        self._over.add(life.number)
        life.kill()
        self._hosts.lose(life.number)

    async def _end_well(self, life: Incarnation, clients: list[asyncio.Task[None]]) -> None:
        """All trouble over, everything comes to what it is to be."""
        self._ending.add(life.number)
        self._raise(await dismiss(clients))
        await self._settle(life)
        for name in _CLUSTERS:
            client = self._client(life)
            await client.query(f"SET cluster = {name}")
            for relation in _RELATIONS:
                await self._ask(client, relation)
        for what in ("INDEX i", "INDEX j", "MATERIALIZED VIEW m", "MATERIALIZED VIEW over_m"):
            self._truth.violations += [f"CHECK {what}: {row}" for row in await client.query(f"CHECK {what}")]
        life.kill()
        for host in self._hosts.all:
            host.crash()
        await asyncio.sleep(0.01)

    async def _settle(self, life: Incarnation) -> None:
        """Waits until all that is to be maintained is, by all replicas. A subscribe without a reader may stand
        still."""
        for name in _CLUSTERS:
            try:
                async with asyncio.timeout(_PATIENCE_S), self._troubled[name]:
                    await self._calm(life, name, followed=False)
            except TimeoutError:
                self._truth.violations.append(f"cluster {name} does not come up to date")

    # What clients do

    async def _guarded(self, life: Incarnation, party: Callable[[Incarnation], Awaitable[None]]) -> None:
        """Does something again and again: whatever fails while its life lasts is a violation."""
        while life.number not in self._over:
            try:
                await party(life)
            except SqlError as error:
                # An answer of which rows were seen ends with its replica, also where that is dropped.
                if life.number not in self._ending and error.detail != "the replica was dropped":
                    told = f"{party.__name__}: {error.sqlstate.name}: {error.message} ({error.detail})"
                    self._truth.violations.append(told)
                    return
            await asyncio.sleep(self._source.random())

    async def _write(self, life: Incarnation) -> None:
        """Counts on from what there is, which is known after that."""
        truth, client = self._truth, self._client(life)
        ((found,),) = await client.query("SELECT coalesce(max(n), 0) FROM t")
        assert isinstance(found, int)
        if not truth.known <= found <= truth.asked:
            truth.violations.append(f"transaction {found} is the last, of {truth.known} to {truth.asked}")
        truth.known = truth.asked = found
        while True:
            truth.asked += 1
            j = truth.asked
            change = f"INSERT INTO t VALUES ({j}, {j % _KEYS}); DELETE FROM t WHERE n = {j - _WINDOW}"
            await client.query(f"BEGIN; {change}; COMMIT")
            truth.known = max(truth.known, j)
            await asyncio.sleep(self._source.random() * self._source.choice((0.1, 1.0, 2.0)))

    async def _read(self, life: Incarnation) -> None:
        client = self._client(life)
        await client.query(f"SET cluster = {self._source.choice(_CLUSTERS)}")
        await self._ask(client, self._source.choice(_RELATIONS))

    async def _ask(self, client: SimClient, relation: str) -> None:
        """Reads a relation, or a key of it, and judges the answer and how long it took."""
        truth, begun_s = self._truth, self._clock.elapsed_ns() / 1e9
        keys = (0, 1, 2) if relation in ("v", "m") else (9,)
        key = self._source.choice((None, *keys))
        sql = f"SELECT k, c, s, mz_now() FROM {relation}" + ("" if key is None else f" WHERE k = {key}")
        since, until = truth.known, None
        if self._seen and self._source.random() < 0.3:
            # What was seen once, is seen again.
            time, since = self._source.choice(self._seen)
            until, sql = since, f"{sql} AS OF {time}"
        found = await client.query(sql)
        j = truth.judge(sql, relation, since, Counter(row[:3] for row in found), key, until)
        if key is None and until is None and found:
            self._seen.append((int(str(found[0][3])), j))
        waited_s = self._clock.elapsed_ns() / 1e9 - begun_s
        if waited_s > _WAITED_S_MAX:
            truth.violations.append(f"{sql} took {waited_s} s")

    async def _subscribe(self, life: Incarnation) -> None:
        """Follows a relation for a while."""
        client, relation = self._client(life), self._source.choice(_RELATIONS)
        await client.query(f"SET cluster = {self._source.choice(_CLUSTERS)}")
        until_s = self._clock.elapsed_ns() / 1e9 + self._source.choice((1.0, 5.0, 20.0))
        held: Counter[Row] = Counter()
        upper, of = 0, self._truth.known
        rows = _stream(client, f"SUBSCRIBE (SELECT k, c, s FROM {relation}) WITH (PROGRESS)")
        try:
            while life.number not in self._over and self._clock.elapsed_ns() / 1e9 < until_s:
                async with asyncio.timeout(_WAITED_S_MAX):
                    time, progressed, diff, *row = await anext(rows)
                assert isinstance(time, Decimal | int)
                time = int(time)
                if time < upper:
                    self._truth.violations.append(f"{relation} was complete up to {upper}, then came {time}: {row}")
                if not progressed:
                    assert isinstance(diff, int)
                    held[tuple(row)] += diff
                elif time > upper and upper:
                    of = self._truth.judge(f"SUBSCRIBE {relation} at {time}", relation, of, +held)
                    if any(count < 0 for count in held.values()):
                        self._truth.violations.append(f"SUBSCRIBE {relation} took away too much: {held}")
                if progressed:
                    upper = time
        except TimeoutError:
            if life.number not in self._ending:
                self._truth.violations.append(f"SUBSCRIBE {relation} stood still at {upper}")
        finally:
            await rows.aclose()

    async def _operate(self, life: Incarnation) -> None:
        """Moves an object, or has a replica go or come."""
        client = self._client(life)
        if self._source.random() < 0.6:
            if self._source.random() < 0.6:
                self._moving = self._source.choice(_MOVED), self._source.choice(_CLUSTERS)
            else:
                # It goes back where it came from.
                self._moving = self._moving[0], "d" if self._moving[1] == "c" else "c"
            what, name = self._moving
            await client.query(f"ALTER {what} SET CLUSTER {name}")
            return
        name = self._source.choice(_CLUSTERS)
        replicas = [each.name for each in self._replicas(life, name)]
        if len(replicas) > 2 and self._source.random() < 0.7:
            async with self._calmly(life, name):
                await client.query(f"DROP CLUSTER REPLICA {name}.{self._source.choice(replicas)}")
        else:
            self._added += 1
            await client.query(f"CREATE CLUSTER REPLICA {name}.added{self._added}")
        await asyncio.sleep(self._source.random() * 2)

    # What befalls replicas

    def _replicas(self, life: Incarnation, name: str) -> tuple[ClusterReplica, ...]:
        (cluster,) = (each for each in life.environment.catalog.state.clusters.values() if each.name == name)
        return cluster.replicas

    def _hosts_of(self, life: Incarnation, name: str) -> list[ClusterHost]:
        return [self._hosts.hosts[each.oid] for each in self._replicas(life, name) if each.oid in self._hosts.hosts]

    async def _calm(self, life: Incarnation, name: str, *, followed: bool = True) -> None:
        """Returns once each replica of the cluster is complete at a time of now in all that it is to maintain, and in
        what is `followed`."""
        now = await life.environment.oracle.read_ts()
        compute = life.environment.compute
        assert isinstance(compute, ComputeClusters)
        while True:
            (oid,) = (oid for oid, each in life.environment.catalog.state.clusters.items() if each.name == name)
            served = compute.dataflows._clusters[oid]
            wanted = [
                id_
                for id_, each in compute.dataflows._exports.items()
                if each.cluster is served and each.everywhere and (followed or id_.namespace is not Namespace.TRANSIENT)
            ]
            ready = all(each.phase.name == "READY" for each in compute._clusters[oid].statuses())
            if ready and all(_has(host, id_, now) for host in self._hosts_of(life, name) for id_ in wanted):
                return
            await asyncio.sleep(0.2)

    @asynccontextmanager
    async def _calmly(self, life: Incarnation, name: str) -> AsyncIterator[None]:
        """Lets nothing else befall the cluster meanwhile, once all of its replicas are up to date."""
        async with self._troubled[name]:
            await self._calm(life, name)
            yield

    async def _trouble(self, life: Incarnation, name: str) -> None:
        while life.number not in self._over:
            await asyncio.sleep(self._source.random() * 2)
            async with self._calmly(life, name):
                host = self._source.choice(self._hosts_of(life, name))
                try:
                    self._befall(host)
                    await asyncio.sleep(self._source.choice((0.1, 1.0, 4.0)))
                finally:
                    host.thaw()
                    host.available, host.lag_s = True, self._source.choice((0.0, 0.02, 0.3))

    def _befall(self, host: ClusterHost) -> None:
        match self._source.choice(("dead", "dead", "frozen", "frozen", "late")):
            case "dead":
                host.available = False
                host.crash()
            case "frozen":
                host.freeze(seen=self._source.random() < 0.5)
            case _:
                host.lag_s = 3.0


def _has(host: ClusterHost, id_: GlobalId, time: Timestamp) -> bool:
    """Returns whether a replica has an export at a time."""
    running = host._state._of(id_)
    upper = None if running is None else running.frontiers[id_].upper
    return upper is not None and not upper.less_equal(time)


async def _stream(client: SimClient, sql: str) -> AsyncGenerator[Row]:
    # Whoever stops to read ends the subscribe at once, not when its last generator is collected.
    async with aclosing(client.session.simple_query(sql)) as results:
        async for result in results:
            assert isinstance(result, Rows | CopyOut)
            async for batch in result.batches:
                for row in batch:
                    yield row
