"""COPY with files of the server's: as over the wire, whole or not at all, and refused as PostgreSQL refuses it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.server.memory_server import memory_server

Connection = psycopg.Connection[tuple[Any, ...]]
_CLAUSES = (
    "",
    "(FORMAT csv)",
    "(FORMAT csv, HEADER)",
    "(FORMAT csv, DELIMITER ';', QUOTE '''', NULL 'x')",
    "(FORMAT text, NULL 'none')",
    "(FORMAT binary)",
)
_ROWS = 8_000


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    with memory_server() as running, running.connect() as connection:
        connection.execute("CREATE TABLE t (a int, b text, c numeric)")
        connection.execute("CREATE TABLE again (a int, b text, c numeric)")
        connection.execute("CREATE TABLE kept (a int CHECK (a > 0), b text NOT NULL, c numeric DEFAULT 7)")
        source = random.Random(4)
        with connection.cursor().copy("COPY t FROM STDIN") as copy:
            for number in range(_ROWS):
                text = "".join(source.choice("ab,;'\"\\\n\r\té.x") for _ in range(source.randrange(8)))
                copy.write_row((number, text if source.random() < 0.9 else None, source.randrange(99) / 8))
        yield connection


@pytest.mark.parametrize("clause", _CLAUSES)
def test_files_are_what_goes_over_the_wire(connection: Connection, tmp_path: Path, clause: str) -> None:
    path = tmp_path / "t"
    query = "(SELECT * FROM t ORDER BY a)"
    answer = connection.execute(f"COPY {query} TO '{path}' {clause}".encode())
    assert answer.statusmessage == f"COPY {_ROWS}"
    with connection.cursor().copy(f"COPY {query} TO STDOUT {clause}".encode()) as copy:
        assert path.read_bytes() == b"".join(bytes(piece) for piece in copy)
    assert [each.name for each in tmp_path.iterdir()] == ["t"]
    answer = connection.execute(f"COPY again FROM '{path}' {clause}".encode())
    assert answer.statusmessage == f"COPY {_ROWS}"
    differing = "SELECT count(*) FROM (TABLE {} EXCEPT ALL TABLE {}) AS differing"
    assert connection.execute(differing.format("t", "again").encode()).fetchall() == [(0,)]
    assert connection.execute(differing.format("again", "t").encode()).fetchall() == [(0,)]
    connection.execute("DELETE FROM again")


def test_names_of_objects_are_names(connection: Connection, tmp_path: Path) -> None:
    connection.execute(f"COPY (SELECT 'pg_class'::regclass, 'int4'::regtype) TO '{tmp_path}/t'".encode())
    assert (tmp_path / "t").read_text() == "pg_class\tinteger\n"
    connection.execute("CREATE TABLE named (o regclass, t regtype)")
    connection.execute(f"COPY named FROM '{tmp_path}/t'".encode())
    assert connection.execute("SELECT o::oid, t::oid FROM named").fetchall() == [(1259, 23)]


def test_columns_that_a_file_lacks_have_their_defaults(connection: Connection, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("b,a\nx,1\n")
    connection.execute(f"COPY kept (b, a) FROM '{tmp_path}/t.csv' (FORMAT csv, HEADER match)".encode())
    assert connection.execute("SELECT a, b, c::int FROM kept").fetchall() == [(1, "x", 7)]
    connection.execute("DELETE FROM kept")


@pytest.mark.parametrize(
    ("data", "sqlstate"), [("1,a\n2,b\nfoo,c\n", "22P02"), ("1,a\n-1,b\n", "23514"), ("1,a\n2,\n", "23502")]
)
def test_a_file_that_fails_leaves_no_row(connection: Connection, tmp_path: Path, data: str, sqlstate: str) -> None:
    (tmp_path / "t.csv").write_text(data)
    with pytest.raises(psycopg.Error) as raised:
        connection.execute(f"COPY kept (a, b) FROM '{tmp_path}/t.csv' (FORMAT csv)".encode())
    assert raised.value.sqlstate == sqlstate
    assert connection.execute("SELECT count(*) FROM kept").fetchall() == [(0,)]


def test_a_transaction_that_is_rolled_back_has_copied_nothing(connection: Connection, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("1,a\n")
    with connection.transaction(force_rollback=True):
        connection.execute(f"COPY kept (a, b) FROM '{tmp_path}/t.csv' (FORMAT csv)".encode())
    assert connection.execute("SELECT count(*) FROM kept").fetchall() == [(0,)]


def test_a_query_that_fails_leaves_the_file_as_it_was(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_text("before")
    with pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute(f"COPY (SELECT 1 / (a - 7000) FROM t) TO '{path}'".encode())
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("t", "before")]


@pytest.mark.parametrize(
    "copy",
    [
        "COPY t FROM '/nowhere/t.csv'",
        "COPY t FROM '/'",
        "COPY (SELECT 1) TO '/nowhere/t.csv'",
        "COPY (SELECT 1) TO '/'",
        "COPY (SELECT 1) TO 't.csv'",
    ],
)
def test_what_can_not_be_opened_is_refused_as_in_postgres(
    connection: Connection, postgres: Connection, copy: str
) -> None:
    postgres.execute("CREATE TEMP TABLE IF NOT EXISTS t (a int, b text, c numeric)")
    refusals = []
    for each in (connection, postgres):
        with pytest.raises(psycopg.Error) as raised:
            each.execute(copy.encode())
        refusals.append((raised.value.sqlstate, raised.value.diag.message_primary))
    assert refusals[0] == refusals[1]


def test_pipes_and_devices_are_no_files(connection: Connection) -> None:
    for copy in ("COPY t FROM '/dev/zero'", "COPY t TO '/dev/null'"):
        with pytest.raises(psycopg.errors.WrongObjectType):
            connection.execute(copy.encode())


def test_files_are_for_superusers(tmp_path: Path) -> None:
    with memory_server() as running:
        with running.connect() as superuser:
            superuser.execute("CREATE ROLE eve LOGIN; CREATE TABLE t (a int); GRANT ALL ON t TO eve")
        with psycopg.connect(running.dsn(), user="eve", autocommit=True) as connection:
            for copy in (f"COPY t FROM '{tmp_path}/t'", f"COPY t TO '{tmp_path}/t'"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege, match=r"denied to COPY \w+ a file"):
                    connection.execute(copy.encode())
    assert not list(tmp_path.iterdir())


def test_parquet_is_read_by_the_names_of_its_columns(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    numbers = list(range(10_000))
    pq.write_table(pa.table({"b": [str(n) for n in numbers], "more": numbers, "a": numbers}), path)
    connection.execute("CREATE TABLE of_parquet (a int, b text, c int DEFAULT 7)")
    answer = connection.execute(f"COPY of_parquet (a, b) FROM '{path}' (FORMAT parquet)".encode())
    assert answer.statusmessage == "COPY 10000"
    differing = "SELECT count(*), count(*) FILTER (WHERE a::text = b AND c = 7), sum(a) FROM of_parquet"
    assert connection.execute(differing).fetchall() == [(10_000, 10_000, sum(numbers))]


@pytest.mark.parametrize(
    ("columns", "sqlstate"),
    [
        ({"a": [1]}, "22P04"),
        ({"a": ["1"], "b": ["x"]}, "42804"),
        ({"a": [1 << 40], "b": ["x"]}, "22P04"),
        ({"a": [1], "b": ["a\0"]}, "22P04"),
        ({"a": [1], "b": pa.array([None], pa.string())}, "23502"),
        ({"a": [-1], "b": ["x"]}, "23514"),
        (None, "22P04"),
    ],
)
def test_parquet_that_does_not_fit_is_refused(
    connection: Connection, tmp_path: Path, columns: dict[str, Any] | None, sqlstate: str
) -> None:
    path = tmp_path / "t.parquet"
    if columns is None:
        path.write_text("none")
    else:
        pq.write_table(pa.table(columns), path)
    with pytest.raises(psycopg.Error) as raised:
        connection.execute(f"COPY kept (a, b) FROM '{path}' (FORMAT parquet)".encode())
    assert raised.value.sqlstate == sqlstate
    assert connection.execute("SELECT count(*) FROM kept").fetchall() == [(0,)]


def test_times_and_documents_of_parquet_are_as_they_were(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    day, far = pa.array([1, None], pa.date32()), pa.array([2_146_000_000, None], pa.date32())
    at = pa.array([0, None], pa.timestamp("ms", "UTC"))
    pq.write_table(pa.table({"d": day, "at": at, "j": [["x"], None]}), path)
    connection.execute("CREATE TABLE timed (d date, at timestamptz, j jsonb)")
    connection.execute(f"COPY timed FROM '{path}' (FORMAT parquet)".encode())
    found = connection.execute("SELECT d::text, extract(epoch FROM at)::int, j::text FROM timed ORDER BY d").fetchall()
    assert found == [("1970-01-02", 0, '["x"]'), (None, None, None)]
    pq.write_table(pa.table({"d": far, "at": at, "j": [["x"], None]}), path)
    with pytest.raises(psycopg.errors.BadCopyFileFormat):
        connection.execute(f"COPY timed FROM '{path}' (FORMAT parquet)".encode())


_KINDS = """CREATE TABLE kinds (n int, big numeric, money numeric(9,2), f float8, t text, at timestamptz, d date,
    o bool, j jsonb, b bytea, u uuid, a int[], i interval)"""
_KINDS_ROWS = """INSERT INTO kinds VALUES
    (1, 12345678901234567890.5, 1.50, 0.1, E'a"\\n\\\\é', '2026-01-01 00:00+00', '2026-01-02', true, '{"a": [1, null]}',
     '\\x00ff', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{1,NULL}', '1 day 02:00'),
    (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (-2, 0, -0.01, 'NaN', '', '1999-12-31 23:59:59.123456+00', '2000-03-15', false, '"x"', '', NULL, '{}',
     '-1 mon')"""


def test_json_of_several_lines_is_written_on_one(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "t"
    document = """SELECT E'{"a":\\n 1,\\r\\n"b": "x\\\\ny"}'::json AS j, 1 AS n"""
    connection.execute(f"COPY ({document} UNION ALL SELECT '[]', 2) TO '{path}' (FORMAT json)".encode())
    assert len(path.read_bytes().splitlines()) == 2
    connection.execute("CREATE TABLE documents (j json, n int)")
    assert connection.execute(f"COPY documents FROM '{path}' (FORMAT json)".encode()).statusmessage == "COPY 2"
    assert connection.execute("SELECT j FROM documents ORDER BY n").fetchall() == [({"a": 1, "b": "x\ny"},), ([],)]
    connection.execute("DROP TABLE documents")


@pytest.mark.parametrize("format_", ["json", "parquet"])
def test_rows_come_back_as_they_were(connection: Connection, tmp_path: Path, format_: str) -> None:
    connection.execute(b"DROP TABLE IF EXISTS kinds, kinds_again")
    connection.execute(_KINDS.encode())
    connection.execute(_KINDS_ROWS.encode())
    path = tmp_path / "t"
    assert connection.execute(f"COPY kinds TO '{path}' (FORMAT {format_})".encode()).statusmessage == "COPY 3"
    connection.execute(b"CREATE TABLE kinds_again AS SELECT * FROM kinds LIMIT 0")
    connection.execute(f"COPY kinds_again FROM '{path}' (FORMAT {format_})".encode())
    for one, other in (("kinds", "kinds_again"), ("kinds_again", "kinds")):
        sql = (
            f"SELECT count(*) FROM (SELECT k::text FROM {one} k EXCEPT ALL SELECT k::text FROM {other} k) AS differing"
        )
        assert connection.execute(sql.encode()).fetchall() == [(0,)]


def test_what_parquet_has_no_type_for_is_read_as_a_client_would_write_it(
    connection: Connection, tmp_path: Path
) -> None:
    path = tmp_path / "t"
    connection.execute(b"CREATE DOMAIN few AS int CHECK (VALUE < 9)")
    connection.execute(b"CREATE TABLE written (a int, n numeric(4, 1), v varchar(3), i interval, w few)")

    def copied(**columns: list[Any]) -> str | None:
        values: dict[str, list[Any]] = {"n": [1], "v": ["x"], "i": ["1 h"], "w": ["8"], **columns}
        pq.write_table(pa.table({"a": list(range(len(values["n"]))), **values}), path)
        try:
            connection.execute(f"COPY written FROM '{path}' (FORMAT parquet)".encode())
        except psycopg.Error as error:
            return f"{error.sqlstate} {error.diag.context}"
        return None

    assert copied(n=[Decimal("12.26")]) is None and copied(n=["2.5"], i=[None]) is None
    found = connection.execute(b"SELECT n::text, v, i::text, w FROM written ORDER BY written.n").fetchall()
    assert found == [("2.5", "x", None, 8), ("12.3", "x", "01:00:00", 8)]
    assert copied(n=["x"]) == '22P02 COPY written, line 1, column n: "x"'
    assert copied(n=[12345]) == '22003 COPY written, line 1, column n: "12345"'
    two: dict[str, list[Any]] = {"n": [1, 1], "i": ["1 h", "2 h"], "w": ["1", "1"]}
    assert copied(**two, v=["x", "long"]) == '22001 COPY written, line 2, column v: "long"'
    assert (copied(w=["9"]) or "").startswith("23514")
    assert (copied(n=[1.5]) or "").startswith("42804") and (copied(i=[1]) or "").startswith("42804")


@pytest.mark.parametrize(
    ("line", "sqlstate"),
    [
        ('{"a": 1, "b": "x", "c": 2}\n{"b": 3, "z": [1], "a": "4"}\n\n', None),
        ("[1]", "22P04"),
        ('{"a": 1', "22P04"),
        ('{"a": 1} {}', "22P04"),
        ('{"a": "x", "b": "y"}', "22P02"),
        ('{"a": 1, "b": "\\u0000"}', "22021"),
        ("[" * 100_000, "22P04"),
        ('{"a": 1, "b": "\xff', "22P04"),
        ('{"b": "x"}', "23502"),
    ],
)
def test_lines_of_json_are_objects(connection: Connection, tmp_path: Path, line: str, sqlstate: str | None) -> None:
    connection.execute(b"CREATE TABLE IF NOT EXISTS lines (a int NOT NULL, b text, c int)")
    (tmp_path / "t").write_bytes(line.encode("latin-1"))
    copy = f"COPY lines FROM '{tmp_path}/t' (FORMAT json)".encode()
    if sqlstate is None:
        connection.execute(copy)
        assert connection.execute("SELECT * FROM lines ORDER BY a").fetchall() == [(1, "x", 2), (4, "3", None)]
        connection.execute(b"DELETE FROM lines")
        return
    with pytest.raises(psycopg.Error) as raised:
        connection.execute(copy)
    assert raised.value.sqlstate == sqlstate
    assert "line 1" in str(raised.value.diag.context or "line 1")


def test_parquet_is_written_whole_and_as_other_programs_read_it(connection: Connection, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    sql = "SELECT a, b, c, a % 7 = 0 AS o FROM t ORDER BY a"
    assert connection.execute(f"COPY ({sql}) TO '{path}' (FORMAT parquet)".encode()).statusmessage == f"COPY {_ROWS}"
    assert [each.name for each in tmp_path.iterdir()] == ["t.parquet"]
    found = [tuple(row.values()) for row in pq.read_table(path).to_pylist()]
    assert found == connection.execute(sql.encode()).fetchall()
    connection.execute(f"COPY (SELECT 1 AS a WHERE false) TO '{path}' (FORMAT parquet)".encode())
    assert pq.read_table(path).num_rows == 0
    before = path.read_bytes()
    for copy, sqlstate in (
        ("(SELECT 1 AS a, 2 AS a)", "42701"),
        ("(SELECT 1 / (a - 7000) AS a FROM t)", "22012"),
    ):
        with pytest.raises(psycopg.Error) as raised:
            connection.execute(f"COPY {copy} TO '{path}' (FORMAT parquet)".encode())
        assert raised.value.sqlstate == sqlstate
    assert path.read_bytes() == before
    with pytest.raises(psycopg.errors.SyntaxError):
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet, HEADER)".encode())
