"""The server starts from any directory, whatever that holds; what it starts has neither its path nor its secrets."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.server_process import ServerProcess, run_server
from tests.tidy.sources import PACKAGES

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_PASSWORD, _OTHER = "of-the-server", "of-a-replica"
_USERS = """
from pathlib import Path
with (Path(__file__).parents[1] / "imported").open("a") as file:
    print(__name__, file=file)
raise ImportError("this is the user's own module")
"""
_PROGRAM = """
import json, os, sys
from pathlib import Path
try:
    import model
except ImportError as error:
    found = str(error)
else:
    found = model.__file__
told = {"model": found, "environment": dict(os.environ)}
Path(__file__).with_name("told.partial").write_text(json.dumps(told))
Path(__file__).with_name("told.partial").rename(Path(__file__).with_name("told.json"))
sys.exit("that is all")
"""


@dataclass(frozen=True, slots=True)
class _Started:
    server: ServerProcess
    directory: Path


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Started]:
    """A server that runs, and has been asked for all that starts a Python."""
    directory, data = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("data")
    for name in PACKAGES:
        (directory / name).mkdir()
        (directory / name / "__init__.py").write_text(_USERS)
    (directory / "program.py").write_text(_PROGRAM)
    command = [str(Path(sys.executable).with_name("headwater")), "serve", "--listen", "127.0.0.1:0"]
    environment = {"HEADWATER_PASSWORD": _PASSWORD, "HEADWATER_REPLICA_SECRET": _OTHER, "OF_THE_USER": "kept"}
    server = run_server([*command, "--data-dir", str(data)], data, environment, directory, 60.0)
    try:
        with server.connect() as connection:
            # In a process of the nursery's; then in tasks of Spark's, some of which are Python.
            connection.execute("SELECT count(*) FROM generate_series(1, 300000) AS n WHERE n % 7 = 3")
            connection.execute("CREATE TABLE t (a int PRIMARY KEY, b text)")
            connection.execute("INSERT INTO t SELECT n, 'x' || n FROM generate_series(1, 20000) AS n")
            row = connection.execute("SELECT count(DISTINCT regexp_replace(b, '(x)(.)', '\\2\\1')) FROM t").fetchone()
            assert row == (20000,)
            program = f"{sys.executable} {directory / 'program.py'}"
            connection.execute(f"CREATE SINK s FROM t INTO CONNECTOR (COMMAND '{program}') KEY (a)".encode())
            deadline = time.monotonic() + 60
            while not (directory / "told.json").exists():
                assert time.monotonic() < deadline
                time.sleep(0.1)
            yield _Started(server, directory)
    finally:
        server.stop()


def _children(started: _Started) -> list[psutil.Process]:
    found: list[psutil.Process] = psutil.Process(started.server.process.pid).children(recursive=True)
    return found


def test_no_module_of_the_users_is_taken_for_ours(started: _Started) -> None:
    """The program imported one, as it would have anywhere."""
    imported = (started.directory / "imported").read_text().split()
    assert set(imported) == {"model"}
    assert json.loads((started.directory / "told.json").read_text())["model"] == "this is the user's own module"


def test_all_that_is_started_was_looked_at(started: _Started) -> None:
    lines = [" ".join(each.cmdline()) for each in _children(started)]
    for part in ("compute.replica", "server.evaluation.nursery", "SparkSubmit", "pyspark.daemon"):
        assert any(part in line for line in lines), lines


def test_no_process_has_the_servers_secrets(started: _Started) -> None:
    for each in _children(started):
        text = json.dumps([each.environ(), each.cmdline()])
        assert _PASSWORD not in text and _OTHER not in text and "HEADWATER_" not in text, each


def test_a_users_program_has_the_users_environment(started: _Started) -> None:
    found = json.loads((started.directory / "told.json").read_text())["environment"]
    assert found["OF_THE_USER"] == "kept"
    assert not [name for name in found if name.startswith(("HEADWATER_", "PYTHONSAFEPATH", "PYSPARK_"))]
    assert found.get("PYTHONPATH") == os.environ.get("PYTHONPATH")


def test_the_replicas_secret_stands_in_its_record_alone(started: _Started) -> None:
    (record,) = started.server.log.parent.glob("replica.json")
    secret = json.loads(record.read_text())["secret"]
    assert secret and record.stat().st_mode & 0o077 == 0
    for each in _children(started):
        assert secret not in json.dumps([each.environ(), each.cmdline()])
    assert secret not in (record.parent / "replica.log").read_text()
