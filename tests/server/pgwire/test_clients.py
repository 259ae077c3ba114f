"""Real clients, unpatched, against the toy backend: psycopg, asyncpg, pg8000 and psql."""

from __future__ import annotations

import asyncio
import datetime
import decimal
import subprocess
import threading
import time
import uuid
from collections.abc import Iterator
from typing import Any

import asyncpg
import pg8000.dbapi
import psycopg
import pytest

from server.pgwire.server import ServerOptions
from tests.cancelling import cancelled
from tests.judge import psql
from tests.server.pgwire.serving import serving
from tests.server.pgwire.toy import ToyBackend

_VALUES: dict[str, Any] = {
    "int4": 7,
    "int8": -(2**60),
    "float8": 1.5e300,
    "numeric": decimal.Decimal("-12345.678"),
    "text": "é, 'quoted' and \\",
    "bytea": b"\x00\xff",
    "bool": True,
    "date": datetime.date(2024, 2, 29),
    "time": datetime.time(1, 2, 3, 4),
    "timestamp": datetime.datetime(2024, 2, 29, 1, 2, 3, 456),
    "timestamptz": datetime.datetime(1999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC),
    "interval": datetime.timedelta(days=3, seconds=5, microseconds=7),
    "uuid": uuid.UUID(int=2**127 + 5),
}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(ToyBackend()) as port:
        yield port


def _psycopg(port: int) -> psycopg.Connection[Any]:
    return psycopg.connect(host="127.0.0.1", port=port, user="someone", dbname="here", autocommit=True)


@pytest.mark.parametrize("binary", [False, True])
def test_psycopg_gets_back_every_type_that_it_sends(port: int, binary: bool) -> None:
    sign = "%b" if binary else "%t"
    sql = "SELECT " + ", ".join(f"{sign}::{type_}" for type_ in _VALUES)
    with _psycopg(port) as connection, connection.cursor(binary=binary) as cursor:
        assert cursor.execute(sql, list(_VALUES.values())).fetchone() == tuple(_VALUES.values())


def test_psycopg_pipelines_copies_and_sees_errors(port: int) -> None:
    with _psycopg(port) as connection:
        with connection.pipeline():
            cursors = [connection.execute("SELECT %s::int4", (i,)) for i in range(30)]
        assert [cursor.fetchone() for cursor in cursors] == [(i,) for i in range(30)]
        connection.execute("CREATE copied (a int4, b text)")
        with connection.cursor().copy("COPY copied FROM STDIN") as copy:
            for i in range(3000):
                copy.write_row((i, f"row\t{i}"))
        for options in ("", "(FORMAT binary)"):
            with connection.cursor().copy(f"COPY copied TO STDOUT {options}") as copy:
                copy.set_types(["int4", "text"])
                assert list(copy.rows()) == [(i, f"row\t{i}") for i in range(3000)]
        with pytest.raises(psycopg.errors.DivisionByZero) as raised:
            connection.execute("RAISE 22012 division by zero")
        assert raised.value.diag.message_hint == "hint"
        with cancelled(connection), pytest.raises(psycopg.errors.QueryCanceled):
            connection.execute("SLEEP 60")
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_asyncpg_gets_back_every_type_and_reads_by_portions(port: int) -> None:
    async def scenario() -> None:
        connection = await asyncpg.connect(host="127.0.0.1", port=port, user="someone", database="here")
        for type_, value in _VALUES.items():
            assert await connection.fetchval(f"SELECT $1::{type_}", value) == value
        assert await connection.fetchval("SELECT $1::text[]", ["a", None, "b c"]) == ["a", None, "b c"]
        async with connection.transaction():
            cursor = await connection.cursor("NUMBERS 100")
            assert [len(await cursor.fetch(30)) for _ in range(4)] == [30, 30, 30, 10]
        with pytest.raises(asyncpg.UndefinedTableError):
            await connection.fetch("TABLE absent")
        with pytest.raises(asyncio.TimeoutError):
            await connection.execute("SLEEP 60", timeout=0.1)
        assert await connection.fetchval("SELECT 5") == 5
        await connection.close()

    asyncio.run(scenario())


def test_pg8000_speaks_text(port: int) -> None:
    connection = pg8000.dbapi.connect(user="someone", host="127.0.0.1", port=port, database="here")
    cursor = connection.cursor()
    cursor.execute("SELECT %s::int4, %s::text, %s::numeric", (5, "z", decimal.Decimal("1.25")))
    assert list(cursor.fetchall()) == [[5, "z", decimal.Decimal("1.25")]]
    connection.commit()
    with pytest.raises(pg8000.dbapi.DatabaseError):
        cursor.execute("RAISE 42601 no")
    connection.rollback()
    connection.close()


def test_psql_shows_rows_notices_errors_and_copies(port: int) -> None:
    script = (
        "CREATE c (a int4, b text)\n;COPY c FROM STDIN;\n1\tx\n2\t\\N\n\\.\nTABLE c;NOTICE look;\nRAISE 22012 zero;\n"
    )
    command = [str(psql()), "-X", "-A", "-t", "-h", "127.0.0.1", "-p", str(port), "-U", "someone", "-d", "here"]
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout == "CREATE TABLE\nCOPY 2\n1|x\n2|\nNOTICE\n"
    assert done.stderr.splitlines()[:2] == ["NOTICE:  look", "ERROR:  zero"]


def test_one_client_too_many_is_told_so_and_a_place_freed_is_given_again() -> None:
    with serving(ToyBackend(), ServerOptions(connections_max=2)) as port:
        first, second = _psycopg(port), _psycopg(port)
        with pytest.raises(psycopg.OperationalError, match="too many clients"):
            _psycopg(port)
        first.close()
        deadline = time.monotonic() + 5
        while True:
            try:
                _psycopg(port).close()
                break
            except psycopg.OperationalError:
                assert time.monotonic() < deadline
        second.close()


def test_shutdown_tells_idle_clients_and_lets_statements_end() -> None:
    outcome: list[object] = []

    def work(connection: psycopg.Connection[Any]) -> None:
        outcome.append(connection.execute("SLEEP 1").statusmessage)

    backend = ToyBackend()
    with serving(backend, grace_s=60) as port:
        idle, busy = _psycopg(port), _psycopg(port)
        worker = threading.Thread(target=work, args=(busy,))
        worker.start()
        while all(session.sleeping is None for session in backend.sessions.values()):
            time.sleep(0.01)
    worker.join(60)
    assert outcome == ["SLEEP"]
    with pytest.raises(psycopg.errors.AdminShutdown):
        idle.execute("SELECT 1")
    idle.close()
    busy.close()
