"""Named read holds: what they keep readable, for how long, and that a client can come back to where it was."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from functools import partial

import pytest

from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.types.datum import Row
from server.pgwire.backend import StartupParameters
from server.session.session import Session
from storage.persist.state import Holder
from storage.seed_commands import SeedCommands
from tests.server.memory_server import memory_server
from tests.server.subscription.test_subscribe import Stream, contents, progressed, time_of
from tests.server.world import World, fails, now_of, simulated, value
from tests.simulation.incarnation import SimClient

_FRONTIER = "SELECT DISTINCT frontier::text::int8 FROM mz_catalog.mz_read_holds WHERE name = '{}'"


async def frontier(client: SimClient, name: str) -> int | None:
    """Where a hold is; None when it has expired."""
    found = await value(client, _FRONTIER.format(name))
    assert found is None or isinstance(found, int)
    return found


async def forget(world: World, *names: str) -> None:
    """Lets everything be compacted that may be: as if retention had run out."""
    environment = world.life.environment
    for item in environment.catalog.state.items.values():
        if item.name in names:
            upper = environment.storage.frontiers(item.id).upper.time
            assert upper is not None
            await SeedCommands(environment.storage).allow_compaction(item.id, Antichain.at(upper - 1))


def capabilities(world: World) -> Counter[GlobalId]:
    """Users' capabilities in force, by collection."""
    found: Counter[GlobalId] = Counter()
    for collection in world.life.environment.storage.collections():
        found[collection.id] += sum(held.holder is Holder.USER for held in collection.state.held)
    return Counter({id_: count for id_, count in found.items() if count})


@simulated
async def test_what_is_held_stays_readable_and_nothing_else_does(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'); INSERT INTO u VALUES (1, 'x')")
    before = await now_of(client)
    await client.query("INSERT INTO t VALUES (2, 'x')")
    await client.query("CREATE READ HOLD h ON t")
    held = await frontier(client, "h")
    assert held is not None and held > before
    await client.query("DELETE FROM t; DELETE FROM u")
    await world.clock.sleep(1)
    await forget(world, "t", "u")
    assert await value(client, f"SELECT count(*) FROM t AS OF {held}") == 2
    assert await fails(client, f"SELECT count(*) FROM t AS OF {held - 1}") == "22023"
    assert await fails(client, f"SELECT count(*) FROM u AS OF {held}") == "22023"
    later = await now_of(client)
    await client.query(f"ALTER READ HOLD h ADVANCE TO {later}")
    await forget(world, "t")
    assert await fails(client, f"SELECT count(*) FROM t AS OF {held}") == "22023"
    assert await value(client, f"SELECT count(*) FROM t AS OF {later}") == 0
    await client.query("INSERT INTO t VALUES (3, 'x')")
    await client.query("DROP READ HOLD h")
    await world.clock.sleep(1)
    await forget(world, "t")
    assert await fails(client, f"SELECT count(*) FROM t AS OF {later}") == "22023"
    assert not capabilities(world)


@simulated
async def test_a_hold_on_a_view_holds_all_that_it_is_made_of(world: World) -> None:
    client = world.client()
    await client.query("CREATE VIEW v AS SELECT t.a, u.b FROM t JOIN u ON t.a = u.a")
    await client.query("CREATE VIEW w AS SELECT a FROM v; INSERT INTO t VALUES (1, 'x')")
    await client.query("INSERT INTO u VALUES (1, 'x')")
    await client.query("CREATE READ HOLD h ON w")
    held = await frontier(client, "h")
    assert sorted(capabilities(world).values()) == [1, 1]
    await client.query("DELETE FROM u")
    await world.clock.sleep(1)
    await forget(world, "t", "u")
    assert await value(client, f"SELECT count(*) FROM w AS OF {held}") == 1
    changes = await client.query(f"SUBSCRIBE w WITH (SNAPSHOT = false) AS OF {held} UNTIL LATEST")
    assert [row[1:] for row in changes] == [(-1, 1)]


@simulated
async def test_a_lease_that_runs_out_releases_what_it_held(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("CREATE READ HOLD h ON t WITH LEASE '10 s'; CREATE READ HOLD k ON t WITH LEASE '10 s'")
    for _ in range(3):
        await world.clock.sleep(7)
        await client.query("ALTER READ HOLD h RENEW")
    assert await frontier(client, "h") is not None and await frontier(client, "k") is None
    assert len(capabilities(world)) == 1
    assert await fails(client, "ALTER READ HOLD k RENEW") == "55000"
    assert await fails(client, "CREATE READ HOLD l FROM k") == "55000"
    await client.query("DROP READ HOLD k; CREATE READ HOLD k ON t")
    await client.query("INSERT INTO t VALUES (2, 'x')")
    now = await now_of(client)
    await world.clock.sleep(7)
    await client.query(f"ALTER READ HOLD h ADVANCE TO {now}")
    await world.clock.sleep(7)
    assert await frontier(client, "h") == now, "to advance renews the lease too"
    shown = await client.query("SHOW READ HOLDS")
    assert [(row[0], row[1], row[3]) for row in shown] == [("h", "public.t", False), ("k", "public.t", False)]


@simulated
async def test_a_clone_is_a_hold_of_its_own(world: World) -> None:
    client = world.client()
    await client.query("CREATE READ HOLD h ON t")
    held = await frontier(client, "h")
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("CREATE READ HOLD h2 FROM h WITH LEASE '1 h'")
    await client.query("ALTER READ HOLD h ADVANCE TO mz_now()")
    assert await frontier(client, "h2") == held
    moved = await frontier(client, "h")
    assert held is not None and moved is not None and moved > held
    await client.query("DROP READ HOLD h")
    assert await frontier(client, "h2") == held


@simulated
async def test_to_transfer_a_hold_voids_the_capability_it_was(world: World) -> None:
    client = world.client()
    await client.query("CREATE READ HOLD h ON t WITH LEASE '1 h'")
    held = await frontier(client, "h")
    catalog = world.life.environment.catalog
    before = dict(catalog.state.read_holds["h"].capabilities)
    await client.query("ALTER READ HOLD h OWNER TO headwater")
    after = dict(catalog.state.read_holds["h"].capabilities)
    assert before.keys() == after.keys() and not set(before.values()) & set(after.values())
    assert await frontier(client, "h") == held
    for id_, capability in before.items():
        assert world.life.environment.storage.held(id_, capability) is None
    assert await fails(client, "ALTER READ HOLD h OWNER TO nobody") == "42704"


@simulated
async def test_holds_belong_to_their_transaction(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("BEGIN; CREATE READ HOLD h ON t")
    assert await value(client, "SELECT count(*) FROM mz_catalog.mz_read_holds") == 1
    assert await value(other, "SELECT count(*) FROM mz_catalog.mz_read_holds") == 0
    assert await fails(client, "ALTER READ HOLD h RENEW") == "55000"
    await client.query("ROLLBACK")
    assert not capabilities(world)
    await client.query("CREATE READ HOLD h ON t")
    held = await frontier(client, "h")
    await client.query("BEGIN; SAVEPOINT s; ALTER READ HOLD h ADVANCE TO mz_now(); ROLLBACK TO s; COMMIT")
    assert await frontier(client, "h") == held
    await client.query("BEGIN; DROP READ HOLD h; ROLLBACK")
    assert await frontier(client, "h") == held
    await client.query("BEGIN READ ONLY")
    assert await fails(client, "ALTER READ HOLD h RENEW") == "25006"
    await client.query("ROLLBACK; BEGIN")
    await client.query("ALTER READ HOLD h ADVANCE TO mz_now()")
    await other.query("DROP READ HOLD h")
    assert await fails(client, "COMMIT") == "42704"


@simulated
async def test_a_hold_begins_where_the_transaction_reads(world: World) -> None:
    client, writer = world.client(), world.client()
    await client.query("BEGIN")
    read = await value(client, "SELECT mz_now()::text::int8 FROM (SELECT count(*) FROM t) q")
    await client.query("CREATE READ HOLD h ON t")
    await client.query("COMMIT")
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    assert await frontier(client, "h") == read


@simulated
async def test_errors_say_what_is_wrong(world: World) -> None:
    client = world.client()
    await client.query("CREATE READ HOLD h ON t")
    now = await now_of(client)
    for sql, sqlstate in {
        "CREATE READ HOLD h ON t": "42710",
        "CREATE READ HOLD k ON nothing": "42P01",
        "CREATE READ HOLD k ON pg_catalog.pg_class": "0A000",
        "CREATE READ HOLD k ON t AT 5": "22023",
        f"CREATE READ HOLD k ON t AT {now + 100_000}": "22023",
        "CREATE READ HOLD k ON t WITH LEASE '-1 s'": "22023",
        "CREATE READ HOLD k FROM nothing": "42704",
        "ALTER READ HOLD nothing RENEW": "42704",
        "ALTER READ HOLD h ADVANCE TO 5": "22023",
        f"ALTER READ HOLD h ADVANCE TO {now + 100_000}": "22023",
        "ALTER READ HOLD h ADVANCE TO 'soon'": "22007",
        "DROP READ HOLD nothing": "42704",
    }.items():
        assert await fails(client, sql) == sqlstate, sql
    await client.query("CREATE READ HOLD IF NOT EXISTS h ON u; DROP READ HOLD IF EXISTS nothing, h")
    assert not capabilities(world)
    assert await fails(client, "BEGIN; CREATE TABLE w (a int); CREATE READ HOLD h ON w") == "55000"


@simulated
async def test_only_its_owner_may_touch_it(world: World) -> None:
    client = world.client()
    await client.query("CREATE ROLE eve")
    await client.query("CREATE READ HOLD h ON t")
    stranger = world.client()
    startup = StartupParameters("eve", "headwater", {}, "")
    stranger.session = Session(world.life.environment, 9999, 0, startup, client.session.client)
    assert await fails(stranger, "DROP READ HOLD h") == "42501"
    assert await fails(stranger, "ALTER READ HOLD h RENEW") == "42501"


@simulated
async def test_a_hold_goes_with_what_it_is_on(world: World) -> None:
    client = world.client()
    await client.query("CREATE VIEW v AS SELECT t.a FROM t JOIN u USING (a)")
    await client.query("CREATE READ HOLD h ON v, t; CREATE READ HOLD k ON u")
    assert sum(capabilities(world).values()) == 3
    await client.query("DROP VIEW v")
    assert sum(capabilities(world).values()) == 2, "what only the view needed is let go of"
    await client.query("DROP TABLE u")
    assert await value(client, "SELECT string_agg(name, ' ') FROM mz_catalog.mz_read_holds") == "h"
    await client.query("DROP TABLE t CASCADE")
    assert await value(client, "SELECT count(*) FROM mz_catalog.mz_read_holds") == 0
    assert not capabilities(world)


@pytest.mark.parametrize("seed", range(5))
def test_who_comes_back_goes_on_without_a_gap_or_a_repeat(seed: int) -> None:
    """The server is killed and the consumer with it, again and again, while history is compacted behind the hold."""

    @simulated
    async def law(world: World) -> None:
        source = random.Random(seed)
        setup = world.client()
        await setup.query("CREATE VIEW v AS SELECT a, count(*) AS n FROM t GROUP BY a")
        await setup.query("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
        await setup.query("CREATE READ HOLD h ON v")
        total: Counter[Row] = Counter()
        complete = 0
        for life in range(6):
            client = world.client()
            at = await frontier(client, "h")
            assert at is not None
            snapshot = life == 0
            stream = Stream(client, f"SUBSCRIBE v WITH (PROGRESS, SNAPSHOT = {snapshot}) AS OF {at}")
            writing = asyncio.create_task(_write(world, random.Random(f"{seed} {life}")))
            await writing
            goal = await now_of(world.client())
            rows = await stream.until(partial(_beyond, goal))
            # As far as it acknowledges: somewhere in what it saw, at a time that was complete.
            stop = source.choice([frontier for frontier in progressed(rows) if frontier > at])
            for row, count in contents(rows, stop).items():
                total[row] += count
            complete = stop
            await world.client().query(f"ALTER READ HOLD h ADVANCE TO {stop - 1}")
            await forget(world, "t")
            if source.random() < 0.7:
                await world.restart()
            else:
                await stream.leave()
        expected = await world.client().query(f"SELECT a, n FROM v AS OF {complete - 1}")
        assert Counter({row: count for row, count in total.items() if count}) == Counter(expected)

    law()


def _beyond(time: int, rows: list[Row]) -> bool:
    return bool(rows) and max(progressed(rows)) > time


async def _write(world: World, source: random.Random) -> None:
    client = world.client()
    for _ in range(6):
        a = source.randrange(4)
        await client.query(
            source.choice([f"INSERT INTO t VALUES ({a}, 'z')", f"DELETE FROM t WHERE a = {a}", f"UPDATE t SET a = {a}"])
        )
        await asyncio.sleep(source.random() * 0.2)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_stored_and_how_far_are_one_transaction(seed: int) -> None:
    """A consumer that copies t into u and advances its hold in one COMMIT has copied exactly once, whenever it dies."""

    @simulated
    async def law(world: World) -> None:
        source = random.Random(seed)
        setup = world.client()
        await setup.query("INSERT INTO t VALUES (1, 'a'), (2, 'a')")
        await setup.query("INSERT INTO u SELECT * FROM t; CREATE READ HOLD h ON t")
        for life in range(5):
            client = world.client()
            at = await frontier(client, "h")
            await _write(world, random.Random(f"{seed} {life}"))
            changes = await client.query(f"SUBSCRIBE t WITH (SNAPSHOT = false) AS OF {at} UNTIL LATEST")
            now = await now_of(client)
            changes = [row for row in changes if time_of(row) <= now]
            await client.query("BEGIN")
            for _, diff, a, b in changes:
                assert isinstance(diff, int) and isinstance(a, int) and isinstance(b, str)
                for _ in range(diff):
                    await client.query(f"INSERT INTO u VALUES ({a}, '{b}')")
            await client.query(f"ALTER READ HOLD h ADVANCE TO {now}")
            commit = asyncio.create_task(client.query("COMMIT"))
            if source.random() < 0.6:
                await asyncio.sleep(source.random() * 0.01)
                await world.restart()
                await asyncio.gather(commit, return_exceptions=True)
            else:
                await commit
        checker = world.client()
        at = await frontier(checker, "h")
        asserted = await checker.query(f"SUBSCRIBE t AS OF EARLIEST UP TO {at} + 1")
        expected: Counter[Row] = Counter()
        for row in asserted:
            expected[row[2:]] += max(int(str(row[1])), 0)
        assert Counter(await checker.query("SELECT * FROM u")) == expected

    law()


@simulated
async def test_a_hold_on_what_is_replaced_holds_nothing_and_says_so(world: World) -> None:
    client = world.client()
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT a FROM t; CREATE VIEW v AS SELECT a FROM m")
    await client.query("CREATE VIEW w AS SELECT a FROM u")
    for hold, on in (("h", "m"), ("k", "v, u"), ("l", "w")):
        await client.query(f"CREATE READ HOLD {hold} ON {on}")
    await client.query("CREATE OR REPLACE VIEW w AS SELECT a FROM u")
    assert await frontier(client, "l") is not None, "the same definition is no change"
    await client.query("CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT a + 1 AS a FROM t")
    holds = await client.query("SHOW READ HOLDS")
    assert {(row[0], row[1]): (row[2] is None, row[3], row[4]) for row in holds} == {
        ("h", "public.m"): (True, False, True),
        ("k", "public.v"): (True, False, True),
        ("k", "public.u"): (False, False, False),
        ("l", "public.w"): (False, False, False),
    }
    assert set(capabilities(world).values()) == {2}, "u alone is held, by two"
    now = await now_of(client)
    for hold in ("h", "k"):
        for statement in (f"ALTER READ HOLD {hold} ADVANCE TO {now}", f"CREATE READ HOLD x FROM {hold}"):
            with pytest.raises(SqlError) as raised:
                await client.query(statement)
            assert raised.value.message == f'what read hold "{hold}" is on was replaced'
            assert raised.value.sqlstate.value == "55000" and "new snapshot" in (raised.value.hint or "")
    await client.query("CREATE OR REPLACE VIEW w AS SELECT a + 1 AS a FROM u")
    assert await frontier(client, "l") is None
    await client.query("DROP READ HOLD h, k, l; CREATE READ HOLD h ON m")
    assert await frontier(client, "h") is not None
    await world.restart()
    assert await frontier(world.client(), "h") is not None


@simulated
async def test_a_hold_stays_on_the_object_whose_name_is_swapped(world: World) -> None:
    client = world.client()
    for name, column in (("blue", "a"), ("green", "b")):
        await client.query(f"CREATE MATERIALIZED VIEW {name} AS SELECT {column} FROM t")
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("CREATE READ HOLD h ON blue")
    held = await frontier(client, "h")
    await client.query("INSERT INTO t VALUES (2, 'y'); ALTER MATERIALIZED VIEW blue SWAP WITH green")
    assert [row[:2] for row in await client.query("SHOW READ HOLDS")] == [("h", "public.green")]
    await forget(world, "t")
    changes = await client.query(f"SUBSCRIBE green WITH (SNAPSHOT = false) AS OF {held} UNTIL LATEST")
    assert [row[1:] for row in changes] == [(1, 2)]
    await client.query(f"ALTER READ HOLD h ADVANCE TO {await now_of(client)}")


def test_the_error_of_a_hold_that_is_gone_says_what_to_do() -> None:
    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE READ HOLD h ON t WITH LEASE '1 s'")
        await world.clock.sleep(3)
        with pytest.raises(SqlError) as raised:
            await client.query("ALTER READ HOLD h RENEW")
        assert raised.value.message == 'read hold "h" has expired' and "CREATE it again" in (raised.value.hint or "")

    law()


def test_who_drops_what_others_hold_is_told() -> None:
    told: list[str | None] = []
    with memory_server() as server, server.connect() as connection:
        connection.add_notice_handler(lambda notice: told.append(notice.message_primary))
        connection.execute(b"CREATE TABLE t (a int); CREATE SCHEMA s; CREATE TABLE s.u (a int)")
        connection.execute(b"CREATE TABLE free (a int)")
        connection.execute(b"CREATE READ HOLD h ON t, s.u; CREATE READ HOLD k ON t")
        told.clear()
        connection.execute(b"DROP TABLE free")
        assert told == []
        connection.execute(b"DROP TABLE t")
        assert told == ["read hold h no longer holds t", "read hold k is dropped with t"]
        told.clear()
        connection.execute(b"DROP SCHEMA s CASCADE")
        assert "read hold h is dropped with u" in told
        assert connection.execute(b"SELECT count(*) FROM mz_catalog.mz_read_holds").fetchone() == (0,)
