"""What is valid up to infinity, and what was before Christ, in maintained views: written, moved, ended, looked up."""

from __future__ import annotations

from tests.server.world import World, fails, simulated

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


@simulated
async def test_what_was_valid_up_to_a_time_before_1970_harms_no_other_row(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE terms (id int, day date, at timestamp, until timestamptz)")
    ended = (
        "(1, '0044-03-15 BC', '0044-03-15 BC', '0044-03-15 00:00+00 BC'), (2, '1969-12-31', '1969-12-31', '1960-01-01')"
    )
    lasting = "(3, 'infinity', 'infinity', 'infinity'), (4, '5874897-12-31', '12000-01-01', '12000-01-01')"
    await client.query(f"INSERT INTO terms VALUES {ended}, {lasting}")
    for column in ("day", "at", "until"):
        await client.query(f"CREATE MATERIALIZED VIEW valid_{column} AS SELECT id FROM terms WHERE mz_now() < {column}")
        await client.query(f"CREATE MATERIALIZED VIEW past_{column} AS SELECT id FROM terms WHERE mz_now() >= {column}")
        assert sorted(await client.query(f"SELECT * FROM valid_{column}")) == [(3,), (4,)]
        assert sorted(await client.query(f"SELECT * FROM past_{column}")) == [(1,), (2,)]
    assert await fails(client, "SELECT until::mz_timestamp FROM terms") == "22008"


@simulated
async def test_a_view_compares_days_behind_all_timestamps(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE days (id int, day date)")
    await client.query("CREATE TABLE moments (at timestamp)")
    await client.query(
        "INSERT INTO days VALUES (1, '5874897-12-31'), (2, '2020-01-01'), (3, 'infinity'), (4, '294260-01-01')"
    )
    await client.query("INSERT INTO moments VALUES ('2020-01-01'), ('infinity'), ('12000-01-01')")
    await client.query("CREATE MATERIALIZED VIEW equal AS SELECT id FROM days, moments WHERE day = at")
    await client.query(
        "CREATE MATERIALIZED VIEW later AS SELECT id, count(*) FROM days, moments WHERE day > at GROUP BY id"
    )
    assert sorted(await client.query("SELECT * FROM equal")) == [(2,), (3,)]
    assert sorted(await client.query("SELECT * FROM later")) == [(1, 2), (3, 2), (4, 2)]
    await client.query("DELETE FROM moments WHERE at = '12000-01-01'")
    assert sorted(await client.query("SELECT * FROM later")) == [(1, 1), (3, 1), (4, 1)]
