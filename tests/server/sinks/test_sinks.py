"""Sinks over SQL: what is written, what is told of it, what may be altered beneath it, and what is refused."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import boto3
import psycopg
import pytest
from deltalake import DeltaTable
from deltalake.exceptions import TableNotFoundError

from connectors.sinks.fences import CHECKPOINTS
from tests.amazon import run_amazon
from tests.connectors.sinks.destinations import PROGRAM, iceberg_rows
from tests.judge import Judge
from tests.polling import polls
from tests.server.memory_server import MemoryServer, memory_server

Connection = psycopg.Connection[tuple[Any, ...]]
_PATIENCE_S = 120.0


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


@pytest.fixture
def connection(server: MemoryServer) -> Iterator[Connection]:
    with server.connect() as connection:
        yield connection
        for kind in ("sinks", "materialized views", "views", "tables"):
            for name, *_ in connection.execute(f"SHOW {kind}".encode()).fetchall():
                connection.execute(f'DROP {kind[:-1]} "{name}" CASCADE'.encode())


def until(found: Callable[[], Any], wanted: Any) -> None:
    """Returns once it is so."""
    for _ in polls(_PATIENCE_S):
        if (seen := found()) == wanted:
            return
    raise AssertionError(f"{seen} came, {wanted} was to come")


def rows(path: Path, table: str) -> list[tuple[Any, ...]]:
    """What a SQLite database has; nothing before there is such a table."""
    with sqlite3.connect(path) as connection:
        try:
            return connection.execute(f'SELECT * FROM "{table}" ORDER BY 1, 2').fetchall()
        except sqlite3.OperationalError:
            return []


def status(connection: Connection, sink: str) -> tuple[Any, ...]:
    query = f"SELECT status, error FROM mz_internal.mz_sink_statuses WHERE name = '{sink}'"
    return connection.execute(query.encode()).fetchall()[0]


def test_a_table_is_followed_by_key(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text, n numeric(10, 2))")
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1.5), (2, NULL, -0.10)")
    connection.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{path}') KEY (id)".encode())
    until(lambda: rows(path, "t"), [(1, "a", "1.50"), (2, None, "-0.10")])
    connection.execute(b"UPDATE t SET v = 'b' WHERE id = 1")
    connection.execute(b"DELETE FROM t WHERE id = 2")
    connection.execute(b"INSERT INTO t VALUES (3, 'it''s', 0)")
    until(lambda: rows(path, "t"), [(1, "b", "1.50"), (3, "it's", "0.00")])
    assert status(connection, "s") == ("running", None)
    found = connection.execute(b"SELECT name, type, envelope_type, create_sql FROM mz_sinks").fetchall()
    target = f"INTO SQLITE (PATH = '{path}', TABLE = 't') KEY (id) WITH (MAX AGE = '100 ms', MAX SIZE = 500000)"
    assert found == [("s", "sqlite", "upsert", f"CREATE SINK public.s FROM public.t {target};")]
    assert connection.execute(b"SHOW CREATE SINK s").fetchall()[0][1] == found[0][3]
    assert connection.execute(b"SHOW SINKS").fetchall() == [("s", "sqlite", "default", "running")]
    explained = [line for (line,) in connection.execute(b"EXPLAIN PHYSICAL PLAN FOR SINK s").fetchall()]
    assert re.fullmatch(r"Sink public\.s \(u\d+\) into sqlite", explained[0])
    assert re.fullmatch(r"  From public\.t \(u\d+\): id, v, n", explained[1])
    assert [line.strip() for line in explained[2:]] == [
        "By (id): the last row of each key",
        "A transaction after 100 ms or 500,000 changes, at a whole timestamp",
        "Exactly once: what is written and how far it is are one transaction of the destination's",
    ]
    assert connection.execute(b"EXPLAIN SINK s").fetchall() == [(line,) for line in explained]
    with pytest.raises(psycopg.errors.UndefinedObject, match='sink "t2" does not exist'):
        connection.execute(b"EXPLAIN SINK t2")
    connection.execute(b"ALTER SINK s RENAME TO renamed")
    connection.execute(b"COMMENT ON SINK renamed IS 'kept'")
    connection.execute(b"DROP SINK renamed")
    connection.execute(b"DELETE FROM t")
    assert connection.execute(b"SELECT count(*) FROM mz_sinks").fetchall() == [(0,)]
    assert rows(path, "t") == [(1, "b", "1.50"), (3, "it's", "0.00")]


def test_a_table_of_postgresql_is_written_by_a_connection(connection: Connection, judge: Judge) -> None:
    place = f"HOST '{judge.host}', PORT {judge.port}, DATABASE 'headwater', USER 'headwater'"
    connection.execute(f"CREATE CONNECTION pg TO POSTGRES ({place})".encode())
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text, at timestamptz, tags text[], n numeric(10, 2))")
    connection.execute(
        b"INSERT INTO t VALUES (1, 'a', '2026-11-23 12:00+02', '{x,NULL}', 1.5), (2, NULL, NULL, NULL, NULL)"
    )
    with judge.connect() as there:
        there.execute(b"CREATE SCHEMA IF NOT EXISTS out")
        there.execute(b"DROP TABLE IF EXISTS out.flights, out.headwater_checkpoints")
        connection.execute(b"CREATE SINK s FROM t INTO POSTGRES CONNECTION pg (TABLE 'out.flights') KEY (id)")

        def found() -> list[tuple[Any, ...]]:
            if there.execute(b"SELECT to_regclass('out.flights')").fetchall() == [(None,)]:
                return []
            query = "SELECT id, v, at::text, tags::text, n::text FROM out.flights ORDER BY id"
            return there.execute(query.encode()).fetchall()

        until(found, [(1, "a", "2026-11-23 10:00:00+00", "{x,NULL}", "1.50"), (2, None, None, None, None)])
        types = "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'out.flights'::regclass"
        wanted = ["integer", "text", "timestamp with time zone", "text[]", "numeric(10,2)"]
        told = there.execute(f"{types} AND attnum > 0 ORDER BY attnum".encode()).fetchall()
        assert [type_ for (type_,) in told] == wanted
        connection.execute(b"UPDATE t SET n = 2 WHERE id = 1")
        connection.execute(b"DELETE FROM t WHERE id = 2")
        until(found, [(1, "a", "2026-11-23 10:00:00+00", "{x,NULL}", "2.00")])
        there.execute(b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'headwater'")
        connection.execute(b"INSERT INTO t VALUES (3)")
        until(lambda: [row[0] for row in found()], [1, 3])
        ((kind, sql),) = connection.execute(b"SELECT type, create_sql FROM mz_sinks").fetchall()
        assert kind == "postgres"
        assert "INTO POSTGRES CONNECTION public.pg (TABLE = 'out.flights') KEY (id)" in sql
        with pytest.raises(psycopg.errors.DependentObjectsStillExist):
            connection.execute(b"DROP CONNECTION pg")
        connection.execute(b"DROP CONNECTION pg CASCADE")
        there.execute(b"DROP SCHEMA out CASCADE")
    assert connection.execute(b"SHOW SINKS").fetchall() == []


def test_one_commit_is_one_transaction_there(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE accounts (id int PRIMARY KEY, amount int)")
    connection.execute(b"INSERT INTO accounts SELECT i, 100 FROM generate_series(1, 10) i")
    connection.execute(
        f"CREATE SINK s FROM accounts INTO SQLITE (PATH '{path}') KEY (id) WITH (MAX AGE '1 ms')".encode()
    )
    until(lambda: len(rows(path, "accounts")), 10)
    for number in range(60):
        with connection.transaction():
            connection.execute(f"UPDATE accounts SET amount = amount - 7 WHERE id = {number % 10 + 1}".encode())
            connection.execute(f"UPDATE accounts SET amount = amount + 7 WHERE id = {(number + 3) % 10 + 1}".encode())
        assert sum(amount for _, amount in rows(path, "accounts")) == 1000
    until(lambda: rows(path, "accounts"), [(i, 100) for i in range(1, 11)])


def test_changes_go_to_files_each_with_its_time(connection: Connection, tmp_path: Path) -> None:
    connection.execute(b"CREATE TABLE t (id int, v text)")
    connection.execute(b"INSERT INTO t VALUES (1, 'a'), (1, 'a')")
    connection.execute(f"CREATE SINK s FROM t INTO FILES (PATH '{tmp_path}/out') FORMAT JSON".encode())

    def changes() -> list[tuple[Any, ...]]:
        files = sorted((tmp_path / "out" / "v1").glob("[0-9]*.json"))
        loaded = [json.loads(line) for file in files for line in file.read_text().splitlines()]
        return [(each["id"], each["v"], each["mz_diff"]) for each in loaded]

    until(changes, [(1, "a", 2)])
    connection.execute(b"UPDATE t SET v = NULL")
    until(changes, [(1, "a", 2), (1, "a", -2), (1, None, 2)])


def test_a_lake_has_a_table_by_key(connection: Connection, tmp_path: Path) -> None:
    path = str(tmp_path / "lake")

    def found() -> list[tuple[Any, ...]]:
        try:
            return sorted(tuple(row.values()) for row in DeltaTable(path).to_pyarrow_table().to_pylist())
        except TableNotFoundError:
            return []

    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text, n numeric(10, 2))")
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1.5), (2, NULL, -0.10)")
    connection.execute(f"CREATE SINK s FROM t INTO DELTA (PATH '{path}') KEY (id)".encode())
    until(found, [(1, "a", Decimal("1.50")), (2, None, Decimal("-0.10"))])
    connection.execute(b"UPDATE t SET v = 'b' WHERE id = 1")
    connection.execute(b"DELETE FROM t WHERE id = 2")
    until(found, [(1, "b", Decimal("1.50"))])
    ((kind, sql),) = connection.execute(b"SELECT type, create_sql FROM mz_sinks").fetchall()
    assert kind == "delta" and f"INTO DELTA (PATH = '{path}') KEY (id) WITH" in sql
    connection.execute(b"ALTER SINK s BACKFILL")
    connection.execute(b"INSERT INTO t VALUES (3)")
    until(found, [(1, "b", Decimal("1.50")), (3, None, None)])


def test_a_table_of_iceberg_by_key_and_one_of_changes(connection: Connection, tmp_path: Path) -> None:
    def found(table: str, *names: str) -> list[tuple[Any, ...]]:
        return sorted(tuple(row[name] for name in names) for row in iceberg_rows(tmp_path / "ice", table))

    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text, n numeric(10, 2))")
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1.5), (2, NULL, -0.10)")
    place = f"INTO ICEBERG (PATH '{tmp_path}/ice'"
    connection.execute(f"CREATE SINK s FROM t {place}) KEY (id) WITH (MAX AGE '100 ms')".encode())
    connection.execute(f"CREATE SINK h FROM t {place}, TABLE 'of.changes') WITH (MAX AGE '100 ms')".encode())
    until(lambda: found("public.t", "id", "v", "n"), [(1, "a", Decimal("1.50")), (2, None, Decimal("-0.10"))])
    until(lambda: len(found("of.changes", "mz_timestamp")), 2)
    connection.execute(b"UPDATE t SET v = 'b' WHERE id = 1")
    connection.execute(b"DELETE FROM t WHERE id = 2")
    until(lambda: found("public.t", "id", "v", "n"), [(1, "b", Decimal("1.50"))])
    until(lambda: found("of.changes", "mz_diff"), [(-1,), (-1,), (1,), (1,), (1,)])
    told = connection.execute(b"SELECT type, create_sql FROM mz_sinks ORDER BY name DESC").fetchall()
    assert [kind for kind, _ in told] == ["iceberg", "iceberg"]
    assert f"INTO ICEBERG (PATH = '{tmp_path}/ice', TABLE = 'public.t') KEY (id) WITH" in told[0][1]
    connection.execute(b"ALTER SINK s BACKFILL")
    connection.execute(b"INSERT INTO t VALUES (3)")
    until(lambda: found("public.t", "id"), [(1,), (3,)])


def test_changes_go_to_a_bucket(connection: Connection, tmp_path: Path) -> None:
    with run_amazon() as url:
        login = {"region_name": "us-east-1", "aws_access_key_id": "a", "aws_secret_access_key": "b"}
        client = boto3.client("s3", endpoint_url=url, **login)
        client.create_bucket(Bucket="of-changes")
        connection.execute(b"CREATE SECRET key AS 'b'")
        connection.execute(
            f"CREATE CONNECTION aws TO AWS (ENDPOINT '{url}', ACCESS KEY ID 'a', SECRET ACCESS KEY SECRET key)".encode()
        )
        connection.execute(b"CREATE TABLE t (id int, v text)")
        connection.execute(b"INSERT INTO t VALUES (1, 'a'), (2, 'b')")
        connection.execute(
            b"CREATE SINK s FROM t INTO S3 CONNECTION aws (BUCKET 'of-changes', PREFIX 'here') FORMAT JSON"
        )

        def found() -> list[tuple[Any, ...]]:
            keys = [each["Key"] for each in client.list_objects_v2(Bucket="of-changes").get("Contents", ())]
            texts = [client.get_object(Bucket="of-changes", Key=key)["Body"].read() for key in keys if "/v1/" in key]
            told = [json.loads(line) for text in texts for line in text.decode().splitlines()]
            return sorted((each["id"], each["v"], each["mz_diff"]) for each in told)

        until(found, [(1, "a", 1), (2, "b", 1)])
        connection.execute(b"DELETE FROM t WHERE id = 1")
        until(found, [(1, "a", -1), (1, "a", 1), (2, "b", 1)])
        ((kind, format_, sql),) = connection.execute(b"SELECT type, format, create_sql FROM mz_sinks").fetchall()
        assert (kind, format_) == ("s3", "json")
        assert "INTO S3 CONNECTION public.aws (BUCKET = 'of-changes', PREFIX = 'here') FORMAT JSON" in sql
    connection.execute(b"INSERT INTO t VALUES (3, 'c')")
    until(lambda: status(connection, "s")[0], "stalled")
    connection.execute(b"DROP CONNECTION aws CASCADE")


@pytest.mark.fault(25)
def test_documents_are_posted_to_an_endpoint(connection: Connection) -> None:
    told: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.extend(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            pass

    endpoint = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=endpoint.serve_forever).start()
    connection.execute(b"CREATE SECRET signing AS 's'")
    url = f"http://127.0.0.1:{endpoint.server_port}/hook"
    connection.execute(f"CREATE CONNECTION hook TO WEBHOOK (URL '{url}', SIGNING SECRET SECRET signing)".encode())
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text)")
    connection.execute(b"CREATE TABLE n (id int PRIMARY KEY, a int)")
    connection.execute(b"INSERT INTO t VALUES (1, 'a')")
    notices: list[str | None] = []
    connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
    connection.execute(b"CREATE SINK s FROM t INTO WEBHOOK CONNECTION hook KEY (id)")
    assert notices == ["documents may be written more than once"]
    with pytest.raises(psycopg.errors.FeatureNotSupported):
        # A sum would count parts of a transaction that never ended twice.
        connection.execute(b"CREATE SINK u FROM n INTO WEBHOOK CONNECTION hook KEY (id) WITH (REDUCE (a SUM))")
    until(lambda: told, [{"key": {"id": 1}, "value": {"id": 1, "v": "a"}}])
    connection.execute(b"DELETE FROM t")
    until(lambda: told[1:], [{"key": {"id": 1}, "value": None}])
    ((kind, sql),) = connection.execute(b"SELECT type, create_sql FROM mz_sinks").fetchall()
    assert kind == "webhook" and "INTO WEBHOOK CONNECTION public.hook KEY (id) FORMAT JSON ENVELOPE UPSERT" in sql
    endpoint.shutdown()
    endpoint.server_close()
    connection.execute(b"INSERT INTO t VALUES (2)")
    until(lambda: status(connection, "s")[0], "stalled")
    connection.execute(b"DROP CONNECTION hook CASCADE")


def test_a_program_is_given_documents(connection: Connection, tmp_path: Path) -> None:
    path, config = tmp_path / "out.db", json.dumps({"path": str(tmp_path / "out.db")})
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v jsonb)")
    connection.execute(b"""INSERT INTO t VALUES (1, '{"a": [1.50]}'), (2, NULL)""")
    program = f"CONNECTOR (COMMAND '{sys.executable} {PROGRAM}', CONFIG '{config}')"
    connection.execute(f"CREATE SINK s FROM t INTO {program} KEY (id)".encode())
    # This program keeps numbers with a point as texts, so that none is rounded.
    first = '{"id": 1, "v": {"a": ["1.50"]}}'
    until(lambda: rows(path, "documents"), [("[1]", first), ("[2]", '{"id": 2, "v": null}')])
    connection.execute(b"DELETE FROM t WHERE id = 1")
    until(lambda: rows(path, "documents"), [("[2]", '{"id": 2, "v": null}')])
    ((_, sql),) = connection.execute(b"SHOW CREATE SINK s").fetchall()
    assert program.replace(" '", " = '") in sql


def test_a_sink_pauses_goes_on_and_writes_all_anew(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v int)")
    connection.execute(b"INSERT INTO t VALUES (1, 1)")
    connection.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{path}') KEY (id)".encode())
    until(lambda: rows(path, "t"), [(1, 1)])
    connection.execute(b"ALTER SINK s PAUSE")
    assert status(connection, "s") == ("paused", None)
    connection.execute(b"UPDATE t SET v = 2")
    time.sleep(0.3)
    assert rows(path, "t") == [(1, 1)]
    connection.execute(b"ALTER SINK s RESUME")
    until(lambda: rows(path, "t"), [(1, 2)])
    with sqlite3.connect(path) as other:
        other.executescript("UPDATE t SET v = 77; INSERT INTO t VALUES (5, 5)")
    connection.execute(b"ALTER SINK s BACKFILL")
    until(lambda: rows(path, "t"), [(1, 2)])
    connection.execute(b"ALTER SINK IF EXISTS missing PAUSE")
    query = "SELECT transactions > 0, documents_loaded, documents_stored, lag_ms FROM mz_internal.mz_sink_statistics"
    until(lambda: connection.execute(query.encode()).fetchall(), [(True, 0, 1, 0)])


def test_a_sink_comes_to_write_another_relation_in_one_transaction(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v int)")
    connection.execute(b"INSERT INTO t VALUES (1, 1), (2, 2)")
    connection.execute(b"CREATE TABLE u (more text, v int, id int PRIMARY KEY)")
    connection.execute(b"INSERT INTO u VALUES ('x', 20, 2), ('y', 30, 3)")
    connection.execute(b"CREATE TABLE other (id int, v text)")
    connection.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{path}') KEY (id)".encode())
    until(lambda: rows(path, "t"), [(1, 1), (2, 2)])
    connection.execute(b"ALTER SINK s SET FROM u")
    until(lambda: rows(path, "t"), [(2, 20), (3, 30)])
    connection.execute(b"DELETE FROM u WHERE id = 2")
    connection.execute(b"DROP TABLE t")
    until(lambda: rows(path, "t"), [(3, 30)])
    with pytest.raises(psycopg.errors.DatatypeMismatch, match='no column "v" of type integer'):
        connection.execute(b"ALTER SINK s SET FROM other")


def test_a_view_that_is_made_anew_is_written_anew(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v int)")
    connection.execute(b"INSERT INTO t VALUES (1, 1), (2, 2)")
    connection.execute(b"CREATE MATERIALIZED VIEW m AS SELECT id, v * 10 AS v FROM t")
    connection.execute(f"CREATE SINK s FROM m INTO SQLITE (PATH '{path}') KEY (id)".encode())
    until(lambda: rows(path, "m"), [(1, 10), (2, 20)])
    connection.execute(b"CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT id, v * 100 AS v FROM t WHERE id > 1")
    until(lambda: rows(path, "m"), [(2, 200)])
    connection.execute(b"INSERT INTO t VALUES (3, 3)")
    until(lambda: rows(path, "m"), [(2, 200), (3, 300)])


def test_changes_are_added_up_in_the_destination(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE t (account int, amount int, note text)")
    connection.execute(b"INSERT INTO t VALUES (1, 5, 'a'), (1, 7, 'b'), (2, NULL, NULL)")
    reduced = "KEY (account) WITH (REDUCE (amount SUM), MAX AGE '1 ms')"
    connection.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{path}') {reduced}".encode())
    until(lambda: [row[:2] for row in rows(path, "t")], [(1, 12), (2, None)])
    connection.execute(b"DELETE FROM t WHERE amount = 7")
    connection.execute(b"INSERT INTO t VALUES (2, 3, 'c'), (3, 1, 'd')")
    until(lambda: rows(path, "t"), [(1, 5, rows(path, "t")[0][2]), (2, 3, "c"), (3, 1, "d")])
    connection.execute(b"INSERT INTO t VALUES (3, 2147483647, 'e')")
    until(lambda: status(connection, "s"), ("stalled", "a sum of a sink is out of range: 2147483648"))
    ((_, sql),) = connection.execute(b"SHOW CREATE SINK s").fetchall()
    assert sql.endswith("WITH (MAX AGE = '1 ms', MAX SIZE = 500000, REDUCE = (amount SUM));")


def test_an_error_in_the_view_stops_the_sink_until_it_heals(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v int)")
    connection.execute(b"INSERT INTO t VALUES (1, 1)")
    connection.execute(b"CREATE MATERIALIZED VIEW m AS SELECT id, 10 / v AS v FROM t")
    connection.execute(f"CREATE SINK s FROM m INTO SQLITE (PATH '{path}') KEY (id) WITH (MAX AGE '1 ms')".encode())
    until(lambda: rows(path, "m"), [(1, 10)])
    connection.execute(b"INSERT INTO t VALUES (2, 2)")
    connection.execute(b"INSERT INTO t VALUES (3, 0)")
    error = "division by zero: What the sink reads has this error."
    until(lambda: status(connection, "s"), ("stalled", error))
    assert rows(path, "m") == [(1, 10), (2, 5)]
    connection.execute(b"UPDATE t SET v = 5 WHERE id = 3")
    until(lambda: rows(path, "m"), [(1, 10), (2, 5), (3, 2)])
    until(lambda: status(connection, "s"), ("running", None))


def test_a_key_that_is_not_unique_is_told_and_heals(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE t (k int, v int)")
    connection.execute(b"INSERT INTO t VALUES (1, 1)")
    connection.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{path}') KEY (k)".encode())
    until(lambda: rows(path, "t"), [(1, 1)])
    connection.execute(b"INSERT INTO t VALUES (1, 2)")
    error = "duplicate key in a sink: Key (k)=(1) is not unique."
    until(lambda: status(connection, "s"), ("stalled", error))
    assert rows(path, "t") == [(1, 1)]
    connection.execute(b"DELETE FROM t WHERE v = 1")
    until(lambda: rows(path, "t"), [(1, 2)])


def test_without_a_snapshot_only_what_changes_is_written(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE t (k int PRIMARY KEY, v int)")
    connection.execute(b"INSERT INTO t VALUES (1, 1)")
    connection.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{path}', TABLE 'x') WITH (SNAPSHOT = false)".encode())
    until(lambda: [row[1] for row in rows(path, CHECKPOINTS)], [0])
    until(lambda: rows(path, CHECKPOINTS)[0][4] > 0, True)
    connection.execute(b"INSERT INTO t VALUES (2, 2)")
    until(lambda: [row[:2] for row in rows(path, "x")], [(2, 2)])


def test_a_destination_that_comes_late_or_goes_is_awaited(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "later" / "out.db"
    connection.execute(b"CREATE TABLE t (k int PRIMARY KEY)")
    connection.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{path}') KEY (k)".encode())
    error = f'SQLite database "{path}": unable to open database file'
    until(lambda: status(connection, "s"), ("stalled", error))
    path.parent.mkdir()
    connection.execute(b"INSERT INTO t VALUES (1)")
    until(lambda: status(connection, "s"), ("running", None))
    path.unlink()
    connection.execute(b"INSERT INTO t VALUES (2)")
    history = "SELECT count(*) FILTER (WHERE status = 'stalled') > 0 FROM mz_internal.mz_sink_status_history"
    assert connection.execute(history.encode()).fetchall() == [(True,)]


def test_what_a_sink_writes_can_not_be_taken_from_it(connection: Connection, tmp_path: Path) -> None:
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text, w text)")
    connection.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{tmp_path}/out.db') KEY (id)".encode())
    with pytest.raises(psycopg.errors.DependentObjectsStillExist, match="other objects depend"):
        connection.execute(b"DROP TABLE t")
    with pytest.raises(psycopg.errors.DependentObjectsStillExist):
        connection.execute(b"ALTER TABLE t DROP COLUMN v")
    connection.execute(b"ALTER TABLE t ADD COLUMN more int")
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 'b', 5)")
    until(lambda: rows(tmp_path / "out.db", "t"), [(1, "a", "b")])
    connection.execute(b"ALTER TABLE t DROP COLUMN more")
    connection.execute(b"ALTER TABLE t RENAME COLUMN w TO x")
    connection.execute(b"DROP TABLE t CASCADE")
    assert connection.execute(b"SHOW SINKS").fetchall() == []


@pytest.mark.parametrize(
    "altered",
    [
        "ALTER TABLE t ALTER COLUMN v TYPE bigint",
        "ALTER TABLE t ALTER COLUMN id TYPE bigint",
        "ALTER TABLE t ALTER COLUMN v SET NOT NULL",
        "ALTER TABLE t ALTER COLUMN v SET DEFAULT 7",
        "ALTER TABLE t RENAME COLUMN v TO renamed",
        "ALTER TABLE t RENAME COLUMN id TO renamed",
        "ALTER TABLE t RENAME TO renamed",
        "ALTER TABLE t ADD COLUMN more int DEFAULT 5",
        "ALTER TABLE t ADD COLUMN more int; ALTER TABLE t DROP COLUMN more",
        "ALTER TABLE t DROP COLUMN v",
        "ALTER TABLE t ADD CHECK (v < 1000)",
        "ALTER TABLE t DROP CONSTRAINT t_pkey",
        "ALTER TABLE t SET (RETAIN HISTORY FOR '2 hours')",
        "CREATE TABLE other (id int PRIMARY KEY, v int); ALTER TABLE t SWAP WITH other; ALTER TABLE t SWAP WITH other",
        "CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT id, v + 1 AS v FROM t",
        "CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT id, v, v AS more FROM t",
        "CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT id FROM t",
        "CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT id, v::bigint AS v FROM t",
        "ALTER MATERIALIZED VIEW m RENAME TO renamed",
        "ALTER MATERIALIZED VIEW m RENAME COLUMN v TO renamed",
        "ALTER TABLE t ALTER COLUMN v DROP NOT NULL",
        "TRUNCATE t",
        "BEGIN; DROP SINK s; ROLLBACK",
        "BEGIN; ALTER SINK s PAUSE; ROLLBACK",
    ],
)
def test_whatever_is_altered_beneath_it_a_sink_goes_on_or_it_is_refused(
    connection: Connection, tmp_path: Path, altered: str
) -> None:
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v int)")
    connection.execute(b"CREATE MATERIALIZED VIEW m AS SELECT id, v FROM t")
    connection.execute(f"CREATE SINK s FROM t INTO SQLITE (PATH '{path}', TABLE 't') KEY (id)".encode())
    connection.execute(f"CREATE SINK v FROM m INTO SQLITE (PATH '{path}', TABLE 'm') KEY (id)".encode())
    connection.execute(b"INSERT INTO t VALUES (1, 1)")
    until(lambda: (rows(path, "t"), rows(path, "m")), ([(1, 1)], [(1, 1)]))
    refused = None
    try:
        for statement in altered.split("; "):
            connection.execute(statement.encode())
    except psycopg.Error as error:
        refused = error.sqlstate
    assert refused in (None, "0A000", "2BP01", "42P16")
    name = "renamed" if altered.startswith("ALTER TABLE t RENAME TO") else "t"
    connection.execute(f"INSERT INTO {name} VALUES (2, 2)".encode())
    if connection.execute(b"SELECT to_regclass('m') IS NULL").fetchone() == (True,):
        view = "renamed"
    else:
        view = "m"
    held = sorted(connection.execute(f"SELECT * FROM {name}".encode()).fetchall())
    shown = sorted(connection.execute(f"SELECT * FROM {view}".encode()).fetchall())
    until(lambda: (rows(path, "t"), rows(path, "m")), ([row[:2] for row in held], [row[:2] for row in shown]))


@pytest.mark.parametrize(
    ("statement", "sqlstate"),
    [
        ("CREATE SINK s FROM missing INTO SQLITE (PATH '/tmp/x')", "42P01"),
        ("CREATE SINK s FROM mz_tables INTO SQLITE (PATH '/tmp/x')", "42809"),
        ("CREATE SINK s FROM pg_class INTO SQLITE (PATH '/tmp/x')", "42809"),
        ("CREATE SINK s FROM t INTO SQLITE (PATH '/tmp/x') KEY (missing)", "42703"),
        ("CREATE SINK s FROM t INTO SQLITE (PATH '/tmp/x') KEY (id, id)", "42701"),
        ("CREATE SINK s FROM t INTO SQLITE (PATH '/tmp/x') KEY (f)", "0A000"),
        ("CREATE SINK s FROM t INTO SQLITE (TABLE 'x')", "22023"),
        ("CREATE SINK s FROM t INTO SQLITE (NAME 'x')", "42601"),
        ("CREATE SINK s FROM t INTO SQLITE (PATH '/tmp/x') WITH (MAX AGE '2 hours')", "22023"),
        ("CREATE SINK s FROM t INTO SQLITE (PATH '/tmp/x') WITH (MAX SIZE 0)", "22023"),
        ("CREATE SINK s FROM t INTO SQLITE CONNECTION c (PATH '/tmp/x')", "42601"),
        ("CREATE SINK s FROM t INTO CONNECTOR (CONFIG '{}')", "22023"),
        ("CREATE SINK s FROM t INTO CONNECTOR (COMMAND 'x', CONFIG '[]')", "22023"),
        ("CREATE SINK s FROM t INTO CONNECTOR (COMMAND 'x \"')", "22023"),
        (f"CREATE SINK s FROM t INTO CONNECTOR (COMMAND 'x', CONFIG '{'[' * 100_000}')", "22023"),
        ("CREATE SINK s FROM t INTO FILES (PATH '/tmp/x') KEY (id)", "0A000"),
        ("CREATE SINK s FROM t INTO FILES (PATH '/tmp/x') FORMAT AVRO", "0A000"),
        ("CREATE SINK s FROM t INTO ICEBERG (TABLE 'x')", "22023"),
        ("CREATE SINK s FROM t INTO ICEBERG (PATH '/tmp/x', TABLE 'a.b.c')", "22023"),
        ("CREATE SINK s FROM t INTO ICEBERG (PATH '/tmp/x', TABLE \"a/b\")", "22023"),
        ("CREATE SINK s FROM t INTO ICEBERG (PATH '/tmp/x?y')", "22023"),
        ("CREATE SINK s FROM t INTO ICEBERG (PATH '/tmp/x') FORMAT PARQUET", "42601"),
        ("CREATE SINK s FROM t INTO ICEBERG CONNECTION c (PATH '/tmp/x')", "42601"),
        ("CREATE SINK s FROM t INTO POSTGRES (TABLE 'x')", "42601"),
        ("CREATE SINK s FROM t INTO POSTGRES CONNECTION missing (TABLE 'x')", "42704"),
        ("CREATE SINK s FROM t INTO NOWHERE (PATH '/tmp/x')", "0A000"),
        ("CREATE SINK t FROM t INTO SQLITE (PATH '/tmp/x')", "42710"),
        ("CREATE SINK s IN CLUSTER other FROM t INTO SQLITE (PATH '/tmp/x')", "42704"),
        ("CREATE SINK s FROM t INTO", "42601"),
        ("CREATE SINK s FROM t INTO SQLITE (PATH '/tmp/x') KEY (id) WITH (REDUCE (id SUM))", "42601"),
        ("CREATE SINK s FROM t INTO SQLITE (PATH '/tmp/x') WITH (REDUCE (id SUM))", "42601"),
        ("CREATE SINK s FROM t INTO SQLITE (PATH '/tmp/x') KEY (id) WITH (REDUCE (f SUM))", "42804"),
        ("CREATE SINK s FROM t INTO SQLITE (PATH '/tmp/x') KEY (id) WITH (REDUCE (f MAX))", "0A000"),
        ("CREATE SINK s FROM t INTO SQLITE (PATH '/tmp/x') KEY (id) WITH (REDUCE (missing SUM))", "42703"),
        ("DROP SINK missing", "42704"),
        ("DROP SINK t", "42704"),
        ("SHOW CREATE SINK missing", "42704"),
        ("SELECT * FROM missing_sink", "42P01"),
    ],
)
def test_what_can_not_be_is_refused(connection: Connection, statement: str, sqlstate: str) -> None:
    connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, f float8)")
    connection.execute(b"CREATE VIEW v AS SELECT * FROM t")
    with pytest.raises(psycopg.Error) as error:
        connection.execute(statement.encode())
    assert error.value.sqlstate == sqlstate


@pytest.mark.parametrize(
    ("rows", "sqlstate", "told"),
    [
        ("(1, 'a'), (2, 'b'), (1, 'c')", "23505", "Key (k)=(1) is not unique."),
        ("(1, 'a'), (NULL, 'b')", "23502", 'null value in column "k", which is of the key of a sink'),
    ],
)
@pytest.mark.parametrize("of", ["t", "v", "m"])
def test_a_key_that_is_not_unique_is_refused(
    connection: Connection, tmp_path: Path, rows: str, sqlstate: str, told: str, of: str
) -> None:
    connection.execute(b"CREATE TABLE t (k int, v text)")
    connection.execute(f"INSERT INTO t VALUES {rows}".encode())
    connection.execute(b"CREATE VIEW v AS SELECT * FROM t")
    connection.execute(b"CREATE MATERIALIZED VIEW m AS SELECT * FROM t")
    statement = f"CREATE SINK s FROM {of} INTO SQLITE (PATH '{tmp_path}/out.db', TABLE 't') KEY (k)"
    with pytest.raises(psycopg.Error) as error:
        connection.execute(statement.encode())
    assert error.value.sqlstate == sqlstate
    assert told in (error.value.diag.message_detail, error.value.diag.message_primary)
    assert connection.execute(b"SHOW SINKS").fetchall() == []
    connection.execute(f"{statement} NOT ENFORCED".encode())


def test_it_stops_right_before_a_key_is_not_unique(connection: Connection, tmp_path: Path) -> None:
    """Commits of one transaction of the destination's: those before the bad one are there."""
    path = tmp_path / "out.db"
    connection.execute(b"CREATE TABLE t (k int, v text)")
    connection.execute(b"INSERT INTO t VALUES (1, 'a')")
    place = f"INTO SQLITE (PATH '{path}') KEY (k) WITH (MAX AGE '3 s')"
    connection.execute(f"CREATE SINK s FROM t {place}".encode())
    until(lambda: rows(path, "t"), [(1, "a")])
    connection.execute(b"INSERT INTO t VALUES (2, 'b')")
    connection.execute(b"INSERT INTO t VALUES (3, 'c')")
    connection.execute(b"INSERT INTO t VALUES (1, 'z')")
    connection.execute(b"INSERT INTO t VALUES (4, 'd')")
    until(lambda: rows(path, "t"), [(1, "a"), (2, "b"), (3, "c")])
    wanted = "stalled", "duplicate key in a sink: Key (k)=(1) is not unique."
    until(lambda: status(connection, "s"), wanted)
    connection.execute(b"DELETE FROM t WHERE v = 'a'")
    until(lambda: rows(path, "t"), [(1, "z"), (2, "b"), (3, "c"), (4, "d")])
    until(lambda: status(connection, "s"), ("running", None))
