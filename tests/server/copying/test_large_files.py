"""COPY of more than a little, which tasks of Spark write: as it is without them, whole or not at all."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.server_process import ServerProcess, start_server

pytestmark = [pytest.mark.spark, pytest.mark.timeout(300)]

Connection = psycopg.Connection[tuple[Any, ...]]
_ROWS = 130_000
_WIDE_ROWS = 6_000
"""Rows of many columns, with so much text that they make several pieces."""
_NOISE = " || ".join(f"md5('{number}' || n)" for number in range(16))
_PATIENCE_S = 120.0
_QUERY = "SELECT a, b, a * 1.5 AS c, a % 7 = 0 AS o, '2026-01-01'::date + a % 1000 AS d FROM large WHERE a <> 5"

_KINDS = f"""SELECT a, b, noise, a::float8 / 3 AS f, a * interval '1 h' AS i, ARRAY[a, NULL] AS n, to_jsonb(b) AS j,
    convert_to(b, 'UTF8') AS y, '2026-01-01 00:00+00'::timestamptz + a * interval '1 s' AS at, a * 0.25 AS m,
    '10:00'::time + a * interval '1 ms' AS t, '2026-01-01'::timestamp AS s
    FROM {{}} WHERE a <= {_WIDE_ROWS} ORDER BY a"""


@pytest.fixture(scope="module")
def connection(headwater_server: ServerProcess) -> Iterator[Connection]:
    with headwater_server.connect() as connection:
        connection.execute("DROP TABLE IF EXISTS large")
        connection.execute("CREATE TABLE large (a int, b text, noise text)")
        noise = f"CASE WHEN n <= {_WIDE_ROWS} THEN {_NOISE} END"
        many = f"SELECT n, CASE WHEN n % 9 <> 0 THEN 'é,\"' || n END, {noise} FROM generate_series(1, {_ROWS}) AS n"
        connection.execute(f"INSERT INTO large {many}".encode())
        yield connection
        connection.execute("DROP TABLE large")


def test_parquet_is_one_file_in_the_order_of_the_query(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    ordered = f"{_QUERY} ORDER BY b DESC NULLS LAST, a"
    answer = connection.execute(f"COPY ({ordered}) TO '{path}' (FORMAT parquet)".encode())
    assert answer.statusmessage == f"COPY {_ROWS - 1}"
    assert [each.name for each in tmp_path.iterdir()] == ["t.parquet"]
    assert [tuple(row.values()) for row in pq.read_table(path).to_pylist()] == connection.execute(
        ordered.encode()
    ).fetchall()


def test_each_row_is_there_once_in_any_order(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    connection.execute(f"COPY ({_QUERY}) TO '{path}' (FORMAT parquet)".encode())
    assert sorted(pq.read_table(path).column("a").to_pylist()) == [n for n in range(1, _ROWS + 1) if n != 5]
    connection.execute(f"COPY (SELECT a FROM large WHERE b = 'none') TO '{path}' (FORMAT parquet)".encode())
    assert (pq.read_table(path).num_rows, pq.read_schema(path).names) == (0, ["a"])


@pytest.mark.parametrize(
    "clause", ["", "(FORMAT csv, HEADER, QUOTE '''', NULL 'x', FORCE_QUOTE (b))", "(FORMAT binary)"]
)
def test_lines_are_what_goes_over_the_wire(connection: Connection, tmp_path: Path, clause: str) -> None:
    path = tmp_path / "t"
    connection.execute("SET datestyle = 'German, DMY'")
    query = f"({_KINDS.format('large')})"
    answer = connection.execute(f"COPY {query} TO '{path}' {clause}".encode())
    assert answer.statusmessage == f"COPY {_WIDE_ROWS}"
    with connection.cursor().copy(f"COPY {query} TO STDOUT {clause}".encode()) as copy:
        assert path.read_bytes() == b"".join(bytes(piece) for piece in copy)
    connection.execute("RESET datestyle")
    assert [each.name for each in tmp_path.iterdir()] == ["t"]


def test_names_of_objects_are_written_as_names(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "t"
    connection.execute(f"COPY (SELECT 'pg_class'::regclass AS o, a FROM large) TO '{path}'".encode())
    assert {line.split(b"\t")[0] for line in path.read_bytes().splitlines()} == {b"pg_class"}


def test_parquet_has_the_columns_that_it_has_without_tasks(connection: Connection, tmp_path: Path) -> None:
    connection.execute(b"CREATE TABLE few AS SELECT * FROM large WHERE a <= 100")
    tables = []
    for table in ("few", "large"):
        connection.execute(f"COPY ({_KINDS.format(table)}) TO '{tmp_path}/{table}' (FORMAT parquet)".encode())
        tables.append(pq.read_table(tmp_path / table))
    assert tables[0].num_rows == 100 and tables[1].slice(0, 100).equals(tables[0])
    assert tables[1].schema == tables[0].schema
    connection.execute(b"DROP TABLE few")


def test_json_is_as_it_is_without_tasks(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    answer = connection.execute(f"COPY ({_QUERY} ORDER BY a) TO '{path}' (FORMAT json)".encode())
    assert answer.statusmessage == f"COPY {_ROWS - 1}"
    lines = path.read_bytes().splitlines()
    assert len(lines) == _ROWS - 1
    assert json.loads(lines[0]) == {"a": 1, "b": 'é,"1', "c": 1.5, "o": False, "d": "2026-01-02"}


@pytest.mark.parametrize("format_", ["parquet", "json", "csv"])
def test_a_query_that_fails_leaves_what_was_there(connection: Connection, tmp_path: Path, format_: str) -> None:
    path = tmp_path / "t"
    path.write_text("before")
    with pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute(f"COPY (SELECT 1 / (a - 70000) FROM large) TO '{path}' (FORMAT {format_})".encode())
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("t", "before")]


@pytest.mark.in_part(4)
@pytest.mark.parametrize(("clause", "suffix"), [("parquet", "parquet"), ("csv, HEADER", "csv"), ("json", "json")])
def test_a_directory_has_the_parts_as_tasks_wrote_them(
    connection: Connection, tmp_path: Path, clause: str, suffix: str
) -> None:
    ordered = f"{_QUERY} ORDER BY a"
    answer = connection.execute(f"COPY ({ordered}) TO '{tmp_path}/t/' (FORMAT {clause})".encode())
    assert answer.statusmessage == f"COPY {_ROWS - 1}"
    connection.execute(f"COPY ({ordered}) TO '{tmp_path}/whole' (FORMAT {clause})".encode())
    parts = sorted((tmp_path / "t").iterdir())
    assert len(parts) > 1 and [each.name for each in parts] == [f"part-{at:05}.{suffix}" for at in range(len(parts))]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["t", "whole"]
    if suffix == "parquet":
        assert pa.concat_tables(map(pq.read_table, parts)).equals(pq.read_table(tmp_path / "whole"))
        return
    head, *lines = (tmp_path / "whole").read_bytes().splitlines()
    if suffix == "json":
        head, lines = b"", [head, *lines]
    found = [each.read_bytes().splitlines() for each in parts]
    assert suffix == "json" or all(each[0] == head for each in found)
    assert [line for each in found for line in (each if suffix == "json" else each[1:])] == lines


def test_a_statement_that_is_cancelled_leaves_nothing(connection: Connection, tmp_path: Path) -> None:
    written: list[Path] = []

    def cancel() -> None:
        began = time.monotonic()
        while not written and time.monotonic() < began + _PATIENCE_S:
            time.sleep(0.01)
            written.extend(tmp_path.glob(".headwater-*.pieces/*"))
        connection.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    sql = "SELECT x.a, y.b FROM large x JOIN large y ON x.a % 1000 = y.a % 1000"
    with pytest.raises(psycopg.errors.QueryCanceled):
        connection.execute(f"COPY ({sql}) TO '{tmp_path}/t' (FORMAT parquet)".encode())
    canceller.join()
    time.sleep(1)
    assert written and not list(tmp_path.iterdir())


def test_nobody_sees_what_a_killed_server_was_writing(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    out.mkdir()
    path = out / "t"
    path.write_text("before")
    server = start_server(data)
    with server.connect() as connection:
        connection.execute(b"CREATE TABLE killed (a int)")
        connection.execute(f"INSERT INTO killed SELECT generate_series(1, {_ROWS})".encode())

        def kill() -> None:
            while not list(out.glob(".headwater-*.pieces/*")):
                time.sleep(0.01)
            server.kill()

        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(psycopg.OperationalError):
            connection.execute(f"COPY (SELECT x.a FROM killed x, generate_series(1, 40)) TO '{path}'".encode())
        killer.join()
    assert path.read_text() == "before"
    again = start_server(data)
    assert [each.name for each in out.iterdir()] == ["t"]
    try:
        with again.connect() as connection:
            connection.execute(f"COPY killed TO '{path}'".encode())
    finally:
        again.stop()
    assert sorted(map(int, path.read_text().split())) == list(range(1, _ROWS + 1))
