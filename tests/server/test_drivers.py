"""psql and the drivers, unpatched, on a real server: what their users do in a day."""

from __future__ import annotations

import asyncio
import datetime
import decimal
import ipaddress
import os
import subprocess
import threading
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Any

import asyncpg
import pg8000.dbapi
import psycopg
import pytest

from tests.cancelling import cancelled
from tests.judge import psql
from tests.server_process import ServerProcess

pytestmark = [pytest.mark.spark, pytest.mark.timeout(600)]

_VALUES: dict[str, Any] = {
    "bool": True,
    "int2": -7,
    "int4": 70_000,
    "int8": -(2**60),
    "float8": 1.5e300,
    "numeric": decimal.Decimal("-12345.678"),
    "text": "é, 'quoted' and \\",
    "bytea": b"\x00\xff",
    "date": datetime.date(2024, 2, 29),
    "time": datetime.time(1, 2, 3, 4),
    "timestamp": datetime.datetime(2024, 2, 29, 1, 2, 3, 456),
    "timestamptz": datetime.datetime(1999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC),
    "timetz": datetime.time(1, 2, 3, 4, datetime.timezone(datetime.timedelta(hours=-3, minutes=-30))),
    "interval": datetime.timedelta(days=3, seconds=5, microseconds=7),
    "inet": ipaddress.ip_interface("10.1.2.3/8"),
    "cidr": ipaddress.ip_network("2001:db8::/32"),
    "uuid": uuid.UUID(int=2**127 + 5),
    "int4[]": [1, None, 3],
    "text[]": ["a", "b,c", None],
}
_SLOW = "SELECT count(*) FROM slow a, slow b, slow c WHERE a.n + b.n + c.n = -1"


@pytest.fixture(scope="module")
def server(headwater_server: ServerProcess) -> ServerProcess:
    with headwater_server.connect() as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS slow (n int)")
        connection.execute("TRUNCATE slow")
        connection.execute("INSERT INTO slow SELECT * FROM generate_series(1, 5000)")
        columns = ", ".join(f'"{name}" {name}' for name in _VALUES)
        connection.execute("DROP TABLE IF EXISTS every_type")
        connection.execute(f"CREATE TABLE every_type ({columns})")
    return headwater_server


@pytest.fixture
def connection(server: ServerProcess) -> Iterator[psycopg.Connection[Any]]:
    with server.connect() as connection:
        connection.execute("DROP TABLE IF EXISTS t")
        connection.execute("CREATE TABLE t (a int, b text)")
        yield connection


@pytest.fixture
async def pg(server: ServerProcess) -> AsyncIterator[asyncpg.Connection[Any]]:
    connection = await asyncpg.connect(
        host=server.host, port=server.port, user="headwater", password="any", database="headwater"
    )
    await connection.execute("DROP TABLE IF EXISTS t; CREATE TABLE t (a int, b text)")
    yield connection
    await connection.close()


def _psql(server: ServerProcess, *arguments: str, script: str = "") -> subprocess.CompletedProcess[str]:
    command = [
        str(psql()),
        "-X",
        "-h",
        server.host,
        "-p",
        str(server.port),
        "-U",
        "headwater",
        *arguments,
    ]
    environment = {**os.environ, "PGDATABASE": "headwater", "PGPASSWORD": "any"}
    return subprocess.run(command, input=script, env=environment, capture_output=True, text=True, timeout=120)


def _error(connection: psycopg.Connection[Any], sql: str) -> str | None:
    with pytest.raises(psycopg.Error) as raised:
        connection.execute(sql.encode())
    return raised.value.sqlstate


# psql


def test_psql_runs_a_script_with_copy_in_it(server: ServerProcess) -> None:
    script = """
        DROP TABLE IF EXISTS by_psql;
        CREATE TABLE by_psql (a int, b text);
        COPY by_psql FROM STDIN;
1\tone
2\t\\N
\\.
        SELECT a, b FROM by_psql ORDER BY a;
        \\copy by_psql to stdout csv
    """
    done = _psql(server, "-v", "ON_ERROR_STOP=1", "-At", script=script)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:5] == ["DROP TABLE", "CREATE TABLE", "COPY 2", "1|one", "2|"]
    assert sorted(lines[5:]) == ["1,one", "2,"]


@pytest.mark.parametrize("command", ["\\d", "\\dt", "\\dv", "\\di", "\\dn", "\\l", "\\du", "\\d slow", "\\dt+", "\\df"])
def test_psql_describes(server: ServerProcess, command: str) -> None:
    done = _psql(server, "-v", "ON_ERROR_STOP=1", "-c", command)
    assert done.returncode == 0 and "ERROR" not in done.stderr, done.stderr
    if command in ("\\d", "\\dt", "\\dt+"):
        assert "slow" in done.stdout


def test_psql_shows_where_a_syntax_error_is(server: ServerProcess) -> None:
    done = _psql(server, "-v", "ON_ERROR_STOP=1", script="SELECT 1 FRM x y;")
    assert done.returncode == 3
    assert 'syntax error at or near "x"' in done.stderr or "syntax error" in done.stderr
    assert "^" in done.stderr


# psycopg


def test_psycopg_gets_back_what_it_sends_in_text_and_in_binary(server: ServerProcess) -> None:
    marks = ", ".join(f"%b::{name}" for name in _VALUES)
    with server.connect() as connection:
        for binary in (False, True):
            with connection.cursor(binary=binary) as cursor:
                row = cursor.execute(f"SELECT {marks}".encode(), list(_VALUES.values())).fetchone()
                assert row == tuple(_VALUES.values())


def test_psycopg_stores_and_copies_every_type(server: ServerProcess) -> None:
    values = tuple(_VALUES.values())
    marks = ", ".join(["%s"] * len(values))
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("TRUNCATE every_type")
        cursor.execute(f"INSERT INTO every_type VALUES ({marks})".encode(), values)
        with cursor.copy("COPY every_type FROM STDIN (FORMAT binary)") as copy:
            copy.set_types(list(_VALUES))
            for _ in range(3):
                copy.write_row(values)
        with cursor.copy("COPY every_type FROM STDIN") as copy:
            copy.write_row(values)
        for options in ("", "(FORMAT binary)"):
            with cursor.copy(f"COPY every_type TO STDOUT {options}".encode()) as copy:
                copy.set_types(list(_VALUES))
                assert list(copy.rows()) == [values] * 5
        assert connection.cursor(binary=True).execute("SELECT * FROM every_type").fetchall() == [values] * 5


def test_psycopg_pipelines_and_recovers_from_errors_in_them(connection: psycopg.Connection[Any]) -> None:
    with connection.pipeline():
        cursors = [connection.execute("SELECT %s::int4 + 1", (i,)) for i in range(50)]
    assert [cursor.fetchone() for cursor in cursors] == [(i + 1,) for i in range(50)]
    with pytest.raises(psycopg.errors.DivisionByZero), connection.pipeline():
        connection.execute("INSERT INTO t VALUES (1, 'lost with its pipeline')")
        connection.execute("SELECT 1 / %s", (0,))
        connection.execute("INSERT INTO t VALUES (2, 'never run')")
    assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)


def test_psycopg_server_cursors_fetch_in_pieces(connection: psycopg.Connection[Any]) -> None:
    connection.execute("INSERT INTO t SELECT n, 'x' FROM generate_series(1, 1000) n")
    with connection.transaction(), connection.cursor("named") as cursor:
        cursor.itersize = 100
        cursor.execute("SELECT a FROM t ORDER BY a")
        assert cursor.fetchmany(3) == [(1,), (2,), (3,)]
        assert [row[0] for row in cursor] == list(range(4, 1001))
    with connection.transaction(), connection.cursor("scrolled", scrollable=True) as cursor:
        cursor.execute("SELECT a FROM t ORDER BY a")
        cursor.scroll(10)
        assert cursor.fetchone() == (11,)
        cursor.scroll(-5)
        assert cursor.fetchone() == (7,)
        cursor.scroll(1, mode="absolute")
        assert cursor.fetchone() == (2,)


async def test_psycopg_async_runs_many_connections_at_once(server: ServerProcess) -> None:
    async def one(number: int) -> int:
        async with await psycopg.AsyncConnection.connect(server.dsn()) as connection:
            cursor = await connection.execute("SELECT sum(n) + %s FROM slow", (number,))
            row = await cursor.fetchone()
            assert row is not None
            return int(row[0])

    assert await asyncio.gather(*map(one, range(6))) == [12_502_500 + number for number in range(6)]


def test_psycopg_transactions_nest_by_savepoints(connection: psycopg.Connection[Any]) -> None:
    with connection.transaction():
        connection.execute("INSERT INTO t VALUES (1, 'kept')")
        with pytest.raises(psycopg.errors.DivisionByZero), connection.transaction():
            connection.execute("INSERT INTO t VALUES (2, 'gone')")
            connection.execute("SELECT 1 / 0")
        assert connection.execute("SELECT a FROM t").fetchall() == [(1,)]
    assert connection.execute("SELECT * FROM t").fetchall() == [(1, "kept")]


def test_copy_that_fails_leaves_nothing_and_says_the_line(connection: psycopg.Connection[Any]) -> None:
    with pytest.raises(psycopg.errors.InvalidTextRepresentation) as raised, connection.cursor() as cursor:
        with cursor.copy("COPY t FROM STDIN") as copy:
            copy.write("1\tone\nx\ttwo\n")
    assert raised.value.diag.context == 'COPY t, line 2, column a: "x"'
    with pytest.raises(ZeroDivisionError), connection.cursor() as cursor:
        with cursor.copy("COPY t FROM STDIN") as copy:
            copy.write("1\tone\n")
            raise ZeroDivisionError
    assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)


# Interruption


def test_a_cancelled_query_ends_on_spark_too_and_the_session_goes_on(server: ServerProcess) -> None:
    with server.connect() as connection, server.connect() as other:
        began = time.monotonic()
        with cancelled(connection, every_s=1.0), pytest.raises(psycopg.errors.QueryCanceled) as raised:
            connection.execute(_SLOW)
        assert raised.value.diag.message_primary == "canceling statement due to user request"
        assert time.monotonic() - began < 30
        assert connection.execute("SELECT count(*) FROM slow").fetchone() == (5000,)
        assert other.execute("SELECT count(*) FROM slow").fetchone() == (5000,)


def test_statement_timeout_ends_a_statement_and_only_it(server: ServerProcess) -> None:
    with server.connect() as connection:
        connection.execute("SET statement_timeout = '500ms'")
        with pytest.raises(psycopg.errors.QueryCanceled) as raised:
            connection.execute(_SLOW)
        assert raised.value.diag.message_primary == "canceling statement due to statement timeout"
        assert connection.execute("SELECT 1").fetchone() == (1,)
        with pytest.raises(psycopg.errors.QueryCanceled):
            connection.execute(_SLOW, prepare=True)
        connection.execute("RESET statement_timeout")
        assert connection.execute("SHOW statement_timeout").fetchone() == ("0",)


@pytest.mark.parametrize("table", ["", "FROM slow LIMIT 1"])
def test_a_recursion_without_an_end_is_ended_and_lets_others_run(server: ServerProcess, table: str) -> None:
    endless = f"WITH MUTUALLY RECURSIVE c (n int) AS ((SELECT 1 {table}) EXCEPT SELECT n FROM c) SELECT n FROM c"
    with server.connect() as connection, server.connect() as other:
        connection.execute("SET statement_timeout = '2s'")
        began = time.monotonic()
        ended = threading.Thread(target=lambda: _error(connection, endless))
        ended.start()
        for n in range(5):
            assert other.execute(f"SELECT {n}").fetchone() == (n,)
        ended.join()
        assert time.monotonic() - began < 30
        with pytest.raises(psycopg.errors.QueryCanceled):
            connection.execute(endless)


def test_a_session_idle_in_its_transaction_is_ended(server: ServerProcess) -> None:
    with server.connect() as connection:
        connection.execute("SET idle_in_transaction_session_timeout = 200")
        time.sleep(0.5)
        connection.execute("BEGIN")
        time.sleep(1.0)
        with pytest.raises(psycopg.errors.IdleInTransactionSessionTimeout):
            connection.execute("SELECT 1")
        assert connection.closed


# Session state


def test_set_show_reset_discard(server: ServerProcess) -> None:
    with server.connect() as connection:
        connection.execute("SET TIME ZONE 'Europe/Berlin'")
        assert connection.execute("SHOW TimeZone").fetchone() == ("Europe/Berlin",)
        assert connection.info.parameter_status("TimeZone") == "Europe/Berlin"
        connection.execute("BEGIN")
        connection.execute("SET LOCAL TIME ZONE 'Asia/Tokyo'")
        assert connection.execute("SHOW timezone").fetchone() == ("Asia/Tokyo",)
        connection.execute("COMMIT")
        assert connection.execute("SHOW timezone").fetchone() == ("Europe/Berlin",)
        connection.execute("BEGIN")
        connection.execute("SET search_path = elsewhere")
        connection.execute("ROLLBACK")
        assert connection.execute("SHOW search_path").fetchone() == ('"$user", public',)
        connection.execute("PREPARE p AS SELECT 1")
        connection.execute("DISCARD ALL")
        assert connection.execute("SHOW timezone").fetchone() != ("Europe/Berlin",)
        assert _error(connection, "EXECUTE p") == "26000"
        assert _error(connection, "SET no_such_thing = 1") == "42704"
        assert _error(connection, "SET statement_timeout = 'soon'") == "22023"


def test_prepare_execute_deallocate(connection: psycopg.Connection[Any]) -> None:
    connection.execute("INSERT INTO t VALUES (1, 'one'), (2, 'two')")
    connection.execute("PREPARE by_a (int) AS SELECT b FROM t WHERE a = $1")
    assert connection.execute("EXECUTE by_a (2)").fetchall() == [("two",)]
    assert connection.execute("EXECUTE by_a ('1')").fetchall() == [("one",)]
    assert _error(connection, "EXECUTE by_a") == "42601"
    assert _error(connection, "PREPARE by_a AS SELECT 1") == "42P05"
    connection.execute("PREPARE adding AS INSERT INTO t VALUES ($1, $2)")
    assert connection.execute("EXECUTE adding (3, 'three')").statusmessage == "INSERT 0 1"
    assert connection.execute("EXECUTE by_a (3)").fetchall() == [("three",)]
    connection.execute("DEALLOCATE by_a")
    assert _error(connection, "EXECUTE by_a (1)") == "26000"


def test_cursors_in_sql(connection: psycopg.Connection[Any]) -> None:
    connection.execute("INSERT INTO t SELECT n, n::text FROM generate_series(1, 10) n")
    assert _error(connection, "DECLARE c CURSOR FOR SELECT 1") == "25P01"
    connection.execute("BEGIN")
    connection.execute("DECLARE c SCROLL CURSOR FOR SELECT a FROM t ORDER BY a")
    assert connection.execute("FETCH 2 FROM c").fetchall() == [(1,), (2,)]
    assert connection.execute("MOVE 3 FROM c").statusmessage == "MOVE 3"
    assert connection.execute("FETCH c").fetchall() == [(6,)]
    assert connection.execute("FETCH BACKWARD 2 FROM c").fetchall() == [(5,), (4,)]
    assert connection.execute("FETCH LAST FROM c").fetchall() == [(10,)]
    assert connection.execute("FETCH FIRST FROM c").fetchall() == [(1,)]
    assert len(connection.execute("FETCH ALL FROM c").fetchall()) == 9
    connection.execute("DECLARE h CURSOR WITH HOLD FOR SELECT a FROM t ORDER BY a")
    connection.execute("COMMIT")
    assert connection.execute("FETCH 1 FROM h").fetchall() == [(1,)]
    assert _error(connection, "FETCH 1 FROM c") == "34000"
    connection.execute("CLOSE h")
    assert _error(connection, "FETCH 1 FROM h") == "34000"


def test_an_error_within_a_message_of_several_statements_undoes_them_all(connection: psycopg.Connection[Any]) -> None:
    assert _error(connection, "INSERT INTO t VALUES (1); INSERT INTO t VALUES (2); SELECT 1 / 0") == "22012"
    assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)
    connection.execute("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)")
    assert connection.execute("SELECT count(*) FROM t").fetchone() == (2,)


# asyncpg


async def test_asyncpg_sends_and_gets_every_type(pg: asyncpg.Connection[Any]) -> None:
    marks = ", ".join(f"${number}::{name}" for number, name in enumerate(_VALUES, start=1))
    row = await pg.fetchrow(f"SELECT {marks}", *_VALUES.values())
    assert row is not None and tuple(row) == tuple(_VALUES.values())


async def test_asyncpg_introspects_types_that_it_does_not_know(pg: asyncpg.Connection[Any]) -> None:
    assert await pg.fetchval("SELECT '{pg_class}'::regclass[]") is not None
    assert await pg.fetchval("SELECT array_agg(relname) FROM pg_class WHERE relname = 'pg_class'") == ["pg_class"]


async def test_asyncpg_prepares_executes_many_and_copies(pg: asyncpg.Connection[Any]) -> None:
    await pg.executemany("INSERT INTO t VALUES ($1, $2)", [(i, str(i)) for i in range(200)])
    statement = await pg.prepare("SELECT b FROM t WHERE a = $1")
    assert [await statement.fetchval(i) for i in (5, 150)] == ["5", "150"]
    assert [attribute.name for attribute in statement.get_attributes()] == ["b"]
    tag = await pg.copy_records_to_table("t", records=[(i, None) for i in range(1000, 1500)])
    assert tag == "COPY 500"
    assert await pg.fetchval("SELECT count(*) FROM t") == 700


async def test_asyncpg_cursors_read_in_pieces(pg: asyncpg.Connection[Any]) -> None:
    await pg.execute("INSERT INTO t SELECT n FROM generate_series(1, 500) n")
    async with pg.transaction():
        got = [row["a"] async for row in pg.cursor("SELECT a FROM t ORDER BY a", prefetch=7)]
        assert got == list(range(1, 501))
        cursor = await pg.cursor("SELECT a FROM t ORDER BY a")
        await cursor.forward(10)
        assert [row["a"] for row in await cursor.fetch(2)] == [11, 12]


async def test_asyncpg_transactions_commit_and_roll_back(pg: asyncpg.Connection[Any]) -> None:
    async with pg.transaction():
        await pg.execute("INSERT INTO t VALUES (1)")
        with pytest.raises(asyncpg.DivisionByZeroError):
            async with pg.transaction():
                await pg.execute("INSERT INTO t VALUES (2)")
                await pg.fetch("SELECT 1 / 0")
    async with pg.transaction(isolation="serializable", readonly=True):
        with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
            async with pg.transaction():
                await pg.execute("INSERT INTO t VALUES (3)")
    assert [row["a"] for row in await pg.fetch("SELECT a FROM t")] == [1]


async def test_asyncpg_timeouts_cancel_the_query(pg: asyncpg.Connection[Any]) -> None:
    with pytest.raises(TimeoutError):
        await pg.fetch(_SLOW, timeout=0.7)
    assert await pg.fetchval("SELECT count(*) FROM slow", timeout=60) == 5000
    await pg.reset()
    assert await pg.fetchval("SELECT 1") == 1


async def test_asyncpg_pools_reset_their_connections(server: ServerProcess) -> None:
    async with asyncpg.create_pool(
        host=server.host, port=server.port, user="headwater", database="headwater", min_size=2, max_size=3
    ) as pool:

        async def one() -> int:
            async with pool.acquire() as connection:
                return int(await connection.fetchval("SELECT 1"))

        assert await asyncio.gather(*(one() for _ in range(12))) == [1] * 12


# pg8000


def test_pg8000_reads_writes_and_rolls_back(server: ServerProcess) -> None:
    connection = pg8000.dbapi.connect(
        user="headwater", host=server.host, port=server.port, database="headwater", password="any"
    )
    try:
        cursor = connection.cursor()
        cursor.execute("DROP TABLE IF EXISTS by_pg8000")
        cursor.execute("CREATE TABLE by_pg8000 (a int, b text, c numeric, d timestamptz)")
        connection.commit()
        when = datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
        row = [1, "one", decimal.Decimal("1.5"), when]
        cursor.executemany("INSERT INTO by_pg8000 VALUES (%s, %s, %s, %s)", [row, row])
        connection.commit()
        cursor.execute("SELECT * FROM by_pg8000")
        assert [list(got) for got in cursor.fetchall()] == [row, row]
        with pytest.raises(pg8000.dbapi.DatabaseError) as raised:
            cursor.execute("SELECT * FROM no_such_table")
        assert raised.value.args[0]["C"] == "42P01"
        connection.rollback()
        cursor.execute("DELETE FROM by_pg8000 WHERE a = %s", (1,))
        assert cursor.rowcount == 2
        connection.rollback()
        cursor.execute("SELECT count(*) FROM by_pg8000")
        assert cursor.fetchone()[0] == 2
    finally:
        connection.close()
