"""A sequence, whose values clients take: none is given twice, and no acknowledged row that has one is lost."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from functools import partial

import psycopg

from tests.server.killing.lives.life import PAUSE_MAX_S, Clients, Connection, Life
from tests.server_process import ServerDatabase

_CLIENTS = 8


class Sequences(Life):
    """What clients were told, by whichever server."""

    name = "numbers"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told: list[int] = []
        self._inserted: list[int] = []
        self._clients = Clients()

    def set_up(self, connection: Connection) -> None:
        connection.execute("CREATE SEQUENCE ids; CREATE TABLE kept (id int DEFAULT nextval('ids'), client int)")

    def begin(self, database: ServerDatabase) -> None:
        self._clients.start([partial(self._work, database, number) for number in range(_CLIENTS)])

    @property
    def has_lived(self) -> bool:
        return bool(self._inserted)

    def end(self) -> None:
        self._clients.stop()

    def look(self, database: ServerDatabase) -> None:
        twice = [each for each, count in Counter(self._told).items() if count > 1]
        assert not twice, f"given twice, of {len(self._told)}: {twice[:10]}"
        with database.connect() as connection:
            kept = [row[0] for row in connection.execute("SELECT id FROM kept").fetchall()]
        assert len(set(kept)) == len(kept), "two rows have one id"
        assert set(self._inserted) <= set(kept), "an acknowledged row is lost"

    def _note(self, told: list[int], inserted: list[int]) -> None:
        with self._lock:
            self._told += told
            self._inserted += inserted

    def _work(self, database: ServerDatabase, number: int, stop: threading.Event) -> None:
        with contextlib.suppress(psycopg.OperationalError), database.connect() as connection:
            while not stop.is_set():
                (row,) = connection.execute("SELECT nextval('ids'), nextval('ids')").fetchall()
                self._note([each for each in row if isinstance(each, int)], [])
                sql = "INSERT INTO kept (client) VALUES (%s), (%s) RETURNING id"
                inserted = [each for (each,) in connection.execute(sql, (number, number)).fetchall()]
                self._note(inserted, inserted)
                with contextlib.suppress(psycopg.errors.DivisionByZero), connection.transaction():
                    (back,) = connection.execute("INSERT INTO kept (client) VALUES (0) RETURNING id").fetchall()
                    self._note([each for each in back if isinstance(each, int)], [])
                    connection.execute("SELECT 1/0")
                stop.wait(PAUSE_MAX_S / 2)
