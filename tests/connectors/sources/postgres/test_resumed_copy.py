"""The initial copy, by several connections and after kills: what was whole is not copied again, and the first range is
of the same transactions whenever its tables were copied."""

from __future__ import annotations

import json
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from connectors.postgres.source import copy_attempt, initial_copy
from connectors.postgres.source import reader as reader_module
from connectors.postgres.source.copies import Copies
from connectors.postgres.source.session import ReplicationSession
from connectors.postgres.source.walsender import Keepalive, PluginMessage
from connectors.sources.description import PostgresTables
from connectors.unreachable import Unreachable
from tests.connectors.sources.postgres.upstream import Follower, UpstreamDatabase, bag, upstream_database
from tests.judge import Judge

pytestmark = pytest.mark.slow

_TABLES, _ROWS = 6, 20_000
_CHILD = """
import pickle, sys, threading
from pathlib import Path
from model.time.clock import SystemClock
from connectors.postgres.source.reader import PostgresReader
place, copies = pickle.load(sys.stdin.buffer)
reader = PostgresReader(place, dict(place.settings), SystemClock(), lambda: None, Path(copies))
reader.begin({})
threading.Event().wait()
"""


@pytest.fixture
def upstream(judge: Judge) -> Iterator[UpstreamDatabase]:
    with upstream_database(judge, "copied") as database:
        for number in range(_TABLES):
            database.run(
                f"CREATE TABLE t{number} (id int PRIMARY KEY, v int, filler text)",
                f"ALTER TABLE t{number} REPLICA IDENTITY FULL",
                f"INSERT INTO t{number} SELECT i, 100, repeat('x', 50) FROM generate_series(1, {_ROWS}) i",
            )
        database.run("CREATE PUBLICATION p FOR ALL TABLES")
        yield database


@contextmanager
def _transfers(upstream: UpstreamDatabase) -> Iterator[None]:
    """Between two tables each, in one transaction; and rows that come and go."""
    ended = threading.Event()
    source = random.Random(11)

    def work() -> None:
        with upstream.judge.connect(upstream.name) as connection:
            number = 0
            while not ended.is_set():
                number += 1
                one, two = source.sample(range(_TABLES), 2)
                row, amount = source.randint(1, _ROWS), source.randint(1, 50)
                with connection.transaction():
                    connection.execute(f"UPDATE t{one} SET v = v - {amount} WHERE id = {row}".encode())
                    connection.execute(f"UPDATE t{two} SET v = v + {amount} WHERE id = {row}".encode())
                    if number % 10 == 0:
                        connection.execute(f"INSERT INTO t{one} VALUES ({2 * _ROWS + number}, 0, 'new')".encode())
                        connection.execute(f"DELETE FROM t{one} WHERE id = {2 * _ROWS + number - 10}".encode())

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _killed(place: PostgresTables, copies: Path, kept: int) -> frozenset[str]:
    """A process that copies, killed once so many tables are whole; which are."""
    child = subprocess.Popen([sys.executable, "-c", _CHILD], stdin=subprocess.PIPE)
    assert child.stdin is not None
    child.stdin.write(pickle.dumps((place, str(copies))))
    child.stdin.close()
    while len(_kept(place, copies)) < kept:
        assert child.poll() is None, "it has ended by itself"
        time.sleep(0.001)
    child.send_signal(signal.SIGKILL)
    child.wait()
    return _kept(place, copies)


def _kept(place: PostgresTables, copies: Path) -> frozenset[str]:
    manifest = copies / place.slot / "manifest.json"
    return frozenset(json.loads(manifest.read_text())["tables"]) if manifest.exists() else frozenset()


class _Counting(initial_copy.CopiedTables):
    """Says how many rows are copied."""

    rows = 0

    def __init__(
        self, connecting: Any, snapshot: str, copies: Copies, point: int, copied: Callable[[int], None]
    ) -> None:
        def counted(rows: int) -> None:
            _Counting.rows += rows
            copied(rows)

        super().__init__(connecting, snapshot, copies, point, counted)


def _all_whole(follower: Follower) -> bool:
    return all(follower.contents.values())


def _total(follower: Follower) -> int:
    return sum(row[1] * count for rows in follower.contents.values() for row, count in rows.items())


def _require_equal(follower: Follower, upstream: UpstreamDatabase) -> None:
    follower.reach(upstream.wal_end())
    for number in range(_TABLES):
        assert follower.contents[f"public.t{number}"] == bag(upstream.rows(f"SELECT * FROM t{number}")), number


def test_tables_that_were_whole_are_not_copied_again(
    upstream: UpstreamDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(initial_copy, "PIECE_PAGES", 40)
    monkeypatch.setattr(copy_attempt, "CopiedTables", _Counting)
    with Follower(upstream.place(), begun=False) as follower, _transfers(upstream):
        place, copies = follower.place, follower.copies
        kept = _killed(place, copies, 1)
        kept_then = _killed(place, copies, len(kept) + 1)
        assert kept < kept_then, "what was whole stays so"
        _Counting.rows = 0
        follower.again()
        follower.follow(lambda: _all_whole(follower))
        left = _TABLES - len(kept_then)
        assert abs(_Counting.rows - left * _ROWS) < _ROWS / 2, (_Counting.rows, kept_then)
        for _ in range(20):
            if follower.take() is not None:
                assert _total(follower) == 100 * _ROWS * _TABLES, "a transaction is torn"
            time.sleep(0.02)


def test_the_first_range_is_of_the_same_transactions(
    upstream: UpstreamDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(initial_copy, "PIECE_PAGES", 7)
    with Follower(upstream.place(), begun=False) as follower:
        with _transfers(upstream):
            _killed(follower.place, follower.copies, 2)
            _killed(follower.place, follower.copies, 4)
            follower.again()
            follower.follow(lambda: any(follower.contents.values()))
            assert _all_whole(follower) and _total(follower) == 100 * _ROWS * _TABLES
        _require_equal(follower, upstream)
        upstream.run("UPDATE t1 SET v = 7 WHERE id = 1")
        _require_equal(follower, upstream)
        follower.durable()
        for _ in range(600):
            if not (follower.copies / follower.place.slot).exists():
                break
            time.sleep(0.05)
        else:
            raise AssertionError("what is bound stays on disk")
        slots = upstream.rows("SELECT slot_name FROM pg_replication_slots WHERE database = current_database()")
        assert slots == [(follower.place.slot,)], "the temporary slot is gone"


def test_files_stay_until_what_is_in_them_is_bound(upstream: UpstreamDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = threading.Event()

    class Lossy(ReplicationSession):
        def frames(self, wait_s: float) -> Iterator[PluginMessage | Keepalive]:
            if not lost.is_set():
                lost.set()
                raise Unreachable("the connection is gone")
            return super().frames(wait_s)

    monkeypatch.setattr(reader_module, "ReplicationSession", Lossy)
    with Follower(upstream.place()) as follower:
        assert lost.wait(60)
        upstream.run("INSERT INTO t1 VALUES (-1, 0, 'behind')")
        while follower.reader.status().trouble is not None:
            time.sleep(0.01)
        time.sleep(1)
        follower.follow(lambda: _all_whole(follower))
        _require_equal(follower, upstream)


@pytest.mark.in_part(6)
@pytest.mark.parametrize("lost", ["slot", "moved", "manifest", "emptied", "altered", "column"])
def test_what_no_longer_counts_is_copied_again(upstream: UpstreamDatabase, lost: str) -> None:
    with Follower(upstream.place(), begun=False) as follower:
        kept = min(_killed(follower.place, follower.copies, 3))
        slot, directory = follower.place.slot, follower.copies / follower.place.slot
        upstream.run(f"UPDATE {kept} SET v = v + 1 WHERE id < 10")
        match lost:
            case "slot":
                upstream.run(f"SELECT pg_drop_replication_slot('{slot}')")
            case "moved":
                upstream.run(f"SELECT pg_replication_slot_advance('{slot}', pg_current_wal_lsn())")
            case "manifest":
                (directory / "manifest.json").write_text("{")
            case "emptied":
                upstream.run(f"TRUNCATE {kept}", f"INSERT INTO {kept} VALUES (1, 2, 'all')")
            case "altered":
                upstream.run(f"ALTER TABLE {kept} ADD COLUMN more int DEFAULT 1")
            case _:
                upstream.run(f"ALTER TABLE {kept} DROP COLUMN filler")
        follower.again()
        if lost == "column":
            assert "is gone" in follower.stop_of(kept).message
            assert not follower.contents[kept]
            return
        follower.follow(lambda: _all_whole(follower))
        follower.reach(upstream.wal_end())
        wanted = bag(upstream.rows(f"SELECT id, v, filler FROM {kept}"))
        assert follower.contents[kept] == wanted


def test_large_tables_are_read_in_ranges_of_one_snapshot(
    upstream: UpstreamDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(initial_copy, "PIECE_PAGES", 1)
    upstream.run("DELETE FROM t1 WHERE id % 3 = 0", "UPDATE t1 SET v = 5 WHERE id % 5 = 0", "TRUNCATE t2")
    upstream.run("ALTER TABLE t3 ALTER filler SET STORAGE EXTERNAL")
    upstream.run("UPDATE t3 SET filler = repeat('y', 5000000) WHERE id = 7")
    with Follower(upstream.place()) as follower, _transfers(upstream):
        follower.follow(lambda: bool(follower.contents["public.t1"]))
    with Follower(follower.place) as follower:
        follower.follow(lambda: bool(follower.contents["public.t1"]))
        _require_equal(follower, upstream)
