"""The value that a call becomes: evaluated as often as PostgreSQL evaluates it, and no longer than what was written."""

from __future__ import annotations

import pytest

from tests.server.world import World, fails, simulated

_TWICE_OR_NEVER = (
    "SELECT a - a FROM (SELECT nextval('s') AS a) AS q",
    "SELECT a = b FROM (SELECT a, a AS b FROM (SELECT nextval('s') AS a) AS q) AS r",
    "SELECT 1 FROM (SELECT nextval('s')) AS q",
    "SELECT b - b FROM (SELECT nextval('s') AS a, nextval('s') AS b) AS q",
)


@simulated
async def test_volatile_functions_are_called_once_or_refused(world: World) -> None:
    client = world.client()
    await client.query("CREATE SEQUENCE s; CREATE DOMAIN above AS int CHECK (VALUE > 0)")
    for body in _TWICE_OR_NEVER:
        create = f"CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $$SELECT x::text FROM ({body}) AS b(x)$$"
        assert await fails(client, create) == "0A000", body
    # The domain's check reads the value once more.
    create = "CREATE FUNCTION f() RETURNS above LANGUAGE sql AS $$SELECT nextval('s')::int$$"
    assert await fails(client, create) == "0A000"
    body = "SELECT b * 10 FROM (SELECT a + 1 AS b FROM (SELECT nextval('s') AS a) AS q) AS r"
    await client.query(f"CREATE FUNCTION g() RETURNS int LANGUAGE sql AS $${body}$$")
    assert await client.query("SELECT g(), g()") == [(20, 30)]


@pytest.mark.timeout(60)
def test_what_uses_its_argument_twice_does_not_double_at_every_level() -> None:
    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE FUNCTION twice(n bigint) RETURNS bigint LANGUAGE sql AS 'SELECT n + n'")
        call = "twice(" * 18 + "a + 1" + ")" * 18
        assert await client.query(f"SELECT {call} FROM (VALUES (0), (1)) AS v(a)") == [(1 << 18,), (1 << 19,)]
        body = "SELECT n AS x"
        for level in range(18):
            body = f"SELECT x + x AS x FROM ({body}) AS level{level}"
        await client.query(f"CREATE FUNCTION often(n bigint) RETURNS bigint LANGUAGE sql AS '{body}'")
        assert await client.query("SELECT often(a) FROM (VALUES (1), (2)) AS v(a)") == [(1 << 18,), (1 << 19,)]

    law()


@simulated
async def test_a_table_is_read_beside_what_knows_fewer_of_its_columns(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE grown (a int, b text); INSERT INTO grown VALUES (1, 'x'), (2, 'y')")
    await client.query("CREATE FUNCTION most() RETURNS int LANGUAGE sql AS 'SELECT max(a + 100) FROM grown'")
    await client.query("CREATE VIEW old AS SELECT a + 100 AS z FROM grown")
    await client.query("ALTER TABLE grown ADD COLUMN c int DEFAULT 5")
    queries = {
        "SELECT most() UNION ALL SELECT c FROM grown": [(5,), (5,), (102,)],
        "SELECT c FROM grown UNION ALL SELECT most()": [(5,), (5,), (102,)],
        "SELECT z FROM old UNION ALL SELECT c FROM grown": [(5,), (5,), (101,), (102,)],
        "SELECT z + c FROM old JOIN grown ON z = a + 100": [(106,), (107,)],
    }
    for number, (query, rows) in enumerate(queries.items()):
        assert sorted(await client.query(query)) == rows, query
        await client.query(f"CREATE MATERIALIZED VIEW kept{number} (n) AS {query}")
        assert sorted(await client.query(f"SELECT n FROM kept{number}")) == rows, query
