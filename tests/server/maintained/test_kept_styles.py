"""What is kept for everybody is written in default settings, and read by sessions of any settings as they would
compute it."""

from __future__ import annotations

from tests.server.test_maintained import indexed
from tests.server.world import World, fails, simulated

STYLES = """
SET extra_float_digits = 0; SET bytea_output = 'escape'; SET IntervalStyle = 'iso_8601'
"""
ROWS = "INSERT INTO f VALUES (1, 0.1::float8 + 0.2::float8, '\\x6100', '1 day'), (2, 0.5, '\\xff', NULL)"
TEXTS = "SELECT id, x::text AS x, b::text AS b FROM f"
PLAIN = [(1, "0.30000000000000004", "\\x6100"), (2, "0.5", "\\xff")]
STYLED = [(1, "0.3", "a\\000"), (2, "0.5", "\\377")]


@simulated
async def test_views_and_indexes_keep_the_texts_of_default_settings(world: World) -> None:
    client, styled = world.client(), world.client()
    await styled.query(STYLES)
    await styled.query("CREATE TABLE f (id int, x float8, b bytea, i interval)")
    await styled.query(ROWS)
    await styled.query(f"CREATE MATERIALIZED VIEW kept AS {TEXTS}")
    await styled.query(f"CREATE VIEW shown AS {TEXTS}; CREATE DEFAULT INDEX ON shown")
    await styled.query("CREATE VIEW long AS SELECT id, i::text AS i FROM f; CREATE DEFAULT INDEX ON long")
    for reader, texts, interval in ((client, PLAIN, "1 day"), (styled, STYLED, "P1D")):
        assert sorted(await reader.query("SELECT * FROM kept")) == PLAIN
        assert sorted(await reader.query("SELECT * FROM shown")) == texts
        assert await reader.query("SELECT i FROM long WHERE id = 1") == [(interval,)]
        assert await reader.query("SELECT 'text' FROM kept WHERE x = '0.30000000000000004'") == [("text",)]


@simulated
async def test_an_index_of_texts_answers_who_means_the_same_texts(world: World) -> None:
    client, styled = world.client(), world.client()
    await styled.query(STYLES)
    await styled.query("CREATE TABLE f (id int, x float8, b bytea, i interval); CREATE INDEX by_text ON f ((x::text))")
    await styled.query(ROWS)
    for reader, found, other in ((client, "0.30000000000000004", "0.3"), (styled, "0.3", "0.30000000000000004")):
        assert await reader.query(f"SELECT id FROM f WHERE x::text = '{found}'") == [(1,)]
        assert await reader.query(f"SELECT id FROM f WHERE x::text = '{other}'") == []
    await indexed(world, client, "SELECT id FROM f WHERE x::text = '0.3'")


@simulated
async def test_texts_of_a_key_are_compared_alike_by_all_sessions(world: World) -> None:
    client, styled = world.client(), world.client()
    await styled.query(STYLES)
    await client.query("CREATE TABLE f (id int, x float8, b bytea, i interval)")
    await client.query("CREATE UNIQUE INDEX by_text ON f ((x::text), (b::text))")
    await client.query(ROWS)
    assert await fails(styled, "INSERT INTO f VALUES (3, 0.1::float8 + 0.2::float8, '\\x6100')") == "23505"
    await styled.query("INSERT INTO f VALUES (4, 0.3, '\\x6100')")
    assert await fails(client, "INSERT INTO f VALUES (5, 0.3, '\\x6100')") == "23505"
    upsert = "ON CONFLICT ((x::text), (b::text)) DO UPDATE SET id = 6"
    await styled.query(f"INSERT INTO f VALUES (5, 0.3, '\\x6100') {upsert}")
    assert sorted(await client.query("SELECT id, x FROM f")) == [(1, 0.1 + 0.2), (2, 0.5), (6, 0.3)]
    await styled.query("BEGIN; INSERT INTO f VALUES (7, 0.25, NULL)")
    assert await fails(styled, "INSERT INTO f VALUES (8, 0.3, '\\x6100')") == "23505"
