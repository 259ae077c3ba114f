"""What is valid up to infinity, and what was before Christ, in maintained views: written, moved, ended, looked up."""

from __future__ import annotations

from tests.server.world import World, simulated

TABLE = "CREATE TABLE terms (id int PRIMARY KEY, valid_from date, valid_to timestamptz)"
ROWS = """
INSERT INTO terms VALUES (1, '-infinity', 'infinity'), (2, '0044-03-15 BC', '0014-08-19 00:00+00'),
(3, '2020-01-01', 'infinity'), (4, '10000-01-01', '20000-01-01 00:00+00'), (5, NULL, NULL)
"""
VIEW = """
CREATE MATERIALIZED VIEW lasting AS
SELECT valid_to::text AS until, count(*) AS terms, min(valid_from)::text AS first, max(valid_from)::text AS last
FROM terms GROUP BY valid_to
"""


@simulated
async def test_a_view_follows_what_is_valid_for_ever(world: World) -> None:
    client = world.client()
    for statement in (TABLE, ROWS, VIEW, "CREATE INDEX by_end ON lasting (until)"):
        await client.query(statement)
    assert sorted(await client.query("SELECT * FROM lasting WHERE until IS NOT NULL")) == [
        ("0014-08-19 00:00:00+00", 1, "0044-03-15 BC", "0044-03-15 BC"),
        ("20000-01-01 00:00:00+00", 1, "10000-01-01", "10000-01-01"),
        ("infinity", 2, "-infinity", "2020-01-01"),
    ]
    await client.query("UPDATE terms SET valid_to = '2021-01-01 00:00+00' WHERE valid_to = 'infinity' AND id = 3")
    await client.query("UPDATE terms SET valid_from = 'infinity' WHERE valid_from = '-infinity'")
    await client.query("DELETE FROM terms WHERE valid_from < '0001-01-01'")
    assert sorted(await client.query("SELECT * FROM lasting WHERE until IS NOT NULL")) == [
        ("20000-01-01 00:00:00+00", 1, "10000-01-01", "10000-01-01"),
        ("2021-01-01 00:00:00+00", 1, "2020-01-01", "2020-01-01"),
        ("infinity", 1, "infinity", "infinity"),
    ]
    assert await client.query("SELECT terms FROM lasting WHERE until = 'infinity'") == [(1,)]


@simulated
async def test_what_is_valid_up_to_infinity_is_valid_now(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE offers (id int, since timestamptz, until timestamptz)")
    await client.query("INSERT INTO offers VALUES (1, '-infinity', 'infinity'), (2, 'infinity', 'infinity')")
    await client.query("INSERT INTO offers VALUES (3, '-infinity', '1970-01-01 00:00+00')")
    await client.query("INSERT INTO offers VALUES (4, '1970-01-01 00:00+00', '12000-01-01 00:00+00')")
    valid = "SELECT id FROM offers WHERE since <= mz_now() AND mz_now() < until"
    await client.query(f"CREATE MATERIALIZED VIEW valid AS {valid}")
    assert sorted(await client.query("SELECT * FROM valid")) == [(1,), (4,)]
    await client.query("UPDATE offers SET until = '-infinity' WHERE id = 1")
    assert await client.query("SELECT * FROM valid") == [(4,)]
