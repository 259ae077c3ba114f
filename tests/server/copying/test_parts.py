"""COPY TO a name that ends in a slash makes a directory of parts, and COPY FROM one reads all of them."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import psycopg
import pyarrow.parquet as pq
import pytest
from botocore.exceptions import ClientError

from connectors.aws.clients import aws_client
from connectors.aws.settings import ENDPOINT, KEY, KEY_ID, REGION
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.clock import SystemRandomness
from server.ledgers.unfinished_uploads import UnfinishedUploads
from server.statements.copying.bucket_place import BegunUploads, BucketPlace
from server.statements.copying.parts import DirectoryOfParts, MadeParts
from tests.server.memory_server import memory_server

Connection = psycopg.Connection[tuple[Any, ...]]
_FORMATS = {
    "": "txt",
    "(FORMAT text)": "txt",
    "(FORMAT csv, HEADER)": "csv",
    "(FORMAT binary)": "bin",
    "(FORMAT json)": "json",
    "(FORMAT parquet)": "parquet",
}


@pytest.fixture(scope="module")
def places(amazon: str) -> Iterator[tuple[Connection, Any]]:
    """A connection, and a client of the bucket `parts`."""
    s3 = boto3.session.Session("k", "s", region_name="us-east-1").client("s3", endpoint_url=amazon)
    s3.create_bucket(Bucket="parts")
    with memory_server() as running, running.connect() as connection:
        connection.execute(b"CREATE SECRET aws_key AS 's'")
        options = f"ENDPOINT '{amazon}', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET aws_key"
        connection.execute(f"CREATE CONNECTION lake TO AWS ({options})".encode())
        connection.execute(b"CREATE TABLE t (a int, b text)")
        connection.execute(b"INSERT INTO t SELECT n, 'x' || n FROM generate_series(1, 3000) AS n")
        connection.execute(b"CREATE TABLE again (a int, b text)")
        yield connection, s3


@pytest.fixture
def connection(places: tuple[Connection, Any]) -> Iterator[Connection]:
    yield places[0]
    places[0].execute(b"DELETE FROM again")


def _keys(s3: Any, prefix: str) -> list[str]:
    return [each["Key"] for each in s3.list_objects_v2(Bucket="parts", Prefix=prefix).get("Contents", ())]


def _require_alike(connection: Connection) -> None:
    sql = "SELECT count(*), count(DISTINCT a), count(*) FILTER (WHERE b = 'x' || a) FROM again"
    assert connection.execute(sql.encode()).fetchall() == [(3000, 3000, 3000)]


@pytest.mark.in_part(4)
@pytest.mark.parametrize(("clause", "suffix"), _FORMATS.items())
def test_a_directory_comes_back(connection: Connection, tmp_path: Path, clause: str, suffix: str) -> None:
    answer = connection.execute(f"COPY (SELECT * FROM t ORDER BY a) TO '{tmp_path}/t/' {clause}".encode())
    assert answer.statusmessage == "COPY 3000"
    assert [each.name for each in tmp_path.iterdir()] == ["t"]
    assert [each.name for each in (tmp_path / "t").iterdir()] == [f"part-00000.{suffix}"]
    (tmp_path / "t" / "_SUCCESS").write_text("none of these")
    (tmp_path / "t" / ".crc").write_text("none of these")
    (tmp_path / "t" / "below").mkdir()
    assert connection.execute(f"COPY again FROM '{tmp_path}/t/' {clause}".encode()).statusmessage == "COPY 3000"
    _require_alike(connection)


def test_all_parts_of_a_directory_are_read_in_order(connection: Connection, tmp_path: Path) -> None:
    for at in (2, 0, 1):
        (tmp_path / f"part-{at}.csv").write_text(f"a,b\n{at},x\n" + ("no,x\n" if at else ""))
    with pytest.raises(psycopg.errors.InvalidTextRepresentation) as raised:
        connection.execute(f"COPY again FROM '{tmp_path}/' (FORMAT csv, HEADER match)".encode())
    assert raised.value.diag.context == 'COPY again, line 3, column a: "no"'
    assert connection.execute(b"SELECT count(*) FROM again").fetchall() == [(0,)]


@pytest.mark.parametrize("clause", ["(FORMAT parquet)", "(FORMAT csv)"])
def test_no_rows_are_one_part(connection: Connection, tmp_path: Path, clause: str) -> None:
    connection.execute(f"COPY (SELECT * FROM t WHERE a < 0) TO '{tmp_path}/t/' {clause}".encode())
    (part,) = (tmp_path / "t").iterdir()
    if "parquet" in clause:
        assert (pq.read_table(part).num_rows, pq.read_schema(part).names) == (0, ["a", "b"])
    assert connection.execute(f"COPY again FROM '{tmp_path}/t/' {clause}".encode()).statusmessage == "COPY 0"


def test_an_empty_directory_may_be_there_and_keeps_its_mode(connection: Connection, tmp_path: Path) -> None:
    place, link = tmp_path / "t", tmp_path / "link"
    place.mkdir(0o750)
    place.chmod(0o750)
    link.symlink_to(place)
    connection.execute(f"COPY t TO '{link}/'".encode())
    assert [each.name for each in place.iterdir()] == ["part-00000.txt"]
    assert place.stat().st_mode & 0o777 == 0o750 and link.is_symlink()


def test_what_is_there_is_left_as_it_was(connection: Connection, tmp_path: Path) -> None:
    place = tmp_path / "t"
    place.mkdir()
    (place / "mine").write_text("before")
    with pytest.raises(psycopg.errors.DuplicateFile) as raised:
        connection.execute(f"COPY t TO '{place}/'".encode())
    assert raised.value.diag.message_primary == f'directory "{place}/" is not empty'
    (tmp_path / "file").write_text("before")
    with pytest.raises(psycopg.errors.UndefinedFile, match="Not a directory"):
        connection.execute(f"COPY t TO '{tmp_path}/file/'".encode())
    with pytest.raises(psycopg.errors.InvalidName):
        connection.execute(b"COPY t TO 'relative/'")
    with pytest.raises(psycopg.errors.UndefinedFile):
        connection.execute(f"COPY t TO '{tmp_path}/none/t/'".encode())
    for sql in (f"COPY again FROM '{tmp_path}/none/'", f"COPY again FROM '{tmp_path}/file/'"):
        with pytest.raises(psycopg.errors.UndefinedFile):
            connection.execute(sql.encode())
    with pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute(f"COPY (SELECT 1 / (a - 2999) FROM t) TO '{tmp_path}/failed/'".encode())
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "t"]
    assert (place / "mine").read_text() == (tmp_path / "file").read_text() == "before"


@pytest.mark.in_part(4, first=1)
@pytest.mark.parametrize(("clause", "suffix"), _FORMATS.items())
def test_a_prefix_comes_back(places: tuple[Connection, Any], connection: Connection, clause: str, suffix: str) -> None:
    s3 = places[1]
    clause = f"{clause[:-1]}, CONNECTION lake)" if clause else "(CONNECTION lake)"
    prefix = f"back-{suffix}-{len(clause)}/"
    s3.put_object(Bucket="parts", Key=prefix, Body=b"")
    assert connection.execute(f"COPY t TO 's3://parts/{prefix}' {clause}".encode()).statusmessage == "COPY 3000"
    assert _keys(s3, prefix) == [prefix, f"{prefix}_SUCCESS", f"{prefix}part-00000.{suffix}"]
    s3.delete_object(Bucket="parts", Key=prefix)
    copy = f"COPY again FROM 's3://parts/{prefix}' {clause}"
    assert connection.execute(copy.encode()).statusmessage == "COPY 3000"
    _require_alike(connection)
    with pytest.raises(psycopg.errors.DuplicateFile, match=f'prefix "s3://parts/{prefix}" is not empty'):
        connection.execute(f"COPY t TO 's3://parts/{prefix}' {clause}".encode())


def test_a_prefix_that_can_not_be_completed_has_nothing(
    places: tuple[Connection, Any], connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The marker comes last, after a part that is there already."""
    s3 = places[1]

    def failing(*args: Any) -> Any:
        client = aws_client(*args)
        refused = ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "PutObject")

        def put_object(**_: Any) -> None:
            assert _keys(s3, "failed/"), "the part is complete"
            raise refused

        client.put_object = put_object
        return client

    monkeypatch.setattr("server.statements.copying.bucket_place.aws_client", failing)
    with pytest.raises(psycopg.errors.IoError, match="AccessDenied"):
        connection.execute(b"COPY t TO 's3://parts/failed/' (CONNECTION lake)")
    assert not _keys(s3, "failed/") and not s3.list_multipart_uploads(Bucket="parts").get("Uploads")
    with pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute(b"COPY (SELECT 1 / (a - 2999) FROM t) TO 's3://parts/failed/' (CONNECTION lake)")
    assert not _keys(s3, "failed/")


def _staged(within: Path) -> tuple[Path, list[Path]]:
    """Two parts, and a file of an attempt that does not count."""
    staged = within / "staged"
    staged.mkdir()
    for name in "zyx":
        (staged / name).write_text(name)
    return staged, [staged / "y", staged / "x"]


def test_of_two_that_make_one_directory_the_second_is_refused(tmp_path: Path) -> None:
    parts = DirectoryOfParts(f"{tmp_path}/t/")
    parts.require_free()
    for at in range(2):
        within = tmp_path / str(at)
        within.mkdir()
        if at:
            with pytest.raises(SqlError) as raised:
                parts.publish(*_staged(within), "txt", threading.Event())
            assert raised.value.sqlstate == "58P02"
        else:
            parts.publish(*_staged(within), "txt", threading.Event())
    found = {each.name: each.read_text() for each in (tmp_path / "t").iterdir()}
    assert found == {"part-00000.txt": "y", "part-00001.txt": "x"}


def test_of_two_that_make_one_prefix_the_second_is_refused(
    places: tuple[Connection, Any], tmp_path: Path, amazon: str
) -> None:
    parts = _prefix(amazon, "raced/")
    parts.require_free()
    places[1].put_object(Bucket="parts", Key="raced/part-00000.txt", Body=b"before")
    with pytest.raises(SqlError) as raised:
        parts.publish(*_staged(tmp_path), "txt", threading.Event())
    assert raised.value.sqlstate == "58P02"
    assert _keys(places[1], "raced/") == ["raced/part-00000.txt"]
    assert places[1].get_object(Bucket="parts", Key="raced/part-00000.txt")["Body"].read() == b"before"
    assert not places[1].list_multipart_uploads(Bucket="parts").get("Uploads")


def test_nothing_is_there_of_what_was_stopped_in_time(
    places: tuple[Connection, Any], tmp_path: Path, amazon: str
) -> None:
    stopped = threading.Event()
    stopped.set()
    staged = _staged(tmp_path)
    for parts in (DirectoryOfParts(f"{tmp_path}/t/"), _prefix(amazon, "stopped/")):
        with pytest.raises(SqlError) as raised:
            parts.publish(*staged, "txt", stopped)
        assert raised.value.sqlstate == "57014"
        shutil.rmtree(staged[0] / "whole", ignore_errors=True)
    assert [each.name for each in tmp_path.iterdir()] == ["staged"] and not _keys(places[1], "stopped/")
    assert not places[1].list_multipart_uploads(Bucket="parts").get("Uploads")


def _prefix(amazon: str, key: str) -> MadeParts:
    settings = {ENDPOINT: amazon, REGION: "us-east-1", KEY_ID: "k", KEY: "s"}
    begun = BegunUploads(UnfinishedUploads(None, SystemRandomness()), GlobalId.user(1))
    parts = BucketPlace(settings, "parts", key, begun).parts()
    assert parts is not None
    return parts
