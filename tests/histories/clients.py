"""Clients of a running server that append to lists in transactions, and note what they were told.

Each works on a few keys at a time, of which new ones take the place of those that are full, so that lists stay short.
"""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Protocol

import psycopg

from tests.histories.list_append import Append, Done, Read

SETUP = ("CREATE TABLE lists (k int PRIMARY KEY, v text)",)
_KEYS, _APPENDS_MAX = 6, 60
_OPERATIONS = (1, 2, 2, 3, 4)
_WAITING, _WAIT_MAX_S = 0.05, 1.0
"""So often a transaction waits, for others to commit and for what they have written to be compacted."""
_REFUSED = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)


class Server(Protocol):
    def connect(self) -> psycopg.Connection[tuple[Any, ...]]: ...


@dataclass
class Lists:
    """The keys that are appended to, and the history: `goal` transactions that committed."""

    goal: int
    history: list[Done] = field(default_factory=list)
    committed: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _keys: list[int] = field(default_factory=lambda: list(range(_KEYS)))
    _appends: dict[int, int] = field(default_factory=dict)
    _value: int = 0

    @property
    def keys(self) -> range:
        """All that were ever appended to."""
        return range(max(self._keys) + 1)

    def work(self, server: Server, seed: int) -> None:
        """One client: transactions until there are enough, or it loses its server."""
        source = random.Random(seed)
        try:
            with server.connect() as connection:
                while self.committed < self.goal:
                    self._transact(connection, source)
        except psycopg.OperationalError:
            return

    def read_all(self, server: Server) -> None:
        """One transaction, which comes after all others."""
        with server.connect() as connection:
            asked = time.monotonic()
            rows = connection.execute("SELECT k, v FROM lists").fetchall()
        lists = {key: _values(values) for key, values in rows}
        assert len(lists) == len(rows), "two rows of one key"
        found = tuple(Read(key, lists.get(key, ())) for key in self.keys)
        self.history.append(Done(asked, time.monotonic(), True, found))

    def _transact(self, connection: psycopg.Connection[tuple[Any, ...]], source: random.Random) -> None:
        asked, done = time.monotonic(), list[Append | Read]()
        committed: bool | None = False
        try:
            if source.random() < 0.2:
                committed = None
                self._append_alone(connection, source, done)
            else:
                connection.execute("BEGIN")
                for _ in range(source.choice(_OPERATIONS)):
                    self._operate(connection, source, done)
                    if source.random() < _WAITING:
                        time.sleep(source.random() * _WAIT_MAX_S)
                committed = None
                connection.execute("COMMIT")
            committed = True
        except _REFUSED:
            committed = False
            connection.execute("ROLLBACK")
        finally:
            with self._lock:
                self.committed += committed is True
                self.history.append(Done(asked, time.monotonic(), committed, tuple(done)))

    def _append_alone(
        self, connection: psycopg.Connection[tuple[Any, ...]], source: random.Random, done: list[Append | Read]
    ) -> None:
        """One statement, which tells what it has made of the list."""
        key, value = self._fresh(source)
        done.append(Append(key, value))
        rows = connection.execute(f"{_append(key, value)} RETURNING v".encode()).fetchall()
        done.append(Read(key, _values(rows[0][0])))

    def _operate(
        self, connection: psycopg.Connection[tuple[Any, ...]], source: random.Random, done: list[Append | Read]
    ) -> None:
        if source.random() < 0.5:
            key, value = self._fresh(source)
            done.append(Append(key, value))
            connection.execute(_append(key, value).encode())
            return
        locks = " FOR UPDATE" if source.random() < 0.1 else ""
        keys = source.sample(self._keys, source.choice((1, 1, 2)))
        found = connection.execute(f"SELECT k, v FROM lists WHERE k = ANY (%s){locks}".encode(), (keys,)).fetchall()
        lists = {key: _values(values) for key, values in found}
        assert len(lists) == len(found), "two rows of one key"
        done += [Read(key, lists.get(key, ())) for key in keys]

    def _fresh(self, source: random.Random) -> tuple[int, int]:
        """A key, and a value that nobody else appends."""
        with self._lock:
            self._value += 1
            place = source.randrange(_KEYS)
            key = self._keys[place]
            self._appends[key] = self._appends.get(key, 0) + 1
            if self._appends[key] == _APPENDS_MAX:
                self._keys[place] = max(self._keys) + 1
            return key, self._value


def _append(key: int, value: int) -> str:
    return f"INSERT INTO lists VALUES ({key}, '{value}') ON CONFLICT (k) DO UPDATE SET v = lists.v || ' {value}'"


def _values(text: object) -> tuple[int, ...]:
    assert isinstance(text, str)
    return tuple(map(int, text.split()))
