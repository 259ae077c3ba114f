"""Materialized views over volatile columns that nobody reads, and under schemas that exchange their names."""

from __future__ import annotations

from tests.server.world import World, fails, simulated, value


@simulated
async def test_what_is_maintained_leaves_volatile_columns_out_that_nobody_reads(world: World) -> None:
    client = world.client()
    await client.query("CREATE VIEW drawn AS SELECT a, random() AS r, gen_random_uuid() AS u FROM t")
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT a FROM drawn; INSERT INTO t VALUES (1, 'x')")
    assert await value(client, "SELECT a FROM m") == 1
    assert await fails(client, "CREATE MATERIALIZED VIEW n AS SELECT a, r FROM drawn") == "0A000"
    assert await fails(client, "CREATE INDEX ON drawn (a)") == "0A000"


@simulated
async def test_swapped_schemas_have_each_others_names_at_once(world: World) -> None:
    client, other = world.client(), world.client()
    for schema, rows in (("blue", 1), ("green", 2)):
        await client.query(f"CREATE SCHEMA {schema}; CREATE TABLE {schema}.kept AS SELECT {rows} AS a")
        await client.query(f"CREATE MATERIALIZED VIEW {schema}.sums AS SELECT sum(a) AS a FROM {schema}.kept")
    await other.query("SET search_path = blue; PREPARE p AS SELECT a FROM sums")
    await client.query("BEGIN; ALTER SCHEMA blue SWAP WITH green; ALTER SCHEMA green SWAP WITH green; COMMIT")
    assert await value(client, "SELECT a FROM blue.sums") == 2 and await value(client, "SELECT a FROM green.sums") == 1
    assert await value(other, "EXECUTE p") == 2
    await client.query("INSERT INTO blue.kept VALUES (10)")
    assert await value(client, "SELECT a FROM blue.sums") == 12 and await value(client, "SELECT a FROM green.sums") == 1
    assert await fails(client, "ALTER SCHEMA blue SWAP WITH nowhere") == "3F000"
    assert await fails(client, "ALTER SCHEMA nowhere SWAP WITH blue") == "3F000"
    assert await fails(client, "ALTER SCHEMA blue SWAP WITH pg_catalog") == "3F000"
    await client.query(
        "CREATE ROLE alice; GRANT CREATE ON DATABASE headwater TO alice; ALTER SCHEMA blue OWNER TO alice"
    )
    await other.query("SET ROLE alice")
    assert await fails(other, "ALTER SCHEMA blue SWAP WITH green") == "42501"


@simulated
async def test_swaps_beside_each_other_are_done_one_after_the_other(world: World) -> None:
    client, other = world.client(), world.client()
    for schema, rows in (("blue", 1), ("green", 2)):
        await client.query(f"CREATE SCHEMA {schema}; CREATE TABLE {schema}.kept AS SELECT {rows} AS a")
    await client.query("BEGIN; ALTER SCHEMA blue SWAP WITH green")
    await other.query("ALTER SCHEMA blue SWAP WITH green; ALTER SCHEMA blue RENAME TO teal")
    await client.query("COMMIT")
    assert await value(client, "SELECT a FROM green.kept") == 2 and await value(client, "SELECT a FROM teal.kept") == 1
    await client.query("BEGIN; ALTER SCHEMA teal SWAP WITH green")
    await other.query("DROP SCHEMA green CASCADE")
    assert await fails(client, "COMMIT") == "3F000"
