"""Transfers between accounts that are read and changed by key, while the server may be killed at any moment.

Each transaction takes from one account, gives to another and adds a row that says so. Whatever happens:

    the sum of all balances is what it was at first, at every time
    each balance is what it was at first, and the transfers that are there
    every transfer that was acknowledged is there, and none twice
"""

from __future__ import annotations

import random
import threading
from typing import Any

import psycopg

from tests.server_process import ServerProcess

_ACCOUNTS, _FIRST = 50, 1_000
SETUP = (
    "CREATE TABLE accounts (id int PRIMARY KEY, balance int8) WITH (RETAIN HISTORY FOR '2 h')",
    "CREATE TABLE transfers (number int8, giver int, taker int, amount int) WITH (RETAIN HISTORY FOR '2 h')",
    f"INSERT INTO accounts SELECT n, {_FIRST} FROM generate_series(1, {_ACCOUNTS}) AS n",
)


class Bank:
    """What clients were told."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._attempted = 0
        self._acknowledged: set[int] = set()
        self._sampled: dict[int, Any] = {}

    @property
    def told(self) -> str:
        """How many transfers were acknowledged, and tried."""
        return f"{len(self._acknowledged)} transfers of {self._attempted}"

    def transfer(self, server: ServerProcess, stop: threading.Event, seed: int) -> None:
        """One client: transfers until it is told to stop, or loses its server."""
        source = random.Random(seed)
        try:
            with server.connect() as connection:
                while not stop.is_set():
                    with self._lock:
                        self._attempted = number = self._attempted + 1
                    giver, taker = source.sample(range(1, _ACCOUNTS + 1), 2)
                    amount = source.randint(1, 100)
                    change = "UPDATE accounts SET balance = balance + %s WHERE id = %s"
                    try:
                        with connection.transaction():
                            connection.execute(change, (-amount, giver))
                            connection.execute(change, (amount, taker))
                            told = (number, giver, taker, amount)
                            connection.execute("INSERT INTO transfers VALUES (%s, %s, %s, %s)", told)
                    except (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected):
                        continue
                    with self._lock:
                        self._acknowledged.add(number)
        except psycopg.OperationalError:
            return

    def look(self, connection: psycopg.Connection[Any]) -> None:
        """After a kill."""
        with connection.transaction():
            balances = dict(connection.execute("SELECT id, balance FROM accounts").fetchall())
            made = connection.execute("SELECT number, giver, taker, amount FROM transfers").fetchall()
            (now,) = connection.execute("SELECT mz_now()::text::int8").fetchone() or (None,)
        numbers = {number for number, *_ in made}
        assert len(numbers) == len(made), "a transfer is there twice"
        assert self._acknowledged <= numbers, f"lost: {sorted(self._acknowledged - numbers)[:10]}"
        expected = dict.fromkeys(range(1, _ACCOUNTS + 1), _FIRST)
        for _, giver, taker, amount in made:
            expected[giver] -= amount
            expected[taker] += amount
        assert balances == expected
        for id_ in random.Random(len(made)).sample(range(1, _ACCOUNTS + 1), 5):
            found = connection.execute("SELECT balance FROM accounts WHERE id = %s", (id_,)).fetchall()
            assert found == [(expected[id_],)], f"account {id_}, by its key"
        assert isinstance(now, int)
        self._sampled[now] = len(made)
        for time, count in self._sampled.items():
            then = connection.execute(f"SELECT sum(balance) FROM accounts AS OF {time}".encode()).fetchone()
            assert then == (_ACCOUNTS * _FIRST,)
            assert connection.execute(f"SELECT count(*) FROM transfers AS OF {time}".encode()).fetchone() == (count,)
