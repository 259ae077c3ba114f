"""SUBSCRIBE to system relations: what the catalog says changes at exactly its times; what is observed, when it is."""

from __future__ import annotations

from collections import Counter

import pytest

from model.errors.sql_error import SqlError
from tests.server.subscription.test_subscribe import Stream, contents, progressed, time_of
from tests.server.world import World, fails, now_of, simulated, value

_NAMES = "SELECT name, count(*) FROM mz_catalog.mz_relations WHERE id LIKE 'u%' GROUP BY name"


@simulated
async def test_ddl_is_told_at_exactly_its_times(world: World) -> None:
    writer, reader = world.client(), world.client()
    stream = Stream(reader, f"SUBSCRIBE ({_NAMES}) WITH (PROGRESS)")
    await stream.until(lambda rows: len(progressed(rows)) > 1)
    # Several within one look, and a name that comes and goes between two of them.
    await writer.query("CREATE TABLE x (a int)")
    await writer.query("CREATE VIEW y AS SELECT a FROM x")
    await writer.query("ALTER VIEW y RENAME TO z")
    await writer.query("DROP VIEW z")
    await world.clock.sleep(2.5)
    await writer.query("CREATE TABLE y (a int)")
    later = await now_of(writer)
    rows = await stream.until(lambda rows: max(progressed(rows)) > later)
    begin, end = time_of(rows[0]), max(progressed(rows))
    assert progressed(rows) == sorted(set(progressed(rows)))
    changes = sorted({time_of(row) for row in rows if row[1] is False})
    assert len(changes) == 6, "the contents, and five statements"
    for time in sorted({begin, *changes, *(change - 1 for change in changes[1:]), later}):
        expected = Counter(dict.fromkeys(await writer.query(f"{_NAMES} AS OF {time}"), 1))
        assert contents(rows, time + 1) == expected
    for at, row in enumerate(rows):
        if row[1] is True:
            assert all(time_of(each) >= time_of(row) for each in rows[at:]), "nothing comes before what was progress"
    assert end > later
    await stream.leave()


@simulated
async def test_the_past_of_the_catalog_can_be_followed(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE x (a int)")
    between = await now_of(client)
    await client.query("DROP TABLE x")
    told = await client.query(f"SUBSCRIBE ({_NAMES}) AS OF {between} UNTIL LATEST")
    assert [row[1:] for row in told if row[2] == "x"] == [(1, "x", 1), (-1, "x", 1)]
    told = await client.query(f"SUBSCRIBE ({_NAMES}) WITH (SNAPSHOT = false) AS OF EARLIEST UNTIL LATEST")
    assert [row[1:] for row in told if row[2] == "x"] == [(1, "x", 1), (-1, "x", 1)]


@simulated
async def test_what_the_system_observes_of_itself_is_told_when_it_is_noticed(world: World) -> None:
    reader, other = world.client(), world.client()
    count = "SELECT count(*) FROM mz_internal.mz_hydration_statuses WHERE hydrated"
    stream = Stream(reader, f"SUBSCRIBE ({count}) WITH (PROGRESS)")
    await other.query("CREATE DEFAULT INDEX ON t")
    rows = await stream.until(lambda rows: contents(rows) == Counter({(1,): 1}))
    assert next(row[2:] for row in rows if row[1] is False) == (1, 0)
    await other.query("DROP INDEX t_primary_idx")
    await stream.until(lambda rows: contents(rows) == Counter({(0,): 1}))
    await stream.leave()


@simulated
async def test_frontiers_of_collections_can_be_followed(world: World) -> None:
    reader, writer = world.client(), world.client()
    id_ = await value(reader, "SELECT id FROM mz_catalog.mz_tables WHERE name = 't'")
    query = f"SELECT write_frontier FROM mz_internal.mz_frontiers WHERE object_id = '{id_}'"
    stream = Stream(reader, f"SUBSCRIBE ({query})")
    for _ in range(3):
        await writer.query("INSERT INTO t VALUES (1, 'x')")
        now = await now_of(writer)
        await stream.until(lambda rows: any(row[1] == 1 and int(str(row[2])) > now for row in rows))  # noqa: B023
    await stream.leave()


@simulated
async def test_what_is_not_committed_is_not_told(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("BEGIN; CREATE TABLE mine (a int)")
    await client.query(f"DECLARE c CURSOR FOR SUBSCRIBE ({_NAMES})")
    names = {row[2] for row in await client.query("FETCH ALL c")}
    assert names == {"t", "u"}
    await other.query("CREATE TABLE theirs (a int)")
    assert [row[1:] for row in await client.query("FETCH ALL c")] == [(1, "theirs", 1)]
    await client.query("COMMIT")


@simulated
async def test_an_error_ends_it_after_all_that_was_before(world: World) -> None:
    writer, reader = world.client(), world.client()
    stream = Stream(reader, "SUBSCRIBE (SELECT 1 / (3 - count(*)) AS q FROM mz_catalog.mz_tables WHERE id LIKE 'u%')")
    await stream.until(lambda rows: len(rows) == 1)
    await writer.query("CREATE TABLE x (a int)")
    assert (await stream.failure()).sqlstate.value == "22012"
    assert [row[1:] for row in stream.rows] == [(1, 1)]


@simulated
async def test_system_relations_and_others_are_not_followed_together(world: World) -> None:
    client = world.client()
    with pytest.raises(SqlError) as raised:
        await client.query("SUBSCRIBE (SELECT r.name FROM mz_catalog.mz_tables r, t)")
    assert raised.value.sqlstate.value == "0A000" and raised.value.hint == "Subscribe to each by itself."
    assert "mz_catalog.mz_tables" in raised.value.message
    assert await fails(client, "SUBSCRIBE (SELECT name FROM mz_catalog.mz_tables WHERE mz_now() > 0)") == "0A000"
