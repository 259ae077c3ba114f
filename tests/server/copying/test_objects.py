"""COPY with objects of buckets, on moto: whole or not at all, by a connection."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import boto3
import psycopg
import pytest

from tests.server.memory_server import memory_server

Connection = psycopg.Connection[tuple[Any, ...]]
_ROWS, _LENGTH = 1_300, 20_000


@pytest.fixture(scope="module")
def places(amazon: str) -> Iterator[tuple[Connection, Any]]:
    """A connection, and a client of the bucket `bbb`."""
    s3 = boto3.session.Session("k", "s", region_name="us-east-1").client("s3", endpoint_url=amazon)
    s3.create_bucket(Bucket="bbb")
    with memory_server() as running, running.connect() as connection:
        connection.execute(b"CREATE SECRET aws_key AS 's'")
        options = f"ENDPOINT '{amazon}', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET aws_key"
        connection.execute(f"CREATE CONNECTION lake TO AWS ({options})".encode())
        connection.execute(b"CREATE CONNECTION other TO WEBHOOK (URL 'http://127.0.0.1:1') WITH (VALIDATE = false)")
        connection.execute(b"CREATE TABLE t (a int, b text)")
        connection.execute(b"CREATE TABLE again (a int, b text)")
        with connection.cursor().copy("COPY t FROM STDIN") as copy:
            for number in range(_ROWS):
                copy.write_row((number, "x" * _LENGTH if number % 3 else None))
        yield connection, s3


def _keys(s3: Any) -> list[str]:
    return [each["Key"] for each in s3.list_objects_v2(Bucket="bbb").get("Contents", ())]


@pytest.mark.parametrize("format_", ["text", "csv", "binary", "parquet", "json"])
def test_what_is_copied_there_comes_back(places: tuple[Connection, Any], format_: str) -> None:
    """17 MB: in parts."""
    connection, s3 = places
    clause = f"(FORMAT {format_}, CONNECTION lake)"
    assert connection.execute(f"COPY t TO 's3://bbb/t/{format_}' {clause}".encode()).statusmessage == f"COPY {_ROWS}"
    assert f"t/{format_}" in _keys(s3)
    answer = connection.execute(f"COPY again FROM 's3://bbb/t/{format_}' {clause}".encode())
    assert answer.statusmessage == f"COPY {_ROWS}"
    differing = "SELECT count(*) FROM (TABLE {} EXCEPT ALL TABLE {}) AS differing"
    assert connection.execute(differing.format("t", "again").encode()).fetchall() == [(0,)]
    assert connection.execute(differing.format("again", "t").encode()).fetchall() == [(0,)]
    connection.execute(b"DELETE FROM again")


def test_a_query_that_fails_leaves_nothing(places: tuple[Connection, Any]) -> None:
    connection, s3 = places
    with pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute(b"COPY (SELECT b, 1 / (a - 1200) FROM t) TO 's3://bbb/failed' (CONNECTION lake)")
    assert "failed" not in _keys(s3)
    assert not s3.list_multipart_uploads(Bucket="bbb").get("Uploads")


def test_a_pattern_is_many_objects(places: tuple[Connection, Any]) -> None:
    connection, s3 = places
    for name in ("1.csv", "2.csv", "3.txt", "deeper/4.csv"):
        s3.put_object(Bucket="bbb", Key=f"many/{name}", Body=f"a,b\n{name[0]},x".encode())
    copy = "COPY again FROM 's3://bbb/many/*.csv' (FORMAT csv, HEADER match, CONNECTION lake)"
    assert connection.execute(copy.encode()).statusmessage == "COPY 2"
    assert connection.execute("SELECT a FROM again ORDER BY a").fetchall() == [(1,), (2,)]
    s3.put_object(Bucket="bbb", Key="many/9.csv", Body=b"a,b\nno,x\n")
    with pytest.raises(psycopg.errors.InvalidTextRepresentation):
        connection.execute(copy.encode())
    assert connection.execute("SELECT count(*) FROM again").fetchall() == [(2,)]
    connection.execute(b"DELETE FROM again")


@pytest.mark.parametrize(
    ("copy", "sqlstate"),
    [
        ("again FROM 's3://bbb/none' (CONNECTION lake)", "58P01"),
        ("again FROM 's3://nowhere/k' (CONNECTION lake)", "58030"),
        ("t TO 's3://nowhere/k' (CONNECTION lake)", "58030"),
        ("again FROM 's3://bbb/k'", "42601"),
        ("again FROM 's3://bbb' (CONNECTION lake)", "22023"),
        ("t TO 's3:///k' (CONNECTION lake)", "22023"),
        ("again FROM 's3://bbb/k' (CONNECTION nobody)", "42704"),
        ("again FROM 's3://bbb/k' (CONNECTION other)", "42809"),
        ("again FROM '/etc/passwd' (CONNECTION lake)", "42601"),
        ("t TO STDOUT (CONNECTION lake)", "42601"),
        ("t TO 's3://bbb/k' (FORMAT json, FORMAT csv, CONNECTION lake)", "42601"),
        ("again FROM 's3://bbb/packed' (FORMAT parquet, CONNECTION lake)", "22P04"),
    ],
)
def test_what_can_not_be_copied_is_refused(places: tuple[Connection, Any], copy: str, sqlstate: str) -> None:
    connection, s3 = places
    s3.put_object(Bucket="bbb", Key="packed", Body=gzip.compress(b"x"))
    with pytest.raises(psycopg.Error) as raised:
        connection.execute(f"COPY {copy}".encode())
    assert raised.value.sqlstate == sqlstate, raised.value
