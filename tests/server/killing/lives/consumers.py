"""Consumers that come back AS OF their read holds once the server was killed, without a gap or a repeat."""

from __future__ import annotations

import random
import threading
from collections import Counter
from functools import partial
from typing import Any

import psycopg

from tests.polling import polls
from tests.server.killing.lives.life import Clients, Connection, Life
from tests.server_process import ServerDatabase

_PATIENCE_S = 120.0


class _Consumer:
    """Accumulates what it sees of `what`, up to where it was told that all has come, and advances its hold."""

    def __init__(self, what: str, hold: str) -> None:
        self.what = what
        self.hold = hold
        self.total: Counter[tuple[Any, ...]] = Counter()
        self.complete = 0

    def run(self, database: ServerDatabase, ended: threading.Event, stop: threading.Event) -> None:
        """Goes on until the server is gone, or it is told to stop."""
        try:
            with database.connect() as connection, database.connect() as holding:
                self._consume(connection, holding, ended, stop)
        except psycopg.OperationalError:
            assert ended.is_set(), "the server went away before it was killed"

    def _consume(
        self, connection: Connection, holding: Connection, ended: threading.Event, stop: threading.Event
    ) -> None:
        query = "SELECT frontier::text FROM mz_catalog.mz_read_holds WHERE name = %s"
        ((at,),) = holding.execute(query, [self.hold]).fetchall()
        options = f"PROGRESS, SNAPSHOT = {self.complete == 0}"
        waiting: list[tuple[Any, ...]] = []
        sql = f"SUBSCRIBE {self.what} WITH ({options}) AS OF {at}".encode()
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
                holding.execute(f"ALTER READ HOLD {self.hold} ADVANCE TO {self.complete - 1}".encode())
            if stop.is_set():
                return

    def contents(self) -> Counter[tuple[Any, ...]]:
        return Counter({row: count for row, count in self.total.items() if count})


class Consumers(Life):
    """Who subscribes to a table and to a view of it; the table is written with each look."""

    name = "consumers"

    def __init__(self) -> None:
        self._consumers = [_Consumer("t", "on_t"), _Consumer("v", "on_v")]
        self._chance = random.Random(4)
        self._ended = threading.Event()
        self._clients = Clients()

    def set_up(self, connection: Connection) -> None:
        connection.execute("CREATE TABLE t (a int, b int)")
        connection.execute("CREATE VIEW v AS SELECT a, count(*), sum(b) FROM t GROUP BY a")
        connection.execute("INSERT INTO t SELECT n, n FROM generate_series(1, 20) n")
        connection.execute("CREATE READ HOLD on_t ON t")
        connection.execute("CREATE READ HOLD on_v ON v WITH LEASE '1 h'")

    def begin(self, database: ServerDatabase) -> None:
        self._ended = threading.Event()
        self._clients.start([partial(self._run, consumer, database) for consumer in self._consumers])
        with database.connect() as connection:
            self._write(connection, 10)
            ((now,),) = connection.execute("SELECT mz_now()::text::int8").fetchall()
        for _ in polls(_PATIENCE_S):
            if all(consumer.complete > now for consumer in self._consumers):
                return
        raise AssertionError("the consumers did not come so far")

    def watch(self, connection: Connection) -> None:
        self._write(connection, 5)

    def doomed(self) -> None:
        self._ended.set()

    def end(self) -> None:
        self._clients.stop()

    def look(self, database: ServerDatabase) -> None:
        with database.connect() as connection:
            for consumer in self._consumers:
                sql = f"SELECT * FROM {consumer.what} AS OF {consumer.complete - 1}"
                assert consumer.contents() == Counter(connection.execute(sql.encode()).fetchall()), consumer.what

    def _run(self, consumer: _Consumer, database: ServerDatabase, stop: threading.Event) -> None:
        consumer.run(database, self._ended, stop)

    def _write(self, connection: Connection, count: int) -> None:
        for _ in range(count):
            a = self._chance.randrange(20)
            sql = self._chance.choice(
                [
                    f"INSERT INTO t VALUES ({a}, {a}), ({a}, 1)",
                    f"DELETE FROM t WHERE a = {a}",
                    f"UPDATE t SET b = b + 1 WHERE a = {a}",
                ]
            )
            connection.execute(sql.encode())
