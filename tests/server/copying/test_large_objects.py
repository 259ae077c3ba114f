"""Objects that tasks of Spark write the rows of: what a file has, in order, whole or not at all."""

from __future__ import annotations

import io
import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import psutil
import psycopg
import pyarrow.parquet as pq
import pytest

from tests.server_process import ServerProcess

pytestmark = [pytest.mark.spark, pytest.mark.timeout(300)]

Connection = psycopg.Connection[tuple[Any, ...]]
_ROWS = 260_000
_PATIENCE_S = 120.0
_ORDERED = "SELECT a, b, a % 7 = 0 AS o FROM large_there WHERE a <> 5 ORDER BY b DESC NULLS LAST, a"
_MANY = "SELECT x.a, y.b FROM large_there x JOIN large_there y ON x.a % 1000 = y.a % 1000"


@pytest.fixture(scope="module")
def places(headwater_server: ServerProcess, amazon: str) -> Iterator[tuple[Connection, Any]]:
    """A connection, and a client of the bucket `tasks`."""
    s3 = boto3.session.Session("k", "s", region_name="us-east-1").client("s3", endpoint_url=amazon)
    s3.create_bucket(Bucket="tasks")
    with headwater_server.connect() as connection:
        connection.execute(b"CREATE SECRET large_key AS 's'")
        options = f"ENDPOINT '{amazon}', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET large_key"
        connection.execute(f"CREATE CONNECTION large_lake TO AWS ({options})".encode())
        connection.execute(b"CREATE TABLE large_there (a int, b text)")
        many = f"SELECT n, CASE WHEN n % 9 <> 0 THEN 'é,\"' || n % 5000 END FROM generate_series(1, {_ROWS}) AS n"
        connection.execute(f"INSERT INTO large_there {many}".encode())
        yield connection, s3
        connection.execute(b"DROP CONNECTION large_lake")
        connection.execute(b"DROP SECRET large_key")
        connection.execute(b"DROP TABLE large_there")


def _body(s3: Any, key: str) -> bytes:
    return bytes(s3.get_object(Bucket="tasks", Key=key)["Body"].read())


def _pieces() -> set[Path]:
    """Where tasks write what becomes objects."""
    return set(Path(tempfile.gettempdir()).glob(".headwater-*.pieces"))


@pytest.mark.in_part(4)
@pytest.mark.parametrize("format_", ["text", "csv", "json", "parquet"])
def test_an_object_has_each_row_once_in_the_order_of_the_query(
    places: tuple[Connection, Any], tmp_path: Path, format_: str
) -> None:
    connection, s3 = places
    before = _pieces()
    copy = f"COPY ({_ORDERED}) TO 's3://tasks/{format_}' (FORMAT {format_}, CONNECTION large_lake)"
    assert connection.execute(copy.encode()).statusmessage == f"COPY {_ROWS - 1}"
    body = _body(s3, format_)
    if format_ == "parquet":
        rows = [tuple(row.values()) for row in pq.read_table(io.BytesIO(body)).to_pylist()]
        assert rows == connection.execute(_ORDERED.encode()).fetchall()
    else:
        connection.execute(f"COPY ({_ORDERED}) TO '{tmp_path}/t' (FORMAT {format_})".encode())
        assert body == (tmp_path / "t").read_bytes() and body.count(b"\n") == _ROWS - 1
    assert _pieces() == before


@pytest.mark.parametrize("format_", ["csv", "parquet"])
def test_a_query_that_fails_leaves_the_object_that_was_there(places: tuple[Connection, Any], format_: str) -> None:
    connection, s3 = places
    s3.put_object(Bucket="tasks", Key="failed", Body=b"before")
    with pytest.raises(psycopg.errors.DivisionByZero):
        copy = f"COPY (SELECT 1 / (a - 70000) FROM large_there) TO 's3://tasks/failed' (FORMAT {format_}"
        connection.execute(f"{copy}, CONNECTION large_lake)".encode())
    assert _body(s3, "failed") == b"before"
    assert not s3.list_multipart_uploads(Bucket="tasks").get("Uploads")


def test_a_prefix_has_the_parts_as_tasks_wrote_them(places: tuple[Connection, Any]) -> None:
    connection, s3 = places
    copy = f"COPY ({_ORDERED}) TO 's3://tasks/parts/' (FORMAT parquet, CONNECTION large_lake)"
    assert connection.execute(copy.encode()).statusmessage == f"COPY {_ROWS - 1}"
    keys = [each["Key"] for each in s3.list_objects_v2(Bucket="tasks", Prefix="parts/")["Contents"]]
    assert len(keys) > 2 and keys == ["parts/_SUCCESS", *(f"parts/part-{at:05}.parquet" for at in range(len(keys) - 1))]
    tables = [pq.read_table(io.BytesIO(_body(s3, key))) for key in keys[1:]]
    rows = [tuple(row.values()) for table in tables for row in table.to_pylist()]
    assert rows == connection.execute(_ORDERED.encode()).fetchall()
    with pytest.raises(psycopg.errors.DuplicateFile):
        connection.execute(copy.encode())


def test_a_task_that_dies_leaves_nothing(headwater_server: ServerProcess, places: tuple[Connection, Any]) -> None:
    connection, s3 = places
    before = _pieces()
    killed: list[int] = []

    def kill() -> None:
        began = time.monotonic()
        while not killed and time.monotonic() < began + _PATIENCE_S:
            time.sleep(0.01)
            killed.extend(_writers(headwater_server.process.pid, _pieces() - before)[:1])
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(psycopg.Error):
        connection.execute(f"COPY ({_MANY}) TO 's3://tasks/died' (FORMAT parquet, CONNECTION large_lake)".encode())
    killer.join()
    assert killed and _pieces() == before
    assert not s3.list_objects_v2(Bucket="tasks", Prefix="died").get("Contents")
    assert not s3.list_multipart_uploads(Bucket="tasks").get("Uploads")


def _writers(server: int, directories: set[Path]) -> list[int]:
    """Those of the server's own processes that hold a file in one of these open."""
    found = []
    for process in psutil.Process(server).children(recursive=True):
        try:
            held = {Path(each.path).parent for each in process.open_files()}
        except psutil.Error:
            continue
        if held & directories:
            found.append(process.pid)
    return found
