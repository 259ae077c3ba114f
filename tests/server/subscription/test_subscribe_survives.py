"""A consumer of a real server that is killed with -9: it comes back AS OF its read hold, without a gap or a repeat."""

from __future__ import annotations

import random
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.server_process import ServerProcess, start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(300)]

_LIVES, _LIVES_WHOLE = 1, 2


class Consumer:
    """Accumulates what it sees of `what`, up to where it was told that all has come, and advances its hold."""

    def __init__(self, what: str, hold: str) -> None:
        self.what = what
        self.hold = hold
        self.total: Counter[tuple[Any, ...]] = Counter()
        self.complete = 0

    def run(self, server: ServerProcess, ended: threading.Event) -> None:
        """Until the server is gone."""
        try:
            with server.connect() as connection, server.connect() as holding:
                self._consume(connection, holding, ended)
        except psycopg.OperationalError:
            assert ended.is_set(), "the server went away before it was killed"

    def _consume(self, connection: Any, holding: Any, ended: threading.Event) -> None:
        query = "SELECT frontier::text FROM mz_catalog.mz_read_holds WHERE name = %s"
        ((at,),) = holding.execute(query, [self.hold]).fetchall()
        options = f"PROGRESS, SNAPSHOT = {self.complete == 0}"
        waiting: list[tuple[Any, ...]] = []
        sql = f"SUBSCRIBE {self.what} WITH ({options}) AS OF {at}"
        for time, progressed, diff, *row in connection.cursor().stream(sql):
            if not progressed:
                waiting.append((int(time), diff, tuple(row)))
                continue
            # The first statement of progress is only where it begins.
            if int(time) <= max(self.complete, int(at)):
                continue
            # What was acknowledged last, but not to the server, comes again: it is known by its time.
            for changed, change, values in waiting:
                if changed >= self.complete:
                    self.total[values] += change
            waiting.clear()
            self.complete = int(time)
            if not ended.is_set():
                holding.execute(f"ALTER READ HOLD {self.hold} ADVANCE TO {self.complete - 1}")

    def contents(self) -> Counter[tuple[Any, ...]]:
        return Counter({row: count for row, count in self.total.items() if count})


def _write(server: ServerProcess, source: random.Random, count: int) -> None:
    with server.connect() as connection:
        for _ in range(count):
            a = source.randrange(20)
            sql = source.choice(
                [
                    f"INSERT INTO t VALUES ({a}, {a}), ({a}, 1)",
                    f"DELETE FROM t WHERE a = {a}",
                    f"UPDATE t SET b = b + 1 WHERE a = {a}",
                ]
            )
            connection.execute(sql)


def test_consumers_outlive_the_server(tmp_path: Path, whole: bool) -> None:
    lives = _LIVES_WHOLE if whole else _LIVES
    source = random.Random(4)
    consumers = [Consumer("t", "on_t"), Consumer("v", "on_v")]
    server = start_server(tmp_path, "--retain-history-ms", "0")
    try:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t (a int, b int)")
            connection.execute("CREATE VIEW v AS SELECT a, count(*), sum(b) FROM t GROUP BY a")
            connection.execute("INSERT INTO t SELECT n, n FROM generate_series(1, 20) n")
            connection.execute("CREATE READ HOLD on_t ON t")
            connection.execute("CREATE READ HOLD on_v ON v WITH LEASE '1 h'")
        for life in range(lives):
            ended = threading.Event()
            threads = [threading.Thread(target=consumer.run, args=(server, ended)) for consumer in consumers]
            for thread in threads:
                thread.start()
            _write(server, source, 30)
            _until_seen(server, consumers)
            _write(server, source, 10)
            ended.set()
            server.kill()
            for thread in threads:
                thread.join(30)
                assert not thread.is_alive()
            if life < lives - 1:
                server = start_server(tmp_path, "--retain-history-ms", "0")
        server = start_server(tmp_path, "--retain-history-ms", "0")
        with server.connect() as connection:
            for consumer in consumers:
                rows = connection.execute(f"SELECT * FROM {consumer.what} AS OF {consumer.complete - 1}").fetchall()
                assert consumer.contents() == Counter(rows), consumer.what
    finally:
        server.stop()


def _until_seen(server: ServerProcess, consumers: list[Consumer]) -> None:
    """Until they have all that is written now."""
    with server.connect() as connection:
        ((now,),) = connection.execute("SELECT mz_now()::text").fetchall()
        pause = threading.Event()
        for _ in range(1200):
            if all(consumer.complete > int(str(now)) for consumer in consumers):
                return
            pause.wait(0.1)
    raise AssertionError("the consumers did not come so far")
