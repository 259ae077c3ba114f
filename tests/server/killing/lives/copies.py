"""COPY to a file and to a bucket, each of which is under way when the server is killed.

Nobody sees what was being written: the file is as before, and nothing else lies beside it once a server has started.
That server aborts what was uploaded, and others' uploads of the same key stay.
"""

from __future__ import annotations

import contextlib
import threading
from functools import partial
from pathlib import Path

import boto3
import psycopg
import pytest

from tests.polling import polls
from tests.server.killing.lives.life import Clients, Connection, Life
from tests.server_process import ServerDatabase

_BUCKET = "killed"
_ROWS = 130_000
_PATIENCE_S = 120.0
_UPLOADED = "SELECT repeat('x', 2000) FROM generate_series(1, 100000)"


class Copies(Life):
    """Who copies to `directory`, and to a bucket at `endpoint`, from a server whose data lie in `data_dir`."""

    name = "copies"

    def __init__(self, endpoint: str, directory: Path, data_dir: Path) -> None:
        self._s3 = boto3.session.Session("k", "s", region_name="us-east-1").client("s3", endpoint_url=endpoint)
        self._endpoint = endpoint
        self._directory = directory
        self._path = directory / "t"
        self._uploads = data_dir / "uploads"
        self._database: ServerDatabase | None = None
        self._clients = Clients()
        directory.mkdir()

    def set_up(self, connection: Connection) -> None:
        self._s3.create_bucket(Bucket=_BUCKET)
        self._others = self._s3.create_multipart_upload(Bucket=_BUCKET, Key="large")["UploadId"]
        connection.execute(b"CREATE TABLE killed (a int)")
        connection.execute(f"INSERT INTO killed SELECT generate_series(1, {_ROWS})".encode())
        connection.execute(b"CREATE SECRET key AS 's'")
        options = f"ENDPOINT '{self._endpoint}', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET key"
        connection.execute(f"CREATE CONNECTION lake TO AWS ({options})".encode())

    def begin(self, database: ServerDatabase) -> None:
        self._database = database
        self._path.write_text("before")

    def doomed(self) -> None:
        """Has both begin, and waits until some of each is written."""
        assert self._database is not None
        copies = (
            f"COPY (SELECT x.a FROM killed x, generate_series(1, 40)) TO '{self._path}'",
            f"COPY ({_UPLOADED}) TO 's3://{_BUCKET}/large' (CONNECTION lake)",
        )
        self._clients.start([partial(_copy, self._database, sql) for sql in copies])
        for _ in polls(_PATIENCE_S):
            if list(self._directory.glob(".headwater-*.pieces/*")) and self._parts():
                return
        raise AssertionError("nothing is written")

    def killed(self) -> None:
        self._clients.stop()
        assert self._path.read_text() == "before"
        assert self._parts(), "the killed server has aborted it"

    def look(self, database: ServerDatabase) -> None:
        assert [each.name for each in self._directory.iterdir()] == ["t"]
        for _ in polls(_PATIENCE_S):
            if not self._parts() and not list(self._uploads.iterdir()):
                break
        left = [each["UploadId"] for each in self._s3.list_multipart_uploads(Bucket=_BUCKET).get("Uploads", ())]
        assert left == [self._others], "it is not aborted"
        assert not list(self._uploads.iterdir()), "it stays noted"
        with database.connect() as connection:
            connection.execute(f"COPY killed TO '{self._path}'".encode())
        assert sorted(map(int, self._path.read_text().split())) == list(range(1, _ROWS + 1))

    def _parts(self) -> int:
        """Returns how many parts there are of uploads that nobody else has begun."""
        uploads = self._s3.list_multipart_uploads(Bucket=_BUCKET).get("Uploads", ())
        count = 0
        for each in uploads:
            if each["UploadId"] == self._others:
                continue
            # It may end between the two questions.
            with contextlib.suppress(self._s3.exceptions.NoSuchUpload):
                named = {"Bucket": _BUCKET, "Key": each["Key"], "UploadId": each["UploadId"]}
                count += len(self._s3.list_parts(**named).get("Parts", ()))
        return count


def _copy(database: ServerDatabase, sql: str, _stop: threading.Event) -> None:
    with pytest.raises(psycopg.OperationalError), database.connect() as connection:
        connection.execute(sql.encode())
