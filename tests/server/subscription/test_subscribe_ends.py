"""SUBSCRIBE … UP TO the time at which it begins."""

from __future__ import annotations

from tests.server.world import World, now_of, simulated


@simulated
async def test_one_that_ends_where_it_begins_gives_nothing_and_ends(world: World) -> None:
    client = world.client()
    await client.query(
        "INSERT INTO t VALUES (1, 'x'); CREATE MATERIALIZED VIEW kept AS SELECT a, count(*) FROM t GROUP BY a"
    )
    assert len(await client.query("SELECT * FROM kept")) == 1
    for relation in ("t", "kept", "(SELECT a FROM t WHERE a > 0)", "(VALUES (1))"):
        for end in ("mz_now()", f"{await now_of(client)} AS OF {await now_of(client)}"):
            assert await client.query(f"SUBSCRIBE {relation} UP TO {end}") == []
        ((begun, *_),) = await client.query(f"SUBSCRIBE {relation} WITH (SNAPSHOT = false, PROGRESS) UP TO mz_now()")
        assert begun is not None
    await client.query("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE kept UP TO mz_now()")
    assert await client.query("FETCH ALL c") == []
    assert await client.query("FETCH 1 c") == []
    await client.query("COMMIT")
