"""The compose profile `cluster`, its services run as processes: PostgreSQL is the judge, moto the object store."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.amazon import run_amazon
from tests.judge import Judge
from tests.packaging.compose import services
from tests.ports import free_port
from tests.server_process import run_server
from tests.tidy.sources import ROOT

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_WORKERS = ("spark-worker-1", "spark-worker-2")
_DATABASE = "consensus_of_cluster"


@dataclass(slots=True)
class Processes:
    """Services running as processes; `places` says what stands for what exists between containers only."""

    places: Mapping[str, str]
    folder: Path
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def variables(self, name: str) -> dict[str, str]:
        """The service's environment over this process's own."""
        return {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", **services()[name].variables(self.places)}

    def start(self, name: str, *options: str) -> Path:
        """Starts a service; the file that takes its output."""
        log = self.folder / f"{name}.log"
        line = [*services()[name].line(self.places), *options]
        with log.open("wb") as output:
            process = subprocess.Popen(
                line, env=self.variables(name), stdout=output, stderr=subprocess.STDOUT, cwd=ROOT
            )
        self.running.append(process)
        return log

    def await_words(self, log: Path, words: str) -> None:
        """Waits until the log has the words; AssertionError after a minute, or when a process ended."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and all(process.poll() is None for process in self.running):
            if words in log.read_text():
                return
            time.sleep(0.1)
        raise AssertionError(f"{words!r} is not in {log.read_text()}")

    def stop(self) -> None:
        """Ends all of them, the last started first."""
        for process in reversed(self.running):
            process.terminate()
        for process in self.running:
            process.wait(timeout=30)


@pytest.fixture(scope="module")
def objects() -> Iterator[str]:
    """An object store; host and port."""
    with run_amazon() as endpoint:
        yield endpoint.removeprefix("http://")


@pytest.fixture(scope="module")
def cluster(judge: Judge, objects: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """Everything but the server: consensus and object store with its bucket, a Spark master with two workers."""
    folder = tmp_path_factory.mktemp("cluster")
    with judge.connect() as connection:
        connection.execute(f"CREATE DATABASE {_DATABASE}")
    places = {
        "0.0.0.0:6875": "127.0.0.1:0",
        "/data": str(folder / "data"),
        "consensus:5432/headwater": f"{judge.host}:{judge.port}/{_DATABASE}",
        "objects:9000": objects,
        "spark-master": "127.0.0.1",
        "headwater-cluster": "127.0.0.1",
        "7077": str(free_port()),
        "/tmp/work": str(folder / "work"),
    }
    processes = Processes(places, folder)
    try:
        processes.start("bucket")
        bucket = processes.running.pop()
        processes.await_words(processes.start("spark-master", "--webui-port", "0"), "New state: ALIVE")
        logs = [processes.start(name, "--webui-port", "0") for name in _WORKERS]
        for log in logs:
            processes.await_words(log, "Successfully registered with master")
        assert bucket.wait(timeout=60) == 0, (folder / "bucket.log").read_text()
        yield processes
    finally:
        processes.stop()


def test_spark_workers_register_with_the_master(cluster: Processes) -> None:
    assert [process.poll() for process in cluster.running] == [None, None, None]


@pytest.mark.timeout(600)
def test_cluster_answers_and_finds_everything_after_kill(cluster: Processes) -> None:
    service = services()["headwater-cluster"]
    line, variables = service.line(cluster.places), cluster.variables(service.name)
    server = run_server(line, cluster.folder / "data", variables, ROOT, 60.0)
    try:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t (a int, b text)")
            connection.execute("INSERT INTO t SELECT n, n::text FROM generate_series(1, 20000) AS n")
            connection.execute("DELETE FROM t WHERE a > 10000")
            assert connection.execute("SELECT count(*), sum(a) FROM t").fetchone() == (10000, 50005000)
    finally:
        server.kill()
    server = run_server(line, cluster.folder / "data", variables, ROOT, 60.0)
    try:
        with server.connect() as connection:
            assert connection.execute("SELECT count(*), sum(a) FROM t").fetchone() == (10000, 50005000)
    finally:
        assert server.stop() == 0
