"""The compose file says what the code understands, and its Spark cluster comes up when run as processes."""

import os
import socket
import subprocess
import time
from pathlib import Path

import pytest

from server.options import ServeOptions
from tests.packaging.compose import services

_ROOT = Path(__file__).resolve().parents[2]


def test_without_a_profile_the_server_stands_alone() -> None:
    assert [service.name for service in services().values() if not service.profiles] == ["headwater"]


def test_every_variable_is_one_that_the_server_reads() -> None:
    known = {f"HEADWATER_{name.upper()}" for name in ServeOptions.model_fields}
    used = {name for service in services().values() for name in service.environment if name.startswith("HEADWATER_")}
    assert used <= known


def test_the_cluster_has_consensus_blob_and_two_workers() -> None:
    cluster = services()["headwater-cluster"].environment
    assert cluster["HEADWATER_CONSENSUS"].startswith("postgresql://")
    assert cluster["HEADWATER_BLOB"].startswith("s3://")
    assert cluster["HEADWATER_SPARK_MASTER"] in services()["spark-worker-1"].command
    assert services()["spark-worker-1"].command == services()["spark-worker-2"].command


def test_the_image_holds_every_package() -> None:
    recipe = (_ROOT / "Dockerfile").read_text()
    copied = {line.split()[1] for line in recipe.splitlines() if line.startswith("COPY") and len(line.split()) == 3}
    assert copied == {"model", "planner", "storage", "catalog", "timeline", "compute", "server"}


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _await_line(log: Path, words: str, processes: list[subprocess.Popen[bytes]]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and all(process.poll() is None for process in processes):
        if words in log.read_text():
            return
        time.sleep(0.1)
    raise AssertionError(f"{words!r} is not in {log.read_text()}")


@pytest.mark.spark
@pytest.mark.slow
def test_spark_workers_register_with_the_master(tmp_path: Path) -> None:
    places = {"7077": str(_free_port()), "spark-master": "127.0.0.1", "/tmp/work": str(tmp_path / "executors")}
    processes: list[subprocess.Popen[bytes]] = []
    logs = {name: tmp_path / f"{name}.log" for name in ("spark-master", "spark-worker-1", "spark-worker-2")}
    try:
        for name, log in logs.items():
            service = services()[name]
            variables = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", **service.variables(places)}
            with log.open("wb") as output:
                processes.append(
                    subprocess.Popen(
                        [*service.line(places), "--webui-port", "0"],
                        env=variables,
                        stdout=output,
                        stderr=subprocess.STDOUT,
                        cwd=_ROOT,
                    )
                )
            if name == "spark-master":
                _await_line(log, "New state: ALIVE", processes)
        for name in ("spark-worker-1", "spark-worker-2"):
            _await_line(logs[name], "Successfully registered with master", processes)
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(timeout=30)
