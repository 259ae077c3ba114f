"""The life of real processes: starts, kills, takeovers, clean ends, and what a user is told when something is wrong."""

from __future__ import annotations

import json
import socket
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.server_process import ServerProcess, run_headwater, start_from_command_line, start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(600)]

_SHORT_GRACE = {"HEADWATER_REPLICA_GRACE_MS": "3000"}


@contextmanager
def _running(
    data_dir: Path, environment: dict[str, str] | None = None, start: Callable[..., ServerProcess] = start_server
) -> Iterator[ServerProcess]:
    server = start(data_dir, environment=environment)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


def _replica(data_dir: Path) -> psutil.Process:
    """The recorded replica's process, once there is one."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            return psutil.Process(int(json.loads((data_dir / "replica.json").read_text())["pid"]))
        except (OSError, ValueError, psutil.NoSuchProcess):
            time.sleep(0.05)
    raise AssertionError("no replica was started")


def _gone(process: psutil.Process, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.05)
    return False


def _count(server: ServerProcess) -> object:
    with server.connect() as connection:
        return connection.execute("SELECT count(*), sum(a) FROM t").fetchone()


def _temporary(server: ServerProcess) -> object:
    with server.connect() as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM pg_class WHERE relpersistence = 't'").fetchall()
    return count


def test_a_life_of_kills_takeovers_and_ends(tmp_path: Path) -> None:
    """One test, since each start of Spark takes its time. The first server is started as users start theirs."""
    with _running(tmp_path, start=start_from_command_line) as server:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t (a int)")
            connection.execute("INSERT INTO t SELECT * FROM generate_series(1, 100)")
            connection.execute("CREATE VIEW v AS SELECT a FROM t WHERE a > 98")
        assert _count(server) == (100, 5050)
        replica = _replica(tmp_path)

        # A replica that dies is replaced, and the statement that needs it answered.
        replica.kill()
        assert _count(server) == (100, 5050)
        replica = _replica(tmp_path)

        # The next environment finds the replica that outlived the last, and nobody's temporary tables.
        connection = server.connect()
        connection.execute("CREATE TEMP TABLE x AS SELECT a FROM t")
        connection.execute("CREATE INDEX ON x (a)")
        assert _temporary(server) == 2
        server.kill()
        connection.close()
    with _running(tmp_path) as server:
        assert _temporary(server) == 0
        assert _count(server) == (100, 5050)
        assert _replica(tmp_path).pid == replica.pid

        # A second server on the same data fences the first, which says so and ends.
        connection = server.connect()
        connection.execute("CREATE TEMP TABLE x (a int)")
        with connection, _running(tmp_path) as second:
            assert server.process.wait(30) == 3
            assert "fenced" in server.log.read_text()
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT 1")
            assert _count(second) == (100, 5050)
            assert _temporary(second) == 0
            with second.connect() as other:
                other.execute("INSERT INTO t VALUES (0)")

            # kill -9 of everything.
            replica = _replica(tmp_path)
            second.kill()
            replica.kill()
    with _running(tmp_path) as server:
        assert _count(server) == (101, 5050)
        with server.connect() as connection:
            assert connection.execute("SELECT count(*) FROM v").fetchone() == (2,)
        replica = _replica(tmp_path)

        # SIGTERM ends the server and its replica, and tells who is connected; what was written is there.
        with server.connect() as connection:
            connection.execute("INSERT INTO t VALUES (1)")
            assert server.stop() == 0
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT 1")
        assert _gone(replica, 10)
    with _running(tmp_path) as server:
        assert _count(server) == (102, 5051)


def test_a_replica_without_an_environment_ends_after_its_grace(tmp_path: Path) -> None:
    with _running(tmp_path, _SHORT_GRACE) as server:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t (a int); INSERT INTO t VALUES (1)")
        assert _count(server) == (1, 1)
        replica = _replica(tmp_path)
        server.kill()
        assert not _gone(replica, 1)
        assert _gone(replica, 30)


def test_sql_scripts_end_with_psqls_exit_codes(headwater_server: ServerProcess, tmp_path: Path) -> None:
    good, bad, malformed = tmp_path / "good.sql", tmp_path / "bad.sql", tmp_path / "malformed.sql"
    good.write_text("CREATE TABLE s (a int);\nINSERT INTO s VALUES (1), (2);\nSELECT a FROM s WHERE false;\n")
    bad.write_text("SELECT 1;\nSELECT * FROM no_such_table;\nCREATE TABLE never (a int);\n")
    malformed.write_text("SELECT 1;\nSELEC 2;\n")
    with headwater_server.connect() as connection:
        connection.execute("CREATE DATABASE scripts")
    url = f"postgresql://headwater@{headwater_server.host}:{headwater_server.port}/scripts"
    done = run_headwater("sql", "--url", url, "-f", str(good))
    assert (done.returncode, done.stderr) == (0, "")
    assert "(0 rows)" in done.stdout
    done = run_headwater("sql", "--url", url, "-f", str(bad))
    assert done.returncode == 3
    assert f"{bad}:2:" in done.stderr and 'relation "no_such_table" does not exist' in done.stderr
    assert run_headwater("sql", "--url", url, "-c", "SELECT * FROM never").returncode == 3
    done = run_headwater("sql", "--url", url, "-f", str(malformed))
    assert done.returncode == 3 and f"{malformed}:2:" in done.stderr
    assert run_headwater("sql", "--url", url, "-f", str(tmp_path / "nowhere.sql")).returncode == 1
    with headwater_server.connect() as connection:
        connection.execute("DROP DATABASE scripts")
    with socket.socket() as taken:
        # Nobody listens there, and nobody else will.
        taken.bind(("127.0.0.1", 0))
        nowhere = f"postgresql://headwater@127.0.0.1:{taken.getsockname()[1]}/headwater"
        assert run_headwater("sql", "--url", nowhere, "-c", "SELECT 1").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (["--listen", "nowhere"], {}, "nowhere"),
        (["--listen", "127.0.0.1:99999"], {}, "99999"),
        (["--consensus", "oracle://x"], {}, "oracle"),
        (["--blob", "ftp://x"], {}, "ftp"),
        ([], {"HEADWATER_RETAIN_HISTORY_MS": "soon"}, "HEADWATER_RETAIN_HISTORY_MS"),
    ],
)
def test_a_bad_option_ends_the_start_with_one_clear_message(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], said: str
) -> None:
    done = run_headwater("serve", "--data-dir", str(tmp_path), *arguments, environment=environment)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run_headwater("serve", "--data-dir", str(tmp_path), "--listen", address)
    assert done.returncode == 1
    assert "in use" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "replica.json").exists(), "the replica was left behind"


def test_a_data_directory_that_is_a_file_is_said(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("")
    done = run_headwater("serve", "--data-dir", str(place), "--listen", "127.0.0.1:0")
    assert done.returncode == 1
    assert str(place) in done.stderr and "Traceback" not in done.stderr


def test_a_blob_place_that_takes_no_writes_fails_the_write_and_nothing_else(tmp_path: Path) -> None:
    blob = tmp_path / "blob"
    with _running(tmp_path) as server, server.connect() as connection:
        connection.execute("CREATE TABLE t (a int, b text)")
        connection.execute("INSERT INTO t VALUES (1, 'x')")
        # The replica is there then: one that began without the folder would end.
        assert _count(server) == (1, 1)
        # Root may write anywhere, so the folder is taken away and a file put in its place.
        blob.rename(tmp_path / "elsewhere")
        blob.write_text("in the way")
        with pytest.raises(psycopg.Error) as raised:
            connection.execute("INSERT INTO t SELECT n, repeat('x', 1000) FROM generate_series(1, 50000) n")
        assert raised.value.sqlstate is not None and raised.value.sqlstate[:2] in ("58", "53", "XX")
        assert connection.execute("SELECT 1").fetchone() == (1,)
        blob.unlink()
        (tmp_path / "elsewhere").rename(blob)
        assert stat.S_ISDIR(blob.stat().st_mode)
        connection.execute("INSERT INTO t VALUES (2, 'y')")
        assert connection.execute("SELECT count(*), sum(a) FROM t").fetchone() == (2, 3)
