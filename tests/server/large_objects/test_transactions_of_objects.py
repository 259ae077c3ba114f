"""Large objects commit, roll back and conflict as rows do, and survive kill -9."""

from __future__ import annotations

import os
import random
import tempfile

import pytest

from server.session.large_objects import contents
from tests.server.locking.sessions import begun
from tests.server.world import World, fails, simulated, value
from tests.simulation.incarnation import SimClient

_WRITE = 0x20000


async def _bytes(client: SimClient, oid: int) -> bytes:
    found = await value(client, f"SELECT lo_get({oid})")
    assert isinstance(found, bytes)
    return found


def _literal(data: bytes) -> str:
    return f"'\\x{data.hex()}'::bytea"


@simulated
async def test_what_was_committed_is_there_after_kill_and_nothing_else(world: World) -> None:
    client = world.client()
    await client.query("SELECT lo_from_bytea(7, 'kept')")
    await begun(client, "SELECT lo_put(7, 0, 'lost')", "SELECT lo_from_bytea(8, 'lost')")
    await world.restart()
    client = world.client()
    assert await _bytes(client, 7) == b"kept"
    assert await fails(client, "SELECT lo_get(8)") == "42704"
    await client.query("SELECT lo_unlink(7)")
    await world.restart()
    client = world.client()
    assert await value(client, "SELECT count(*) FROM pg_largeobject") == 0
    assert await value(client, "SELECT count(*) FROM pg_largeobject_metadata") == 0


@simulated
async def test_descriptors_live_until_the_transaction_or_its_part_ends(world: World) -> None:
    client = world.client()
    await client.query("SELECT lo_from_bytea(7, 'abc')")
    await client.query(f"SELECT lo_open(7, {_WRITE})")
    assert await fails(client, "SELECT loread(0, 1)") == "42704"
    await begun(client, f"SELECT lo_open(7, {_WRITE})", "SAVEPOINT s", f"SELECT lo_open(7, {_WRITE})")
    await client.query("SELECT lowrite(1, 'xyz')")
    await client.query("ROLLBACK TO s")
    assert await value(client, "SELECT loread(0, 10)") == b"abc"
    assert await fails(client, "SELECT loread(1, 10)") == "42704"
    await client.query("ROLLBACK")


@simulated
async def test_savepoints_take_back_what_came_after(world: World) -> None:
    client = world.client()
    await begun(client, "SELECT lo_from_bytea(7, 'first')", "SAVEPOINT s", "SELECT lo_put(7, 5, ' second')")
    assert await _bytes(client, 7) == b"first second"
    await client.query("ROLLBACK TO s")
    assert await _bytes(client, 7) == b"first"
    await client.query("SELECT lo_put(7, 0, 'F'); SAVEPOINT s; SELECT lo_unlink(7); ROLLBACK TO s; COMMIT")
    assert await _bytes(client, 7) == b"First"


@simulated
async def test_two_that_write_to_one_object_conflict_and_to_two_do_not(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("SELECT lo_from_bytea(7, 'a'); SELECT lo_from_bytea(8, 'b')")
    await begun(one, "SELECT lo_put(7, 0, 'one')")
    await begun(other, "SELECT lo_put(7, 0, 'other')")
    await one.query("COMMIT")
    assert await fails(other, "COMMIT") == "40001"
    await begun(one, "SELECT lo_put(7, 0, 'seven')")
    await begun(other, "SELECT lo_put(8, 0, 'eight')")
    await one.query("COMMIT")
    await other.query("COMMIT")
    assert (await _bytes(one, 7), await _bytes(one, 8)) == (b"seven", b"eight")


@simulated
async def test_a_transaction_reads_as_of_its_time(world: World) -> None:
    reader, writer = world.client(), world.client()
    await writer.query("SELECT lo_from_bytea(7, 'before')")
    await begun(reader, "SELECT lo_get(7)")
    await writer.query("SELECT lo_put(7, 0, 'BEHIND')")
    assert await _bytes(reader, 7) == b"before"
    await reader.query("COMMIT")
    assert await _bytes(reader, 7) == b"BEHIND"


@simulated
async def test_prepared_transactions_keep_their_objects(world: World) -> None:
    world.life.environment.prepared.most = 10
    client = world.client()
    await client.query("SELECT lo_from_bytea(7, 'a')")
    await begun(client, "SELECT lo_put(7, 0, 'prepared')", "PREPARE TRANSACTION 'p'")
    await world.restart()
    client = world.client()
    assert await _bytes(client, 7) == b"a"
    await client.query("COMMIT PREPARED 'p'")
    assert await _bytes(client, 7) == b"prepared"


@simulated
async def test_random_writes_and_truncations_are_those_of_a_file(world: World) -> None:
    """An object of many pages, held against a bytearray through savepoints, commits and rollbacks."""
    draw, client = random.Random(29), world.client()
    await client.query("SELECT lo_create(7)")
    model = bytearray()
    for _ in range(12):
        trial = bytearray(model)
        await begun(client, f"SELECT lo_open(7, {_WRITE})")
        for _ in range(draw.randrange(1, 8)):
            place, length = draw.randrange(20_000), draw.choice((1, 100, 2048, 5000))
            match draw.choice(("write", "write", "truncate", "savepoint", "read")):
                case "write":
                    data = draw.randbytes(length)
                    trial.extend(bytes(max(0, place + length - len(trial))))
                    trial[place : place + length] = data
                    await client.query(f"SELECT lo_lseek(0, {place}, 0); SELECT lowrite(0, {_literal(data)})")
                case "truncate":
                    del trial[place:]
                    trial.extend(bytes(place - len(trial)))
                    await client.query(f"SELECT lo_truncate(0, {place})")
                case "savepoint":
                    await client.query(f"SAVEPOINT s; SELECT lo_put(7, {place}, 'gone'); ROLLBACK TO s")
                case _:
                    found = await value(client, f"SELECT lo_get(7, {place}, {length})")
                    assert found == bytes(trial[place : place + length])
        assert await _bytes(client, 7) == bytes(trial)
        if draw.random() < 0.7:
            model = trial
            await client.query("COMMIT")
        else:
            await client.query("ROLLBACK")
        assert await _bytes(client, 7) == bytes(model)
    size = await value(client, "SELECT coalesce(sum(length(data)), 0) FROM pg_largeobject")
    assert isinstance(size, int) and size <= len(model)


@simulated
async def test_two_first_objects_of_a_database_at_once(world: World) -> None:
    """The second commit meets tables that the first has created, and fails as a conflict does."""
    one, other = world.client(), world.client()
    await begun(one, "SELECT lo_from_bytea(7, 'one')")
    await begun(other, "SELECT lo_from_bytea(8, 'other')")
    await one.query("COMMIT")
    assert await fails(other, "COMMIT") == "40001"
    await world.client().query("SELECT lo_from_bytea(9, 'later')")
    assert await _bytes(world.client(), 7) == b"one"


@simulated
async def test_the_tables_of_objects_are_the_systems(world: World) -> None:
    client = world.client()
    await client.query("SELECT lo_from_bytea(7, 'kept')")
    for sql, sqlstate in (
        ("DROP TABLE pg_largeobject", "42501"),
        ("TRUNCATE pg_largeobject", "42501"),
        ("ALTER TABLE pg_largeobject ADD COLUMN x int", "42501"),
        ("DROP SCHEMA pg_large_objects CASCADE", "2BP01"),
    ):
        assert await fails(client, sql) == sqlstate, sql
    assert await _bytes(client, 7) == b"kept"
    # A part of a page at each end.
    await client.query(
        "SELECT lo_from_bytea(8, string_agg(chr(97 + n % 26), '' ORDER BY n)::bytea) FROM generate_series(0, 9999) n"
    )
    assert await value(client, "SELECT lo_get(8, 2040, 5000)") == bytes(97 + n % 26 for n in range(2040, 7040))


@simulated
async def test_holes_of_an_object_are_holes_of_its_file(world: World) -> None:
    client, end = world.client(), 1 << 40
    with tempfile.TemporaryDirectory() as directory:
        path = f"{directory}/exported"
        await begun(client, "SELECT lo_from_bytea(7, 'begin')", f"SELECT lo_put(7, {end}, 'end')")
        await client.query(f"SELECT lo_export(7, '{path}')")
        await client.query("COMMIT")
        with open(path, "rb") as file:
            assert file.read(7) == b"begin\0\0"
            file.seek(end)
            assert file.read() == b"end"
        assert os.stat(path).st_blocks * 512 < 1 << 20
        await begun(client, "SELECT lo_open(7, 131072)", f"SELECT lo_truncate64(0, {end - 2048})")
        await client.query(f"SELECT lo_export(7, '{path}')")
        await client.query("COMMIT")
        assert os.stat(path).st_size == end - 2048


@simulated
async def test_many_objects_of_one_statement_are_not_all_in_memory(world: World) -> None:
    client = world.client()
    await client.query("SELECT lo_create(1)")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(contents, "_CHANGED_MAX", 20)
        await begun(client, "SELECT count(lo_create(i::oid)) FROM generate_series(2, 100) i")
        current = client.session.transactions.current
        assert current is not None and len(current.writes.objects.objects) <= 21
        await client.query("COMMIT")
    assert await value(client, "SELECT count(*) FROM pg_largeobject_metadata") == 100


@simulated
async def test_owners_rights_and_comments_are_rows_of_the_object_as_well(world: World) -> None:
    client = world.client()
    await client.query("CREATE ROLE keeper; CREATE ROLE reader; SELECT lo_from_bytea(7, 'kept')")
    await client.query("ALTER LARGE OBJECT 7 OWNER TO keeper")
    await client.query("GRANT SELECT ON LARGE OBJECT 7 TO reader")
    await begun(client, "COMMENT ON LARGE OBJECT 7 IS 'lost'", "REVOKE ALL ON LARGE OBJECT 7 FROM reader")
    await world.restart()
    client, other = world.client(), world.client()
    row = "SELECT lomowner::regrole::text, array_to_string(lomacl, ' '), obj_description(7, 'pg_largeobject')"
    row += " FROM pg_largeobject_metadata"
    shown = [("keeper", "keeper=rw/keeper reader=r/keeper", None)]
    assert await client.query(row) == shown
    await begun(client, "GRANT UPDATE ON LARGE OBJECT 7 TO reader")
    await begun(other, "SELECT lo_put(7, 10, 'longer')")
    await client.query("COMMIT")
    assert await fails(other, "COMMIT") == "40001"
    await client.query("SET ROLE reader")
    assert await fails(client, "SELECT lo_put(8, 0, 'x')") == "42704"
    await client.query("SELECT lo_put(7, 0, 'x')")
    assert await fails(client, "COMMENT ON LARGE OBJECT 7 IS 'x'") == "42501"
    await client.query("RESET ROLE; DROP OWNED BY keeper; DROP ROLE keeper; DROP ROLE reader")
    assert await client.query(row) == []
