"""Lists and maps as drivers send and get them: with Materialize's oids, as text, in binary format, and in COPY."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import asyncpg
import psycopg
import pytest
from psycopg import errors

from tests.server.memory_server import MemoryServer, memory_server

_LIST_OID, _MAP_OID = 16384, 16385


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t (l int list list, m map[text=>text] DEFAULT '{k=>v}')")
        yield server


@pytest.fixture
def connection(server: MemoryServer) -> Iterator[psycopg.Connection[Any]]:
    with server.connect() as connection:
        connection.execute("DELETE FROM t")
        yield connection


def test_parameters_and_rows_are_texts(connection: psycopg.Connection[Any]) -> None:
    connection.execute("INSERT INTO t VALUES (%s, %s)", ("{{1},{}}", '{"a b"=>NULL}'))
    connection.execute("INSERT INTO t (l) VALUES (LIST[LIST[%s, %s]])", (2, 3))
    cursor = connection.execute("SELECT * FROM t WHERE l >= %s ORDER BY l", ("{}",))
    assert cursor.description is not None
    assert [column.type_code for column in cursor.description] == [_LIST_OID, _MAP_OID]
    assert cursor.fetchall() == [("{{1},{}}", '{"a b"=>NULL}'), ("{{2,3}}", "{k=>v}")]


def test_rows_and_parameters_are_binary_where_asked(connection: psycopg.Connection[Any]) -> None:
    result = connection.execute("SELECT LIST[1, NULL]::int list, MAP['a' => 7]", binary=True).pgresult
    assert result is not None
    ints = "00000001 00000001 00000017 00000002 00000001 00000004 00000001 ffffffff"
    assert result.get_value(0, 0) == bytes.fromhex(ints)
    assert result.get_value(0, 1) == bytes.fromhex("00000001 00000001 61 00000004 00000007")
    parameters = [result.get_value(0, 0), result.get_value(0, 1)]
    again = connection.pgconn.exec_params(
        b"SELECT $1::int list, $2::map[text=>int]", parameters, param_formats=[1, 1], result_format=0
    )
    assert [again.get_value(0, column) for column in (0, 1)] == [b"{1,NULL}", b"{a=>7}"]


async def test_asyncpg_takes_them_as_texts(server: MemoryServer) -> None:
    client = await asyncpg.connect(host="127.0.0.1", port=server.port, user="headwater", database="headwater")
    try:
        assert tuple(await client.fetchrow("SELECT LIST[1], MAP['a' => $1::int]", 2)) == ("{1}", "{a=>2}")
    finally:
        await client.close()


def test_copy_reads_and_writes_them(connection: psycopg.Connection[Any]) -> None:
    with connection.cursor().copy("COPY t FROM STDIN") as copy:
        copy.write("{{1},NULL}\t{a=>\\\\N}\n\\N\t{}\n")
    with connection.cursor().copy("COPY t TO STDOUT (FORMAT csv)") as copy:
        assert sorted(b"".join(copy).decode().splitlines()) == ['"{{1},NULL}",{a=>N}', ",{}"]
    with pytest.raises(errors.InvalidTextRepresentation), connection.cursor().copy("COPY t FROM STDIN") as copy:
        copy.write("{1}\t{}\n")


def test_binary_copy_gives_back_what_it_wrote(connection: psycopg.Connection[Any]) -> None:
    connection.execute("INSERT INTO t VALUES ('{{1},{},NULL}', '{a=>NULL,b=>x}'), (NULL, '{}')")
    with connection.cursor().copy("COPY t TO STDOUT (FORMAT binary)") as copy:
        written = b"".join(copy)
    connection.execute("DELETE FROM t")
    with connection.cursor().copy("COPY t FROM STDIN (FORMAT binary)") as copy:
        copy.write(written)
    rows = connection.execute("SELECT * FROM t ORDER BY l").fetchall()
    assert rows == [("{{1},{},NULL}", "{a=>NULL,b=>x}"), (None, "{}")]


def test_relations_and_their_columns_are_described(connection: psycopg.Connection[Any]) -> None:
    types = connection.execute(
        "SELECT attname, atttypid::int, format_type(atttypid, atttypmod) FROM pg_attribute"
        " WHERE attrelid = 't'::regclass AND attnum > 0 ORDER BY attnum"
    ).fetchall()
    assert types == [("l", _LIST_OID, "list"), ("m", _MAP_OID, "map")]
    columns = connection.execute("SELECT data_type FROM information_schema.columns WHERE table_name = 't'").fetchall()
    assert columns == [("integer list list",), ("map[text=>text]",)]
    ((_, text),) = connection.execute("SHOW CREATE TABLE t").fetchall()
    declared = "l integer list list, m map[text=>text] DEFAULT '{k=>v}'"
    assert declared in text
    connection.execute(f"CREATE TABLE again ({declared})")


def test_views_and_statements_keep_their_lists(connection: psycopg.Connection[Any]) -> None:
    connection.execute("INSERT INTO t VALUES ('{{1,2}}', MAP['a' => 'b'])")
    connection.execute(
        "CREATE MATERIALIZED VIEW v AS SELECT l, count(*) AS n, list_agg(m -> 'a') AS a FROM t GROUP BY l"
    )
    connection.execute("CREATE VIEW w AS SELECT l[1][2] AS x, '{9}'::int list AS y FROM v")
    assert connection.execute("SELECT l, n, a, x, y FROM v, w").fetchall() == [("{{1,2}}", 1, "{b}", 2, "{9}")]
    connection.execute("UPDATE t SET l = l || LIST[3]")
    connection.execute("PREPARE more AS SELECT l || $1::int list FROM v")
    assert connection.execute("EXECUTE more (LIST[4])").fetchall() == [("{{1,2},{3},{4}}",)]
    connection.execute("CREATE INDEX i ON t (l)")
    assert connection.execute("SELECT m FROM t WHERE l = '{{1,2},{3}}'").fetchall() == [("{a=>b}",)]
