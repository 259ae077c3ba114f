"""Ranges, domains and composite values as drivers send and get them, in text and in binary, and in COPY."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import asyncpg
import psycopg
import pytest
from psycopg.types.composite import CompositeInfo, register_composite
from psycopg.types.multirange import Multirange
from psycopg.types.range import Range

from tests.server.memory_server import MemoryServer, memory_server

_DAY = datetime.date(2024, 1, 1)
_RANGES: dict[str, Any] = {
    "int4range": Range(1, 5),
    "int8range": Range(1, 2**40),
    "numrange": Range(Decimal("1.5"), Decimal("2.25"), "[]"),
    "daterange": Range(_DAY, None),
    "tsrange": Range(None, datetime.datetime(2024, 1, 1, 10, 30), "(]"),
    "tstzrange": Range(
        datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC), datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC)
    ),
    "int4multirange": Multirange([Range(1, 3), Range(5, 8)]),
    "datemultirange": Multirange([]),
}


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        with server.connect() as connection:
            connection.execute("CREATE DOMAIN posint AS int4 CHECK (VALUE > 0)")
            connection.execute("CREATE DOMAIN code AS varchar(5) NOT NULL DEFAULT 'none'")
            connection.execute("CREATE TYPE spot AS (x int4, label varchar(3), span int4range)")
            connection.execute("CREATE TABLE t (id posint, c code, s spot, r int4range[])")
        yield server


@pytest.fixture
def connection(server: MemoryServer) -> Iterator[psycopg.Connection[Any]]:
    with server.connect() as connection:
        connection.execute("DELETE FROM t")
        yield connection


@pytest.mark.parametrize("binary", [False, True])
def test_ranges_come_back_as_they_were_sent(connection: psycopg.Connection[Any], binary: bool) -> None:
    mark = "%b" if binary else "%t"
    for name, value in _RANGES.items():
        cursor = connection.cursor(binary=binary)
        row = cursor.execute(f"SELECT {mark}::{name}".encode(), (value,)).fetchone()
        assert row == (value,), name


def test_clients_see_the_type_that_a_domain_is_made_of(connection: psycopg.Connection[Any]) -> None:
    cursor = connection.execute("SELECT 5::posint, 'ab'::code, array_agg(5::posint)")
    assert cursor.description is not None
    assert [column.type_code for column in cursor.description[:2]] == [23, 1043]
    assert cursor.fetchone() == (5, "ab", [5])


@pytest.mark.parametrize("binary", [False, True])
def test_composite_values_come_back_as_they_were_sent(connection: psycopg.Connection[Any], binary: bool) -> None:
    info = CompositeInfo.fetch(connection, "spot")
    assert info is not None and tuple(info.field_names) == ("x", "label", "span")
    register_composite(info, connection)
    assert info.python_type is not None
    value = info.python_type(7, "a,b", Range(1, 5))
    cursor = connection.cursor(binary=binary)
    mark = "%b" if binary else "%t"
    row = cursor.execute(f"SELECT {mark}::spot, ARRAY[{mark}::spot, NULL]".encode(), (value, value)).fetchone()
    assert row == (value, [value, None])
    connection.execute(f"INSERT INTO t (id, s) VALUES (1, {mark})".encode(), (value,))
    assert connection.execute("SELECT c, s, (s).span FROM t").fetchone() == ("none", value, Range(1, 5))
    with pytest.raises(psycopg.errors.StringDataRightTruncation):
        connection.execute(f"SELECT {mark}::spot".encode(), (info.python_type(7, "longer", None),))


def test_copy_reads_and_writes_them(connection: psycopg.Connection[Any]) -> None:
    with connection.cursor().copy("COPY t FROM STDIN") as copy:
        copy.write('1\tab\t(1,"a b","[1,3]")\t{"[1,2]",empty}\n2\tcd\t\\N\t\\N\n')
    with connection.cursor().copy("COPY (SELECT * FROM t ORDER BY id) TO STDOUT") as copy:
        rows = b"".join(bytes(data) for data in copy).decode()
    assert rows == '1\tab\t(1,"a b","[1,4)")\t{"[1,3)",empty}\n2\tcd\t\\N\t\\N\n'


@pytest.mark.parametrize(
    ("columns", "line", "sqlstate"),
    [
        ("id, c", "0\tab\n", "23514"),
        ("id, c", "1\t\\N\n", "23502"),
        ("id, c", "1\tlonger\n", "22001"),
        ("id, s", "1\t(1)\n", "22P02"),
        ("id, r", '1\t{"[3,1]"}\n', "22000"),
    ],
)
def test_copy_checks_what_it_reads(connection: psycopg.Connection[Any], columns: str, line: str, sqlstate: str) -> None:
    with pytest.raises(psycopg.Error) as caught:
        with connection.cursor().copy(f"COPY t ({columns}) FROM STDIN".encode()) as copy:
            copy.write(line)
    assert caught.value.sqlstate == sqlstate
    assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)


def test_copy_fills_in_the_default_of_a_domain(connection: psycopg.Connection[Any]) -> None:
    with connection.cursor().copy("COPY t (id) FROM STDIN") as copy:
        copy.write("3\n")
    assert connection.execute("SELECT id, c, s FROM t").fetchone() == (3, "none", None)


async def test_asyncpg_finds_out_what_composite_types_and_domains_are(server: MemoryServer) -> None:
    connection = await asyncpg.connect(host="127.0.0.1", port=server.port, user="headwater", database="headwater")
    try:
        await connection.execute("DELETE FROM t")
        span = asyncpg.Range(1, 5)
        await connection.execute("INSERT INTO t VALUES ($1, $2, $3, $4)", 4, "abc", (1, "xy", span), [span, None])
        row = await connection.fetchrow("SELECT id, c, s, r FROM t")
        assert row is not None
        assert (row["id"], row["c"], tuple(row["s"]), row["r"]) == (4, "abc", (1, "xy", span), [span, None])
        with pytest.raises(asyncpg.CheckViolationError):
            await connection.execute("INSERT INTO t (id) VALUES ($1)", 0)
    finally:
        await connection.close()
