"""What a killed server has uploaded and not completed is aborted by the next, whatever else is away or gone."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import boto3
import psycopg
import pytest

from connectors.unreachable import Unreachable
from model.ids.global_id import GlobalId
from model.time.clock import SystemClock, SystemRandomness
from server.ledgers.unfinished_uploads import Abort, LeftUploads, NotedUpload, UnfinishedUploads
from tests.server.memory_server import MemoryServer, memory_server
from tests.server_process import ServerProcess, start_server

_PATIENCE_S = 120.0
_OF = GlobalId.user(5)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "uploads"


def _uploads(notes: Path | None) -> UnfinishedUploads:
    return UnfinishedUploads(notes, SystemRandomness())


def test_what_was_begun_is_known_to_the_next_start_until_it_has_ended(notes: Path) -> None:
    first = _uploads(notes)
    ended, left = (first.begin(_OF, "bucket", key, f"upload of {key}") for key in ("a", "b"))
    first.end(ended)
    first.end(ended)
    assert left is not None
    assert _uploads(notes).left() == {left: NotedUpload("u5", "bucket", "b", "upload of b")}
    _uploads(notes).end(left)
    assert not _uploads(notes).left() and not list(notes.iterdir())


def test_a_note_that_was_cut_short_is_of_an_upload_without_parts_and_goes(notes: Path) -> None:
    notes.mkdir()
    (notes / "short").write_bytes(b'{"connection": "u5", "buck')
    assert not _uploads(notes).left()
    assert not list(notes.iterdir())


def test_without_a_directory_nothing_is_noted() -> None:
    assert _uploads(None).begin(_OF, "bucket", "a", "u") is None
    assert not _uploads(None).left()


def test_an_upload_that_can_not_be_noted_is_told(notes: Path) -> None:
    notes.write_text("no directory")
    with pytest.raises(OSError):
        _uploads(notes).begin(_OF, "bucket", "a", "u")


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    """With a connection `lake`, where nobody listens."""
    with memory_server() as running, running.connect() as connection:
        options = "ENDPOINT 'http://127.0.0.1:1', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET key"
        connection.execute(b"CREATE SECRET key AS 's'")
        connection.execute(f"CREATE CONNECTION lake TO AWS ({options}) WITH (VALIDATE = false)".encode())
        yield running


def _connection_of(server: MemoryServer) -> GlobalId:
    (found,) = (id_ for id_, item in server.environment.catalog.state.items.items() if item.name == "lake")
    return found


@pytest.mark.parametrize(("refusals", "left"), [(0, 0), (3, 0), (100, 1)])
def test_a_bucket_that_is_away_is_asked_again_for_some_time(
    server: MemoryServer, notes: Path, refusals: int, left: int
) -> None:
    """One of the uploads answers at once."""
    uploads, asked = _uploads(notes), list[str]()
    for key in ("away", "there"):
        uploads.begin(_connection_of(server), "bucket", key, "u")

    def abort(settings: Mapping[str, str], noted: NotedUpload) -> None:
        assert settings["endpoint"] == "http://127.0.0.1:1" and settings["key"] == "s"
        asked.append(noted.key)
        if noted.key == "away" and asked.count("away") <= refusals:
            raise Unreachable("it is away")

    waited_s = _aborted(server, uploads, abort)
    assert len(_uploads(notes).left()) == left
    assert asked.count("there") == 1 and asked.count("away") == min(refusals + 1, 8)
    assert waited_s < 700


class _Hasty(SystemClock):
    """Nobody waits."""

    def __init__(self) -> None:
        self.waited_s = 0.0

    async def sleep(self, seconds: float) -> None:
        self.waited_s += seconds


def _aborted(server: MemoryServer, uploads: UnfinishedUploads, abort: Abort) -> float:
    """How many seconds it has waited."""
    clock, environment = _Hasty(), server.environment
    with ThreadPoolExecutor(1) as probes:
        known = clock, environment.outside.keyring, probes, lambda: environment.catalog.state
        asyncio.run(LeftUploads(uploads, uploads.left(), *known).abort(abort))
    return clock.waited_s


def test_an_upload_whose_connection_is_gone_is_forgotten(server: MemoryServer, notes: Path) -> None:
    uploads = _uploads(notes)
    uploads.begin(GlobalId.user(999), "bucket", "a", "u")

    def never(_settings: Mapping[str, str], _noted: NotedUpload) -> None:
        raise AssertionError("nobody can be asked")

    _aborted(server, uploads, never)
    assert not _uploads(notes).left()


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_what_a_killed_copy_has_uploaded_is_aborted_by_the_next_start(tmp_path: Path, amazon: str) -> None:
    """Others' uploads of the same key stay."""
    s3 = boto3.session.Session("k", "s", region_name="us-east-1").client("s3", endpoint_url=amazon)
    s3.create_bucket(Bucket="killed")
    others = s3.create_multipart_upload(Bucket="killed", Key="large")["UploadId"]
    data = tmp_path / "data"
    first = start_server(data)
    with first.connect() as connection:
        options = f"ENDPOINT '{amazon}', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET key"
        connection.execute(b"CREATE SECRET key AS 's'")
        connection.execute(f"CREATE CONNECTION lake TO AWS ({options})".encode())
    copying = threading.Thread(target=_copy, args=(first,))
    copying.start()
    until = time.monotonic() + _PATIENCE_S
    while not _parts(s3, others):
        assert time.monotonic() < until, "no part is uploaded"
        time.sleep(0.02)
    first.kill()
    copying.join()
    assert _parts(s3, others), "the killed server has aborted it"
    second = start_server(data)
    try:
        until = time.monotonic() + _PATIENCE_S
        while _parts(s3, others):
            assert time.monotonic() < until, "it is not aborted"
            time.sleep(0.1)
        left = [each["UploadId"] for each in s3.list_multipart_uploads(Bucket="killed").get("Uploads", ())]
        assert left == [others]
        while list((data / "uploads").iterdir()):
            assert time.monotonic() < until, "it stays noted"
            time.sleep(0.1)
    finally:
        second.stop()


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_bucket_that_never_answers_does_not_hold_the_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        first = start_server(data)
        with first.connect() as connection:
            login = "ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET key"
            options = f"ENDPOINT 'http://127.0.0.1:{silent.getsockname()[1]}', {login}"
            connection.execute(b"CREATE SECRET key AS 's'")
            connection.execute(f"CREATE CONNECTION lake TO AWS ({options}) WITH (VALIDATE = false)".encode())
            ((id_,),) = connection.execute("SELECT id FROM mz_connections WHERE name = 'lake'").fetchall()
        first.kill()
        _uploads(data / "uploads").begin(GlobalId.parse(str(id_)), "bucket", "key", "upload")
        second = start_server(data)
        try:
            silent.settimeout(_PATIENCE_S)
            asked, _ = silent.accept()
            with second.connect() as connection:
                assert connection.execute("SELECT 1").fetchall() == [(1,)]
            assert _uploads(data / "uploads").left()
            asked.close()
        finally:
            second.stop()


def _copy(server: ServerProcess) -> None:
    with pytest.raises(psycopg.OperationalError), server.connect() as connection:
        rows = "SELECT repeat('x', 2000) FROM generate_series(1, 100000)"
        connection.execute(f"COPY ({rows}) TO 's3://killed/large' (CONNECTION lake)".encode())


def _parts(s3: Any, others: str) -> int:
    """How many parts there are of an upload that nobody else has begun."""
    uploads = s3.list_multipart_uploads(Bucket="killed").get("Uploads", ())
    count = 0
    for each in uploads:
        if each["UploadId"] == others:
            continue
        # It may end between the two questions.
        with contextlib.suppress(s3.exceptions.NoSuchUpload):
            named = {"Bucket": "killed", "Key": each["Key"], "UploadId": each["UploadId"]}
            count += len(s3.list_parts(**named).get("Parts", ()))
    return count
