"""An index and a materialized view of one query are one dataflow on a real server, through drops and kills."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.server_process import ServerProcess, start_server

_PATIENCE_S = 240.0
_QUERY = "SELECT k, count(*) AS n, sum(x) AS x FROM t GROUP BY k"
_RETAIN = "WITH (RETAIN HISTORY FOR '2 h')"
Connection = psycopg.Connection[tuple[object, ...]]


def _until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.2)


@contextmanager
def _served(data_dir: Path) -> Iterator[list[ServerProcess]]:
    """The last of the servers is the one that runs."""
    servers = [start_server(data_dir)]
    try:
        yield servers
    finally:
        servers[-1].stop()


class _Log:
    """What the replica has written since it was last looked for."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "replica.log"
        self._read = 0

    def says(self, text: str, times: int = 1) -> None:
        _until(lambda: self._text().count(text) >= times, f"{text}: {self._text()[-2000:]}")
        self._read = self._path.stat().st_size

    def _text(self) -> str:
        return self._path.read_bytes()[self._read :].decode() if self._path.exists() else ""


def _right(ours: Connection, names: tuple[str, ...], times: dict[int, list[tuple[object, ...]]]) -> None:
    """Now, and at each of the times."""
    now = ours.execute(f"{_QUERY} ORDER BY k".encode()).fetchall()
    (at,) = ours.execute("SELECT mz_now()::text::int8").fetchone() or (0,)
    for name in names:
        assert ours.execute(f"SELECT * FROM {name} ORDER BY k".encode()).fetchall() == now
        for then, rows in times.items():
            assert ours.execute(f"SELECT * FROM {name} ORDER BY k AS OF {then}".encode()).fetchall() == rows
    assert isinstance(at, int)
    times[at] = now


def _kill_replica(data_dir: Path) -> None:
    os.kill(int(json.loads((data_dir / "replica.json").read_text())["pid"]), signal.SIGKILL)


def _checkpointed(ours: Connection, count: int) -> None:
    """As many have a checkpoint that was made when they were one."""
    query = b"SELECT count(*) FROM mz_internal.mz_dataflow_checkpoints WHERE checkpoints > 1"
    _until(lambda: (ours.execute(query).fetchone() or (0,))[0] == count, "no checkpoint")


def _shared(ours: Connection, *names: str) -> None:
    """These objects come to share one dataflow, and no others any."""
    query = (
        b"SELECT o.name, s.dataflow_id FROM mz_internal.mz_shared_dataflows s"
        b" JOIN mz_catalog.mz_objects o ON o.id = s.object_id ORDER BY 1"
    )

    def told() -> bool:
        rows = ours.execute(query).fetchall()
        return [name for name, _ in rows] == list(names) and len({dataflow for _, dataflow in rows}) == bool(names)

    _until(told, f"{names} are not told to share a dataflow, or others are")


def _counted_once(ours: Connection) -> None:
    """What is arranged for all is listed with each, as what it is; each has its own index or errors beside it."""
    query = (
        b"SELECT arrangement, count(*), count(DISTINCT dataflow_id) FROM mz_internal.mz_arrangement_sizes"
        b" GROUP BY 1 ORDER BY 1"
    )
    counts = {str(name): (objects, dataflows) for name, objects, dataflows in ours.execute(query).fetchall()}
    assert counts.pop("0.0") == (3, 1)
    assert len(counts) == 5 and set(counts.values()) == {(1, 1)}, counts


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_what_shares_a_dataflow_is_right_through_drops_replacements_and_kills(tmp_path: Path) -> None:
    log, times = _Log(tmp_path), dict[int, list[tuple[object, ...]]]()
    with _served(tmp_path) as servers:
        with servers[-1].connect() as ours:
            ours.execute(f"CREATE TABLE t (k int, x int) {_RETAIN}".encode())
            ours.execute("INSERT INTO t SELECT g % 5, g FROM generate_series(1, 100) g")
            ours.execute(f"CREATE MATERIALIZED VIEW m {_RETAIN} AS {_QUERY}".encode())
            for view, key in (("v", "k"), ("w", "n")):
                ours.execute(f"CREATE VIEW {view} AS {_QUERY}".encode())
                ours.execute(f"CREATE INDEX {view}_idx ON {view} ({key}) {_RETAIN}".encode())
            log.says("became one", 2)
            _shared(ours, "m", "v_idx", "w_idx")
            _counted_once(ours)
            lines = [str(line) for (line,) in ours.execute("EXPLAIN PHYSICAL PLAN FOR INDEX v_idx")]
            assert [line.split()[4] for line in lines[-2:]] == ["public.m", "public.w_idx"], lines
            for group in range(3):
                ours.execute(f"INSERT INTO t VALUES ({group}, 1)".encode())
                _right(ours, ("m", "v", "w"), times)
            _checkpointed(ours, 3)
            _kill_replica(tmp_path)
            ours.execute("INSERT INTO t VALUES (7, 7)")
            _right(ours, ("m", "v", "w"), times)
            log.says("exports=3")
        servers[-1].kill()
        servers.append(start_server(tmp_path))
        with servers[-1].connect() as ours:
            ours.execute("INSERT INTO t VALUES (8, 8)")
            _right(ours, ("m", "v", "w"), times)
            ours.execute(f"CREATE OR REPLACE MATERIALIZED VIEW m AS {_QUERY} HAVING count(*) > 20".encode())
            ours.execute("DROP INDEX w_idx")
            ours.execute("INSERT INTO t VALUES (1, 9)")
            _right(ours, ("v", "w"), times)
            _shared(ours)
            expected = ours.execute(f"{_QUERY} HAVING count(*) > 20 ORDER BY k".encode()).fetchall()
            assert ours.execute("SELECT * FROM m ORDER BY k").fetchall() == expected
            assert ours.execute("CHECK VIEW m").fetchall() == []
            _kill_replica(tmp_path)
            ours.execute("INSERT INTO t VALUES (1, 10)")
            _right(ours, ("v",), times)
            assert ours.execute("CHECK INDEX v_idx").fetchall() == []
