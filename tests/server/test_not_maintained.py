"""A view whose dataflow is not done, fails or stands still is silent to nobody: reads compute what they need, and what
can't be had without the dataflow ends with its error."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import pytest

from compute.replica.dataflows.direct import Direct
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from server.planning import long_texts
from tests.compute.dataflows.interpreted import Interpreted
from tests.server.world import World, fails, simulated
from tests.simulation.incarnation import SimClient

T = TypeVar("T")

READS = (
    "SELECT b, n FROM m ORDER BY b",
    "SELECT b, n FROM on_m ORDER BY b",
    "SELECT b, n FROM v ORDER BY b",
    "SELECT n FROM m WHERE b = 'x'",
    "SELECT n FROM v WHERE b = 'x'",
    "SELECT a FROM t WHERE b = 'x' ORDER BY a",
    "SELECT v.n, m.n FROM v, m, on_m WHERE v.b = m.b AND m.b = on_m.b ORDER BY 1",
    "SELECT count(*) FROM (SELECT b FROM m UNION SELECT b FROM v) AS every",
    "SELECT sum(n) FROM m",
)


class Dataflows:
    """What becomes of the ticks of all dataflows from now on: nothing of note, or what `trouble` does first."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.trouble: Callable[[], Awaitable[None]] | None = None
        for kind in (Interpreted, Direct):
            monkeypatch.setattr(kind, "tick", self._troubled(kind.tick))

    def _troubled(self, tick: Callable[..., Awaitable[T]]) -> Callable[..., Awaitable[T]]:
        async def troubled(maintained: Any, inputs: Mapping[GlobalId, Any], *arguments: Any) -> T:
            if self.trouble is not None:
                await self.trouble()
            return await tick(maintained, inputs, *arguments)

        return troubled


async def fail() -> None:
    raise ValueError("value at index is null")


async def fail_late() -> None:
    await asyncio.sleep(5)
    await fail()


async def stand_still() -> None:
    await asyncio.get_running_loop().create_future()


@pytest.fixture
def dataflows(monkeypatch: pytest.MonkeyPatch) -> Dataflows:
    return Dataflows(monkeypatch)


async def created(client: SimClient) -> None:
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'x'), (3, 'y')")
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT b, count(*) AS n FROM t GROUP BY b")
    await client.query("CREATE MATERIALIZED VIEW on_m AS SELECT * FROM m")
    await client.query("CREATE VIEW v AS SELECT b, count(*) AS n FROM t GROUP BY b")
    await client.query("CREATE INDEX ON v (b); CREATE INDEX ON m (b); CREATE INDEX ON t (b)")


async def answers(client: SimClient) -> list[object]:
    """Of all reads, each by itself, then in one transaction."""
    found: list[object] = [await client.query(each) for each in READS]
    await client.query("BEGIN")
    found += [await client.query(each) for each in READS]
    await client.query("COMMIT; DELETE FROM u; INSERT INTO u SELECT n, b FROM m")
    return [*found, await client.query("SELECT * FROM u ORDER BY b")]


async def expected(client: SimClient) -> list[object]:
    """What `answers` are, by other queries."""
    counted: list[Any] = await client.query("SELECT b, count(*) FROM t GROUP BY b")
    n = dict(counted)
    totals = sorted(n.items())
    x = await client.query("SELECT a FROM t WHERE b::text || '' = 'x' ORDER BY a")
    of_x = [(n["x"],)]
    each = [
        totals,
        totals,
        totals,
        of_x,
        of_x,
        x,
        sorted((n, n) for n in n.values()),
        [(len(n),)],
        [(sum(n.values()),)],
    ]
    return [*each, *each, [(count, b) for b, count in totals]]


@pytest.mark.parametrize("trouble", [fail, fail_late, stand_still])
def test_reads_of_what_never_hydrates_are_computed(
    dataflows: Dataflows, trouble: Callable[[], Awaitable[None]]
) -> None:
    dataflows.trouble = trouble

    async def law(world: World) -> None:
        client = world.client()
        await created(client)
        assert await answers(client) == await expected(client)

    simulated(law)()


def test_keys_are_found_without_an_index_that_never_hydrates(dataflows: Dataflows) -> None:
    dataflows.trouble = stand_still

    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE TABLE k (a int PRIMARY KEY, b int)")
        await client.query("INSERT INTO k VALUES (1, 1), (2, 1)")
        await client.query("INSERT INTO k VALUES (1, 0) ON CONFLICT (a) DO UPDATE SET b = 2")
        assert await fails(client, "INSERT INTO k VALUES (2, 0)") == "23505"
        assert await client.query("SELECT a, b FROM k ORDER BY a") == [(1, 2), (2, 1)]

    simulated(law)()


@pytest.mark.parametrize("trouble", [fail, fail_late])
def test_reads_of_what_fails_later_are_computed(dataflows: Dataflows, trouble: Callable[[], Awaitable[None]]) -> None:
    async def law(world: World) -> None:
        client = world.client()
        await created(client)
        await client.query("REFRESH MATERIALIZED VIEW on_m")
        dataflows.trouble = trouble
        await client.query("INSERT INTO t VALUES (4, 'x'), (5, 'z')")
        waiting = [asyncio.ensure_future(world.client().query(each)) for each in READS]
        wanted = await expected(client)
        assert [await each for each in waiting] == wanted[: len(READS)]
        assert await answers(client) == wanted

    simulated(law)()


def test_a_view_that_failed_is_read_from_where_it_is_kept_once_it_is_maintained_again(dataflows: Dataflows) -> None:
    async def law(world: World) -> None:
        client = world.client()
        await created(client)
        dataflows.trouble = fail
        await client.query("INSERT INTO t VALUES (4, 'x')")
        assert await answers(client) == await expected(client)
        dataflows.trouble = None
        await client.query("REFRESH MATERIALIZED VIEW on_m")
        plan = await client.query("EXPLAIN PHYSICAL PLAN FOR SELECT * FROM on_m")
        assert any("shard" in str(line) for (line,) in plan)
        assert await answers(client) == await expected(client)

    simulated(law)()


@pytest.mark.parametrize(
    "statement",
    [
        "REFRESH MATERIALIZED VIEW m",
        "REFRESH MATERIALIZED VIEW on_m",
        "CHECK VIEW m",
        "CHECK VIEW v",
        "CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT b, count(*) + 1 AS n FROM t GROUP BY b",
        "COPY (SUBSCRIBE m) TO STDOUT",
        "COPY (SUBSCRIBE on_m) TO STDOUT",
        "COPY (SUBSCRIBE v) TO STDOUT",
    ],
)
def test_who_needs_the_dataflow_itself_gets_its_error(dataflows: Dataflows, statement: str) -> None:
    async def law(world: World) -> None:
        client = world.client()
        await created(client)
        await client.query("REFRESH MATERIALIZED VIEW on_m")
        dataflows.trouble = fail
        await client.query("INSERT INTO t VALUES (4, 'x')")
        for _ in range(2):
            with pytest.raises(SqlError) as raised:
                await streamed(client, statement) if "SUBSCRIBE" in statement else await client.query(statement)
            assert raised.value.sqlstate.value == "55000" and "value at index is null" in (raised.value.detail or "")

    simulated(law)()


async def streamed(client: SimClient, statement: str) -> None:
    """Reads a subscription to its end."""
    async for result in client.session.simple_query(statement):
        async for _ in result.batches:  # type: ignore[union-attr]
            pass


def test_a_view_that_could_not_be_installed_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def law(world: World) -> None:
        client = world.client()
        await created(client)
        await client.query("REFRESH MATERIALIZED VIEW on_m")

        def broken(*_: object) -> None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, "no such function")

        monkeypatch.setattr("server.start.resuming.outline", broken)
        await world.restart()
        client = world.client()
        await client.query("INSERT INTO t VALUES (4, 'x')")
        assert await answers(client) == await expected(client)
        assert await fails(client, "REFRESH MATERIALIZED VIEW m") == "55000"

    simulated(law)()


def test_a_start_gives_up_a_plan_of_too_many_steps_and_keeps_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async def law(world: World) -> None:
        client = world.client()
        await client.query("INSERT INTO t VALUES (1, 'x')")
        await client.query("CREATE MATERIALIZED VIEW small AS SELECT a FROM t")
        many = " UNION ALL ".join(f"SELECT a + {number} FROM t" for number in range(200))
        await client.query(f"CREATE MATERIALIZED VIEW large AS {many}")
        for limit in ("STEPS_IN_QUICK_LANE_MAX", "STEPS_MAX"):
            monkeypatch.setattr(long_texts, limit, 100)
        await world.restart()
        environment = world.life.environment
        failed = {
            environment.catalog.state.items[id_].name: error for id_, error in environment.dataflows.failed.items()
        }
        assert {name: error.sqlstate for name, error in failed.items()} == {"large": Sqlstate.STATEMENT_TOO_COMPLEX}
        assert await world.client().query("SELECT * FROM small") == [(1,)]

    simulated(law)()
