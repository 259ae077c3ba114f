"""CREATE SINK asks a database whether what stands there holds what is written, and makes no sink where it does not."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from server.statements.definitions import create_sink
from tests.data_servers import MariaDb
from tests.judge import Judge
from tests.server.memory_server import memory_server

Connection = psycopg.Connection[tuple[object, ...]]


@pytest.fixture
def connection() -> Iterator[Connection]:
    with memory_server() as server, closing(server.connect()) as connection:
        connection.execute("CREATE TABLE t (id int PRIMARY KEY, n numeric(10, 2), f float8)")
        yield connection


def _sinks(connection: Connection) -> list[tuple[object, ...]]:
    return connection.execute("SELECT name FROM mz_sinks").fetchall()


_TABLES = (
    ("id int PRIMARY KEY, n numeric(10, 2), f float8", None),
    ("id bigint PRIMARY KEY, n numeric(12, 3), f float8, more text", None),
    ("id int PRIMARY KEY, n numeric(10, 1), f float8", 'column "n" of type numeric(10,1) does not hold'),
    ("id int PRIMARY KEY, n numeric(10, 2), f real", 'column "f" of type real does not hold'),
    ("id int PRIMARY KEY, n numeric(10, 2)", 'there is no column "f"'),
    ("id int, n numeric(10, 2), f float8", "its key is not unique there"),
)


@pytest.mark.parametrize(("columns", "refused"), _TABLES)
def test_a_table_of_postgres_is_looked_at(
    connection: Connection, judge: Judge, columns: str, refused: str | None
) -> None:
    judge.empty()
    with judge.connect() as there:
        there.execute(f"CREATE TABLE t ({columns})".encode())
        there.execute(b"INSERT INTO t (id) VALUES (1)")
    connection.execute(
        f"CREATE CONNECTION pg TO POSTGRES (HOST '{judge.host}', PORT {judge.port}, DATABASE 'headwater', "
        "USER 'headwater')".encode()
    )
    statement = b"CREATE SINK s FROM t INTO POSTGRES CONNECTION pg (TABLE 't') KEY (id)"
    if refused is None:
        connection.execute(statement)
        assert _sinks(connection) == [("s",)]
    else:
        with pytest.raises(psycopg.errors.DatatypeMismatch) as error:
            connection.execute(statement)
        assert refused in str(error.value)
        assert _sinks(connection) == []
    with judge.connect() as there:
        assert there.execute(b"SELECT count(*) FROM t").fetchall() == [(1,)], "asking changes nothing"


@pytest.mark.parametrize(
    ("columns", "refused"),
    [
        ("id int PRIMARY KEY, n decimal(10, 2), f double", None),
        ("id int PRIMARY KEY, n decimal(10, 1), f double", 'column "n" does not hold'),
        ("id int PRIMARY KEY, n decimal(10, 2), f float", 'column "f" does not hold'),
        ("id int, n decimal(10, 2), f double", "its key is not unique"),
    ],
)
def test_a_table_of_mysql_is_looked_at(
    connection: Connection, mariadb: MariaDb, columns: str, refused: str | None
) -> None:
    mariadb.query("DROP TABLE IF EXISTS t, headwater_checkpoints")
    mariadb.query(f"CREATE TABLE t ({columns})")
    connection.execute(
        f"CREATE CONNECTION my TO MYSQL (HOST '{mariadb.host}', PORT {mariadb.port}, DATABASE '{mariadb.database}', "
        "USER 'root')".encode()
    )
    statement = b"CREATE SINK s FROM t INTO MYSQL CONNECTION my (TABLE 't') KEY (id)"
    if refused is None:
        connection.execute(statement)
        assert _sinks(connection) == [("s",)]
        return
    with pytest.raises(psycopg.errors.DatatypeMismatch) as error:
        connection.execute(statement)
    assert refused in str(error.value)
    assert _sinks(connection) == []


@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize("kind", ["POSTGRES", "MYSQL"])
def test_a_sink_is_made_though_nobody_answers_and_that_is_told(
    connection: Connection, kind: str, silent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody listens, or who listens says nothing."""
    monkeypatch.setattr(create_sink, "_ASKED_S", 2)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        if silent:
            listening.listen()
        port = listening.getsockname()[1]
        connection.execute(
            f"CREATE CONNECTION away TO {kind} (HOST '127.0.0.1', PORT {port}, DATABASE 'd', USER 'u') "
            "WITH (VALIDATE = false)".encode()
        )
        told: list[tuple[str | None, str | None, str | None]] = []
        connection.add_notice_handler(lambda one: told.append((one.severity, one.sqlstate, one.message_primary)))
        connection.execute(f"CREATE SINK s FROM t INTO {kind} CONNECTION away (TABLE 't') KEY (id)".encode())
        assert _sinks(connection) == [("s",)]
        assert told == [("WARNING", "08001", "the destination could not be asked whether what is written fits")]
