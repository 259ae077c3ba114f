"""A standby of newer code, in the leader's data directory, hydrates beside it under writes, and is promoted: nothing
acknowledged is lost, no transaction fails, and its views and indexes are there at once, and right.

The newer code has a mended function, so one view is another one: the newer version corrects it with its first write.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.polling import polls
from tests.server.killing.leaders_clients import PairWriter, connect_to_leader
from tests.server_process import ServerProcess, start_from_command_line
from tests.tidy.sources import ROOT

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_OPTIONS = ("--standby", "--replica-memory", "1g", "--spark-master", "local[2]", "--http-listen", "none")
_PACKAGES = ("catalog", "compute", "connectors", "model", "planner", "server", "storage", "timeline")
_PATIENCE_S = 240.0
_OBJECTS = """
CREATE TABLE t (a int, half int, word text);
CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n, sum(half) AS s FROM t;
CREATE MATERIALIZED VIEW mended AS SELECT initcap(word) AS word, count(*) AS n FROM t GROUP BY 1;
CREATE VIEW sums AS SELECT a, sum(half) AS s FROM t GROUP BY a;
CREATE INDEX of_sums ON sums (a);
"""
_OPENED = re.compile(r"dataflow open .*?hydrated\W+(True|False|true|false)")


def _newer_code(place: Path) -> Path:
    for package in _PACKAGES:
        shutil.copytree(ROOT / package, place / package, ignore=shutil.ignore_patterns("__pycache__"))
    functions = place / "planner" / "functions"
    for source, old, new in (
        ("text/characters.py", 'function("initcap", _T, TEXT, initcap)', 'function("initcap", _T, TEXT, str.upper)'),
        ("answer_numbers.py", "int]] = {", 'int]] = {"initcap_text": 2,'),
    ):
        text = (functions / source).read_text()
        assert text.count(old) == 1
        (functions / source).write_text(text.replace(old, new))
    return place


def _patiently(servers: list[ServerProcess]) -> psycopg.Connection[tuple[object, ...]]:
    """A connection to who leads, however long a starved machine takes to answer."""
    for _ in polls(_PATIENCE_S):
        with contextlib.suppress(psycopg.OperationalError):
            return connect_to_leader(servers)
    raise AssertionError("nobody leads")


def _has_ended(pid: int) -> bool:
    """Whether a process has ended, though its parent may not have asked for that yet."""
    try:
        status: str = psutil.Process(pid).status()
    except psutil.NoSuchProcess:
        return True
    return bool(status == psutil.STATUS_ZOMBIE)


def _until(condition: Callable[[], bool], of: ServerProcess) -> None:
    for _ in polls(_PATIENCE_S):
        if condition():
            return
    raise AssertionError(of.log.read_text())


@pytest.mark.timeout(900)
def test_a_newer_version_hydrates_beside_the_leader_and_goes_on_at_once(tmp_path: Path) -> None:
    data = tmp_path / "data"
    leader = start_from_command_line(data, *_OPTIONS, timeout_s=_PATIENCE_S)
    servers = [leader]
    writer = PairWriter(servers, "INSERT INTO t VALUES (%s, %s, 'some words')")
    writing = threading.Thread(target=writer.run)
    try:
        _until(lambda: "listening on" in leader.log.read_text(), leader)
        with leader.connect() as connection:
            connection.execute(_OBJECTS)
            connection.execute("INSERT INTO t VALUES (0, 3, 'some words')")
            assert connection.execute("SELECT word FROM mended").fetchall() == [("Some Words",)]
        writing.start()
        code = _newer_code(tmp_path / "code")
        standby = start_from_command_line(data, *_OPTIONS, cwd=code, timeout_s=_PATIENCE_S)
        servers.append(standby)
        with leader.connect() as connection:
            asked = "SELECT hydrated, caught_up, dataflows FROM mz_internal.mz_standbys"
            _until(lambda: connection.execute(asked).fetchall() == [(True, True, 3)], standby)
            replica_log = next(data.glob("beside/*/replica.log"))
            former = json.loads((data / "replica.json").read_text())["pid"]
            opened = len(_OPENED.findall(replica_log.read_text()))
            before = len(writer.acknowledged)
            moment = time.monotonic()
            connection.execute("ALTER SYSTEM PROMOTE")
        _until(lambda: "listening on" in standby.log.read_text(), standby)
        listening_s = time.monotonic() - moment
        with _patiently(servers) as connection:
            assert connection.execute("SELECT s FROM sums WHERE a = 0").fetchall() == [(3,)]
            indexed_s = time.monotonic() - moment
            (found,) = connection.execute("SELECT n FROM counted").fetchone() or (0,)
            assert isinstance(found, int) and found > 2 * before
            viewed_s = time.monotonic() - moment
            mended = "SELECT DISTINCT word FROM mended"
            _until(lambda: connection.execute(mended).fetchall() == [("SOME WORDS",)], standby)
        _until(lambda: len(writer.acknowledged) > before + 40, standby)
        print(f"\nlistening after {listening_s:.2f} s, an index answers after {indexed_s:.2f} s, a view after", end="")
        print(f" {viewed_s:.2f} s; writes waited for {writer.longest_pause_s():.2f} s at most")
        assert len(_OPENED.findall(replica_log.read_text())) == opened, "none of them hydrates once more"
        _until(lambda: _has_ended(former), standby)
    finally:
        writer.stopped = True
        if writing.is_alive():
            writing.join()
        with _patiently(servers) as connection:
            numbers = [number for (number,) in connection.execute("SELECT a FROM t WHERE a > 0").fetchall()]
            counted = connection.execute("SELECT n, s FROM counted").fetchall()
        for server in servers:
            server.stop()
    logs = "\n".join(each.log.read_text() for each in servers)
    assert not writer.failed, logs
    assert {number for number, _ in writer.acknowledged} <= set(numbers)
    assert len(set(numbers)) * 2 == len(numbers)
    assert counted == [(1 + len(numbers), 3 + 3 * len(numbers) // 2)]
