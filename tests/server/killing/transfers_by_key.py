"""Transfers between accounts that are read and changed by key, while the server may be killed at any moment.

Each transaction takes from one account, gives to another and adds a row that says so, by statements of its own or by a
single one. Whatever happens:

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

_FIRST = 1_000
_ALONE = """
    WITH changed AS (
        UPDATE accounts SET balance = balance + CASE id WHEN %(taker)s THEN %(amount)s ELSE -%(amount)s END
        WHERE id IN (%(giver)s, %(taker)s)
    )
    INSERT INTO transfers VALUES (%(number)s, %(giver)s, %(taker)s, %(amount)s)
"""


class Bank:
    """What clients were told. The fewer accounts, the more often two want the same."""

    def __init__(self, accounts: int = 50) -> None:
        self._ids = range(1, accounts + 1)
        self._lock = threading.Lock()
        self._attempted = 0
        self._acknowledged: set[int] = set()
        self._sampled: dict[int, Any] = {}

    @property
    def setup(self) -> tuple[str, ...]:
        """Statements that make it."""
        columns = "number int8, giver int, taker int, amount int"
        return (
            "CREATE TABLE accounts (id int PRIMARY KEY, balance int8) WITH (RETAIN HISTORY FOR '2 h')",
            f"CREATE TABLE transfers ({columns}) WITH (RETAIN HISTORY FOR '2 h')",
            f"INSERT INTO accounts SELECT n, {_FIRST} FROM generate_series(1, {len(self._ids)}) AS n",
        )

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
                    self._transfer(connection, source)
        except psycopg.OperationalError:
            return

    def _transfer(self, connection: psycopg.Connection[tuple[object, ...]], source: random.Random) -> None:
        with self._lock:
            self._attempted = number = self._attempted + 1
        giver, taker = source.sample(self._ids, 2)
        told = {"number": number, "giver": giver, "taker": taker, "amount": source.randint(1, 100)}
        try:
            if source.random() < 0.3:
                connection.execute(_ALONE, told)
            else:
                change = "UPDATE accounts SET balance = balance + %s WHERE id = %s"
                with connection.transaction():
                    connection.execute(change, (-told["amount"], giver))
                    connection.execute(change, (told["amount"], taker))
                    connection.execute("INSERT INTO transfers VALUES (%s, %s, %s, %s)", tuple(told.values()))
        except (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected):
            return
        except psycopg.OperationalError:
            if connection.closed:
                raise
            # What served the statement has died; others will.
            return
        with self._lock:
            self._acknowledged.add(number)

    @property
    def total(self) -> int:
        """The sum of all balances, at every time."""
        return len(self._ids) * _FIRST

    def look(self, connection: psycopg.Connection[Any]) -> None:
        """After a kill; transfers may go on."""
        with self._lock:
            acknowledged = set(self._acknowledged)
        some = random.Random(len(acknowledged)).sample(self._ids, 5)
        with connection.transaction():
            balances = connection.execute("SELECT id, balance FROM accounts").fetchall()
            made = connection.execute("SELECT number, giver, taker, amount FROM transfers").fetchall()
            by_key = "SELECT id, balance FROM accounts WHERE id = %s"
            looked_up = [row for id_ in some for row in connection.execute(by_key, (id_,))]
            (now,) = connection.execute("SELECT mz_now()::text::int8").fetchone() or (None,)
        numbers = {number for number, *_ in made}
        assert len(numbers) == len(made), "a transfer is there twice"
        assert acknowledged <= numbers, f"lost: {sorted(acknowledged - numbers)[:10]}"
        expected = dict.fromkeys(self._ids, _FIRST)
        for _, giver, taker, amount in made:
            expected[giver] -= amount
            expected[taker] += amount
        assert sorted(balances) == sorted(expected.items())
        assert looked_up == [(id_, expected[id_]) for id_ in some], "by their keys"
        assert isinstance(now, int)
        self._sampled[now] = len(made)
        for time, count in self._sampled.items():
            then = connection.execute(f"SELECT sum(balance) FROM accounts AS OF {time}".encode()).fetchone()
            assert then == (self.total,)
            assert connection.execute(f"SELECT count(*) FROM transfers AS OF {time}".encode()).fetchone() == (count,)
