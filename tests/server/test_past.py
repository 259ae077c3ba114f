"""AS OF: what was at a time is the same for everyone, and before the first there was nothing."""

from __future__ import annotations

from tests.server.world import World, fails, now_of, simulated, value


@simulated
async def test_as_of_reads_the_past_without_what_the_transaction_writes(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    time = await now_of(client)
    await client.query("BEGIN")
    await client.query("INSERT INTO t VALUES (2, 'y')")
    assert await value(client, "SELECT count(*) FROM t") == 2
    assert await value(client, f"SELECT count(*) FROM t AS OF {time}") == 1
    await client.query("CREATE TABLE young (a int)")
    assert await fails(client, f"SELECT * FROM young AS OF {time}") == "22023"


@simulated
async def test_copy_and_prepared_statements_read_the_past(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    time = await now_of(client)
    await client.query("INSERT INTO t VALUES (2, 'y')")
    assert await client.query(f"COPY (SELECT a FROM t AS OF {time}) TO STDOUT") == [(1,)]
    await client.query(f"PREPARE p AS SELECT count(*) FROM t AS OF {time}")
    assert await value(client, "EXECUTE p") == 1


@simulated
async def test_before_the_first_catalog_there_is_nothing_to_read(world: World) -> None:
    client = world.client()
    for query in ("SELECT 1 AS OF 5", "SELECT relname FROM pg_class AS OF 5", "SELECT * FROM t AS OF 5"):
        assert await fails(client, query) == "22023"
    await world.restart()
    assert await fails(world.client(), "SELECT 1 AS OF 5") == "22023"
    assert await world.client().query("SELECT count(*) FROM t") == [(0,)]
