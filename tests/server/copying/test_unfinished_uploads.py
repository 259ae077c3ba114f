"""What a killed server has uploaded and not completed is aborted by the next, whatever else is away or gone.

A COPY that is killed: `killing/lives/copies.py`.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from connectors.unreachable import Unreachable
from model.ids.global_id import GlobalId
from model.time.clock import SystemClock, SystemRandomness
from server.ledgers.unfinished_uploads import Abort, LeftUploads, NotedUpload, UnfinishedUploads
from tests.server.memory_server import MemoryServer, memory_server
from tests.server_process import start_server

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
