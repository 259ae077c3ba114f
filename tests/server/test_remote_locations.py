"""A server whose consensus is PostgreSQL and whose blob is an object store: loaded, killed, taken over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import boto3
import psutil
import pytest

from tests.judge import Judge
from tests.server_process import ServerProcess, start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_DATABASE = "consensus_of_remote"
_BUCKET = "remote"
_ROWS = 30_000


@dataclass(frozen=True, slots=True)
class Remote:
    """Both locations; `environment` holds the object store's endpoint and keys."""

    consensus: str
    environment: Mapping[str, str]

    @property
    def options(self) -> tuple[str, ...]:
        return "--consensus", self.consensus, "--blob", f"s3://{_BUCKET}/some/prefix"

    def start(self, data_dir: Path) -> ServerProcess:
        return start_server(data_dir, *self.options, environment=self.environment)

    def objects(self) -> list[str]:
        client = boto3.client(
            "s3", endpoint_url=self.environment["AWS_ENDPOINT_URL"], aws_access_key_id="a", aws_secret_access_key="b"
        )
        return [entry["Key"] for entry in client.list_objects_v2(Bucket=_BUCKET).get("Contents", ())]


@pytest.fixture(scope="module")
def remote(judge: Judge, amazon: str) -> Remote:
    with judge.connect() as connection:
        connection.execute(f"CREATE DATABASE {_DATABASE}")
    variables = {"AWS_ENDPOINT_URL": amazon, "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
    variables["AWS_REGION"] = "us-east-1"
    keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
    boto3.client("s3", endpoint_url=amazon, **keys).create_bucket(Bucket=_BUCKET)
    return Remote(judge.url(_DATABASE), variables)


@pytest.fixture(scope="module", autouse=True)
def unanswered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Future[ServerProcess]]:
    """A server whose consensus nobody answers for: it asks for half a minute, beside the other tests."""
    options = ("--consensus", "postgresql://nobody@127.0.0.1:1/none")
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(start_server, tmp_path_factory.mktemp("unanswered"), *options, timeout_s=150.0)


def _kill_all(server: ServerProcess, data_dir: Path) -> None:
    replica = psutil.Process(json.loads((data_dir / "replica.json").read_text())["pid"])
    jvms = replica.children(recursive=True)
    server.kill()
    replica.kill()
    psutil.wait_procs([replica, *jvms], timeout=30)


def _load(server: ServerProcess) -> str:
    """Small rows stay in consensus, large ones become parts; gives a timestamp at which all of the first are there."""
    with server.connect() as connection:
        connection.execute("CREATE TABLE small (a int, b text)")
        connection.execute("INSERT INTO small VALUES (1, 'one'), (2, NULL)")
        connection.execute("CREATE TABLE large (a int, b text)")
        with connection.cursor().copy("COPY large FROM STDIN") as copy:
            for n in range(_ROWS):
                copy.write_row((n, f"row {n} of {_ROWS}"))
        connection.execute("CREATE VIEW matches AS SELECT l.a, s.b FROM large AS l JOIN small AS s ON s.a = l.a")
        (row,) = connection.execute("SELECT mz_now()::text").fetchall()
        connection.execute("DELETE FROM large WHERE a % 3 = 0")
        connection.execute("INSERT INTO small SELECT a, b FROM large WHERE a > 29990")
    return str(row[0])


def _check(server: ServerProcess, before: str) -> None:
    total = _ROWS * (_ROWS - 1) // 2
    left = sum(n for n in range(_ROWS) if n % 3)
    with server.connect() as connection:
        assert connection.execute("SELECT count(*), sum(a) FROM large").fetchall() == [(_ROWS * 2 // 3, left)]
        asked = connection.execute(f"SELECT count(*), sum(a) FROM large AS OF {before}")
        assert asked.fetchall() == [(_ROWS, total)]
        assert connection.execute("SELECT count(*) FROM small").fetchall() == [(8,)]
        asked = connection.execute("SELECT a, b FROM matches WHERE a < 10 ORDER BY a")
        assert asked.fetchall() == [(1, "one"), (2, None)]


@pytest.mark.timeout(600)
def test_all_is_there_after_everything_was_killed_and_after_a_takeover(remote: Remote, tmp_path: Path) -> None:
    server = remote.start(tmp_path / "first")
    try:
        before = _load(server)
        _check(server, before)
        assert {key.rpartition("/part/")[0] for key in remote.objects()} == {"some/prefix"}
    finally:
        _kill_all(server, tmp_path / "first")
    assert not (tmp_path / "first" / "blob").exists() and not (tmp_path / "first" / "consensus.sqlite").exists()
    server = remote.start(tmp_path / "second")
    try:
        _check(server, before)
        taking_over = remote.start(tmp_path / "second")
        try:
            assert server.process.wait(timeout=60) == 3
            assert "fenced" in server.log.read_text()
            with taking_over.connect() as connection:
                connection.execute("INSERT INTO small VALUES (9, 'nine')")
                connection.execute("DELETE FROM small WHERE a = 9")
            _check(taking_over, before)
        finally:
            assert taking_over.stop() == 0
    finally:
        server.kill()


def test_a_bucket_that_is_not_there_is_told_at_once(remote: Remote, tmp_path: Path) -> None:
    options = ["--consensus", remote.consensus, "--blob", "s3://elsewhere/prefix"]
    with pytest.raises(
        AssertionError, match=r"status 1.*cannot use the blob s3://elsewhere/prefix: .*NoSuchBucket"
    ) as told:
        start_server(tmp_path, *options, environment=remote.environment)
    assert "waiting" not in str(told.value)


def test_a_consensus_that_does_not_answer_is_told(unanswered: Future[ServerProcess]) -> None:
    with pytest.raises(AssertionError, match=r"(?s)status 1.*waiting for consensus.*consensus store does not answer"):
        unanswered.result()
