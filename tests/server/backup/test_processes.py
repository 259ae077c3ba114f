"""Processes: the server is killed during a backup, the next one goes on, and a copy of it runs beside the original."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from tests.server_process import ServerProcess, run_headwater, start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_PATIENCE_S = 60
_PARTS = 8


def _backup(server: ServerProcess, place: Path) -> tuple[object, ...]:
    with server.connect() as connection:
        return connection.execute(f"BACKUP TO '{place}'".encode()).fetchall()[0]


def _parts(place: Path) -> int:
    return sum(1 for _ in place.rglob("*.parquet"))


def _killed_meanwhile(server: ServerProcess, place: Path) -> None:
    """Kills the server once some parts are copied."""

    def run() -> None:
        with suppress(psycopg.OperationalError):
            _backup(server, place)

    thread = threading.Thread(target=run)
    thread.start()
    deadline = time.monotonic() + _PATIENCE_S
    while not _parts(place):
        assert time.monotonic() < deadline, "nothing is copied"
    server.kill()
    thread.join()


def test_a_backup_outlives_its_server_and_a_copy_runs_beside_the_original(tmp_path: Path) -> None:
    place, data, copy = tmp_path / "backups", tmp_path / "data", tmp_path / "copy"
    server = start_server(data)
    try:
        with server.connect() as connection:
            connection.execute(b"CREATE TABLE t (a int, b text)")
            for round_ in range(_PARTS):
                rows = f"SELECT i + {round_}, md5(i::text) FROM generate_series(1, 5000) i"
                connection.execute(f"INSERT INTO t {rows}".encode())
            connection.execute(b"CREATE MATERIALIZED VIEW v AS SELECT count(*) AS n, sum(a) AS s FROM t")
            (wanted,) = connection.execute(b"SELECT * FROM v").fetchall()
        _killed_meanwhile(server, place)
        copied = _parts(place)
        if not list(place.glob("backup/*")):
            assert run_headwater("restore", str(place), "--data-dir", str(copy)).returncode == 1
        server = start_server(data)
        name, _, parts, _, now_copied, _ = _backup(server, place)
        assert isinstance(parts, int) and isinstance(now_copied, int) and copied > 0 and now_copied < parts
        with server.connect() as connection:
            connection.execute(b"INSERT INTO t VALUES (1, 'after the backup')")
        told = run_headwater("restore", str(place), "--verify")
        assert told.returncode == 0 and f'backup "{name}" is whole' in told.stdout
        told = run_headwater("restore", str(place), "--data-dir", str(copy))
        assert told.returncode == 0 and f'restored backup "{name}"' in told.stdout, told.stderr
        beside = start_server(copy)
        try:
            with beside.connect() as own, server.connect() as connection:
                assert own.execute(b"SELECT * FROM v").fetchall() == [wanted]
                assert own.execute(b"SELECT count(*), sum(a) FROM t").fetchall() == [wanted]
                assert own.execute(b"CHECK MATERIALIZED VIEW v").fetchall() == []
                own.execute(b"DELETE FROM t")
                assert own.execute(b"SELECT n FROM v").fetchall() == [(0,)]
                assert connection.execute(b"SELECT n FROM v").fetchall() == [(int(str(wanted[0])) + 1,)]
        finally:
            beside.stop()
    finally:
        server.stop()
