"""What `--no-server-files` and `--no-server-programs` switch off: for statements, and for what was there before."""

from __future__ import annotations

import re
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest

from model.time.clock import SystemRandomness
from server.ledgers.server_access import ServerAccess
from server.secrets.keyring import Keyring, new_key
from tests.server.memory_server import memory_server
from tests.storage.memory import MemoryBlob, MemoryConsensus

_CLOSED = ServerAccess(files=False, programs=False)
_FILES = (
    "COPY t TO '{place}/out.csv'",
    "COPY t TO '{place}/out.parquet' (FORMAT PARQUET)",
    "COPY t TO '{place}/parts/' (FORMAT JSON)",
    "COPY (SELECT 1) TO '{place}/out.csv'",
    "COPY t FROM '{place}/in.csv'",
    "COPY t FROM '{place}/in.parquet' (FORMAT PARQUET)",
    "CREATE SOURCE s FROM FILES '{place}/*.txt' FORMAT TEXT",
    "CREATE SOURCE s FROM FILES '{place}/*.csv' FORMAT CSV WITH HEADER",
    "CREATE SOURCE s FROM FILES '{place}/*.parquet' FORMAT PARQUET",
    "CREATE SINK s FROM t INTO SQLITE (PATH '{place}/out.db') KEY (a)",
    "CREATE SINK s FROM t INTO FILES (PATH '{place}/out')",
    "CREATE SINK s FROM t INTO DELTA (PATH '{place}/out')",
    "CREATE SINK s FROM t INTO ICEBERG (PATH '{place}/out')",
)
_SOCKETS = tuple(
    f"CREATE CONNECTION c TO POSTGRES (HOST '{host}', DATABASE 'd', USER 'u') WITH (VALIDATE = {validate})"
    for host in ("{place}", "localhost,{place}", "@abstract", "localhost,")
    for validate in ("true", "false")
)
_PROGRAMS = ("CREATE SINK s FROM t INTO CONNECTOR (COMMAND 'touch {place}/ran') KEY (a)",)


def _refused(connection: psycopg.Connection[Any], statement: str) -> psycopg.errors.Diagnostic:
    with pytest.raises(psycopg.errors.InsufficientPrivilege) as raised:
        connection.execute(statement.encode())
    return raised.value.diag


def test_what_is_switched_off_is_refused_with_the_way_that_is_open(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("1\n")
    before = {path.name for path in tmp_path.iterdir()}
    with memory_server(access=_CLOSED) as server, server.connect() as connection:
        connection.execute("CREATE TABLE t (a int PRIMARY KEY)")
        for statements, option in ((_FILES + _SOCKETS, "--no-server-files"), (_PROGRAMS, "--no-server-programs")):
            for statement in statements:
                told = _refused(connection, statement.format(place=tmp_path))
                assert told.message_detail == f"The server was started with {option}."
                assert told.message_hint is not None and "as ever" in told.message_hint
        assert {path.name for path in tmp_path.iterdir()} == before
        with connection.cursor().copy("COPY t FROM STDIN") as copy:
            copy.write("7\n")
        with connection.cursor().copy("COPY t TO STDOUT") as copy:
            assert b"".join(map(bytes, copy)) == b"7\n"


@pytest.mark.parametrize(
    ("access", "refused", "taken"),
    [
        (ServerAccess(files=False), _FILES[9], _PROGRAMS[0]),
        (ServerAccess(programs=False), _PROGRAMS[0], _FILES[9]),
    ],
)
def test_each_is_switched_off_alone(access: ServerAccess, refused: str, taken: str, tmp_path: Path) -> None:
    with memory_server(access=access) as server, server.connect() as connection:
        connection.execute("CREATE TABLE t (a int PRIMARY KEY)")
        _refused(connection, refused.format(place=tmp_path))
        connection.execute(taken.format(place=tmp_path).encode())


def _until(connection: psycopg.Connection[Any], query: str, wanted: list[tuple[Any, ...]]) -> None:
    deadline = time.monotonic() + 60
    while (found := connection.execute(query.encode()).fetchall()) != wanted:
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


def _read_as_of_when_it_stood(connection: psycopg.Connection[Any]) -> None:
    """A source that stands still says as of when its rows can be read, by itself and through views."""
    told = "SELECT details->>'hint' FROM mz_internal.mz_source_statuses WHERE name = 's'"
    deadline = time.monotonic() + 60
    while (found := re.search(r"AS OF (\d+) reads them", str(connection.execute(told).fetchone()))) is None:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    for name in ("s", "through", "kept"):
        query = f"SELECT text FROM {name} AS OF {found[1]}"
        assert connection.execute(query.encode()).fetchall() == [("one",)]


def test_what_was_there_before_stands_still_and_goes_on_when_it_is_switched_on_again(tmp_path: Path) -> None:
    consensus, blob, keyring = MemoryConsensus(), MemoryBlob(), Keyring((new_key(SystemRandomness()),))
    (tmp_path / "a.txt").write_text("one\n")
    ran = tmp_path / "ran"
    program = f"{sys.executable} -c \"open(''{ran}'', ''w'')\""
    written = "SELECT status FROM mz_internal.mz_sink_statuses WHERE name = 'f'"
    with memory_server(consensus, blob, keyring) as server, server.connect() as connection:
        connection.execute("CREATE TABLE t (a int PRIMARY KEY)")
        connection.execute("INSERT INTO t VALUES (1)")
        connection.execute(f"CREATE SOURCE s FROM FILES '{tmp_path}/*.txt' FORMAT TEXT".encode())
        connection.execute("CREATE VIEW through AS SELECT text FROM s")
        connection.execute("CREATE MATERIALIZED VIEW kept AS SELECT text FROM s")
        _until(connection, "SELECT text FROM kept", [("one",)])
        connection.execute(f"CREATE SINK f FROM t INTO SQLITE (PATH '{tmp_path}/out.db') KEY (a)".encode())
        connection.execute(f"CREATE SINK p FROM t INTO CONNECTOR (COMMAND '{program}') KEY (a)".encode())
        _until(connection, written, [("running",)])
        deadline = time.monotonic() + 60
        while not ran.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
    ran.unlink()
    with memory_server(consensus, blob, keyring, _CLOSED) as server, server.connect() as connection:
        sinks = "SELECT name, status, error, details IS NOT NULL FROM mz_internal.mz_sink_statuses ORDER BY name"
        assert connection.execute(sinks).fetchall() == [
            ("f", "stalled", "files of the server are switched off", True),
            ("p", "stalled", "programs of the server are switched off", True),
        ]
        sources = "SELECT name, status, error, details IS NOT NULL FROM mz_internal.mz_source_statuses WHERE name = 's'"
        assert connection.execute(sources).fetchall() == [
            ("s", "stalled", "files of the server are switched off", True)
        ]
        _read_as_of_when_it_stood(connection)
        connection.execute("INSERT INTO t VALUES (2)")
        connection.execute("ALTER SINK f PAUSE")
        connection.execute("ALTER SINK f RESUME")
        assert connection.execute(written).fetchall() == [("stalled",)]
    assert not ran.exists()
    with memory_server(consensus, blob, keyring) as server, server.connect() as connection:
        _until(connection, written, [("running",)])
        deadline = time.monotonic() + 60
        while True:
            with sqlite3.connect(tmp_path / "out.db") as database:
                rows = database.execute("SELECT a FROM t ORDER BY a").fetchall()
            if rows == [(1,), (2,)]:
                break
            assert time.monotonic() < deadline, rows
            time.sleep(0.05)
