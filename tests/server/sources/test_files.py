"""Files of the server's over SQL: rows of each format, growth, progress, kill -9, and what is refused."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.server.sources.own_database import own_database
from tests.server.sources.test_kafka_sources import Connection, rows, until
from tests.server_process import ServerProcess, start_server

pytestmark = pytest.mark.spark
_SOON = "WITH (SCAN INTERVAL = '20 ms')"


@pytest.fixture(scope="module")
def connection(headwater_server: ServerProcess) -> Iterator[Connection]:
    with own_database(headwater_server, "files") as connection:
        yield connection


def test_csv_by_its_header_goes_on_as_files_come_and_grow(connection: Connection, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("origin,delay\nJFK,5\nLGA,7\n")
    connection.execute(f"CREATE SOURCE flights FROM FILES '{tmp_path}/*.csv' FORMAT CSV WITH HEADER {_SOON}".encode())
    connection.execute(
        b"CREATE MATERIALIZED VIEW delays AS SELECT origin, sum(delay::int) AS n FROM flights GROUP BY origin"
    )
    until(connection, "SELECT * FROM delays ORDER BY 1", lambda found: found == [("JFK", 5), ("LGA", 7)])
    (tmp_path / "b.csv").write_text('origin,delay\n"J""F\nK",1\n')
    with (tmp_path / "a.csv").open("a") as file:
        file.write("JFK,10\n")
    wanted = [('J"F\nK', 1), ("JFK", 15), ("LGA", 7)]
    until(connection, "SELECT * FROM delays ORDER BY 1", lambda found: found == wanted)
    progress = rows(connection, "SELECT key, byte_offset FROM flights_progress ORDER BY key")
    assert progress == [(str(path), path.stat().st_size) for path in (tmp_path / "a.csv", tmp_path / "b.csv")]
    assert rows(connection, "SELECT type FROM mz_sources WHERE name = 'flights'") == [("files",)]
    ((_, sql),) = rows(connection, "SHOW CREATE SOURCE flights")
    assert sql == f"CREATE SOURCE public.flights FROM FILES '{tmp_path}/*.csv' FORMAT CSV WITH HEADER {_SOON};"


def test_the_other_formats(connection: Connection, tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text('{"a": 1}\n\n{"a": [2]}\n')
    (tmp_path / "f.txt").write_bytes("ä\r\n\r\nb\n".encode())
    (tmp_path / "f.bin").write_bytes(b"\xff\r\n")
    table = pa.table(
        {"n": pa.array([1, None], pa.int64()), "tags": [["x"], None], "at": pa.array([0, 1], pa.timestamp("us"))}
    )
    pq.write_table(table, tmp_path / "f.parquet")
    for name, clauses in (
        ("of_json", f"'{tmp_path}/*.json' FORMAT JSON INCLUDE OFFSET AS place"),
        ("of_text", f"'{tmp_path}/*.txt' FORMAT TEXT"),
        ("of_bytes", f"'{tmp_path}/*.bin' FORMAT BYTES"),
        ("of_parquet", f"'{tmp_path}/*.parquet' FORMAT PARQUET"),
        ("of_csv (a, b)", f"'{tmp_path}/*.json' FORMAT CSV WITH 2 COLUMNS"),
    ):
        connection.execute(f"CREATE SOURCE {name} FROM FILES {clauses} WITH (SCAN = ONCE)".encode())
    until(
        connection,
        "SELECT data->'a' = '1', place FROM of_json ORDER BY place",
        lambda found: found == [(True, 0), (False, 10)],
    )
    until(connection, "SELECT text FROM of_text ORDER BY 1", lambda found: found == [("",), ("b",), ("ä",)])
    until(connection, "SELECT data FROM of_bytes", lambda found: found == [(b"\xff\r",)])
    wanted = [(1, ["x"], "1970-01-01 00:00:00"), (None, None, "1970-01-01 00:00:00.000001")]
    until(connection, "SELECT n, tags, at::text FROM of_parquet ORDER BY at", lambda found: found == wanted)
    with pytest.raises(psycopg.Error, match=r"f.json, offset 0 can't be decoded"):
        until(connection, "SELECT * FROM of_csv", lambda found: False)


def test_a_changed_file_stops_its_source_alone_and_is_named(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("a\n")
    connection.execute(f"CREATE SOURCE changing FROM FILES '{path}' FORMAT TEXT {_SOON}".encode())
    ((seen, _),) = until(connection, "SELECT mz_now()::text, * FROM changing", lambda found: len(found) == 1)
    path.write_text("")
    status = "SELECT status, error, details->>'hint' FROM mz_internal.mz_source_statuses WHERE name = 'changing'"
    ((_, error, hint),) = until(connection, status, lambda found: found[0][0] == "stalled")
    assert str(path) in error and "CHANGED OBJECTS" in hint
    assert rows(connection, f"SELECT * FROM changing AS OF {seen}") == [("a",)]
    path.write_text("a\nb\n")
    until(connection, "SELECT * FROM changing ORDER BY 1", lambda found: found == [("a",), ("b",)])


@pytest.mark.parametrize(
    ("source", "sqlstate"),
    [
        ("FILES '/nowhere/*.csv' FORMAT CSV WITH HEADER", "58P01"),
        ("FILES '/nowhere/*' FORMAT PARQUET", "58P01"),
        ("FILES '/etc/passwd' FORMAT PARQUET", "22P04"),
        ("FILES '' FORMAT TEXT", "22023"),
        ("FILES '/x'", "42601"),
        ("FILES '/x' FORMAT AVRO USING SCHEMA '\"int\"'", "0A000"),
        ("FILES '/x' FORMAT TEXT ENVELOPE UPSERT", "0A000"),
        ("FILES '/x' FORMAT TEXT INCLUDE PARTITION", "0A000"),
        ("FILES '/x' COMPRESSION RAR FORMAT TEXT", "22023"),
        ("FILES '/x' COMPRESSION GZIP FORMAT PARQUET", "42601"),
        ("FILES '/x' FORMAT TEXT WITH (SCAN = TWICE)", "22023"),
        ("FILES '/x' FORMAT TEXT WITH (CHANGED OBJECTS = KEEP)", "22023"),
        ("FILES '/x' FORMAT TEXT WITH (SCAN INTERVAL = '1 us')", "22023"),
        ("FILES FORMAT TEXT", "42601"),
        ("LOAD GENERATOR COUNTER WITH (SCAN = ONCE)", "0A000"),
    ],
)
def test_what_cannot_be_read_is_refused(connection: Connection, source: str, sqlstate: str) -> None:
    with pytest.raises(psycopg.Error) as refused:
        connection.execute(f"CREATE SOURCE x FROM {source}".encode())
    assert refused.value.sqlstate == sqlstate


@pytest.mark.slow
def test_each_line_is_a_row_once_whatever_is_killed(tmp_path: Path) -> None:
    chance = random.Random(1)
    data, directory = tmp_path / "data", tmp_path / "in"
    directory.mkdir()
    server = start_server(data)
    written = 0
    try:
        with server.connect() as connection:
            connection.execute(f"CREATE SOURCE s FROM FILES '{directory}/*' FORMAT TEXT {_SOON}".encode())
            connection.execute(b"CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n, sum(text::int) AS total FROM s")
        for _ in range(20):
            with (directory / f"f{chance.randrange(5)}").open("a") as file:
                for _ in range(500):
                    file.write(f"{written}\n")
                    written += 1
        with server.connect() as connection:
            until(connection, "SELECT n > 0 FROM m", lambda found: found == [(True,)])
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
        with (directory / "f0").open("a") as file:
            file.write(f"{written}\n")
            written += 1
        server = start_server(data)
        with server.connect() as connection:
            whole = [(written, written * (written - 1) // 2)]
            until(connection, "SELECT * FROM m", lambda found: found == whole)
            assert rows(connection, "SELECT count(DISTINCT text), count(*) FROM s") == [(written, written)]
    finally:
        server.stop()
