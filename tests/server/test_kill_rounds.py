"""kill -9 of server and replica at random moments under eight writing clients; then everything is looked at.

Each transaction writes the same rows, named by a number that is never used twice, into two tables. After each kill, of
the server, of its replica, or of both:

    what was acknowledged is there        what is there is there once
    both tables hold the same             every time that was sampled still reads as it did
    the materialized view and the index show what the tables hold, at each of these times

Others transfer money between accounts by key (`transfers_by_key`).

Others send numbers to a webhook source: those of a request that was answered are there, once, and those of any other
are there once, all of them, or not at all.

`--kill-rounds N` runs N rounds instead of CI's one, in which both are killed.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.polling import polls
from tests.server.killing.transfers_by_key import Bank
from tests.server_process import ServerProcess, start_server
from tests.webhooks import post, url_of

_CLIENTS = 8
_SENDERS = 2
_BANKERS = 3
_ROWS_MAX = 20
_VIEW = "m"
_SETUP = (
    "CREATE TABLE l (n int8, b text) WITH (RETAIN HISTORY FOR '2 h')",
    "CREATE TABLE r (n int8, b text) WITH (RETAIN HISTORY FOR '2 h')",
    (
        f"CREATE MATERIALIZED VIEW {_VIEW} WITH (RETAIN HISTORY FOR '2 h')"
        " AS SELECT count(*) AS c, count(DISTINCT n) AS d, sum(n) AS s FROM l"
    ),
    "CREATE INDEX ON r (n)",
    "CREATE SOURCE hooked FROM WEBHOOK BODY FORMAT JSON ARRAY",
)


@dataclass
class Ledger:
    """What clients were told. `samples` holds (count, sum) of all rows at a time."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    next_number: int = 0
    acknowledged: set[int] = field(default_factory=set)
    attempted: set[int] = field(default_factory=set)
    samples: dict[int, tuple[Any, ...]] = field(default_factory=dict)

    def take(self, count: int) -> list[int]:
        with self.lock:
            first, self.next_number = self.next_number, self.next_number + count
            numbers = list(range(first, first + count))
            self.attempted.update(numbers)
            return numbers

    def acknowledge(self, numbers: list[int]) -> None:
        with self.lock:
            self.acknowledged.update(numbers)


def _write(server: ServerProcess, ledger: Ledger, stop: threading.Event, seed: int) -> None:
    """One client: transactions until it is told to stop, or loses its server."""
    source = random.Random(seed)
    try:
        with server.connect() as connection:
            while not stop.is_set():
                numbers = ledger.take(source.randint(1, _ROWS_MAX))
                rows = ", ".join(f"({number}, 'row {number}')" for number in numbers)
                try:
                    with connection.transaction():
                        connection.execute(f"INSERT INTO l VALUES {rows}".encode())
                        connection.execute(f"INSERT INTO r VALUES {rows}".encode())
                except psycopg.errors.SerializationFailure:
                    continue
                ledger.acknowledge(numbers)
    except psycopg.OperationalError:
        return


def _send(url: str, ledger: Ledger, stop: threading.Event, seed: int) -> None:
    """One client over HTTP: requests until it is told to stop, or loses its server."""
    source = random.Random(seed)
    while not stop.is_set():
        numbers = ledger.take(source.randint(1, _ROWS_MAX))
        try:
            status, _ = post(url, json.dumps([[numbers[0], numbers[-1], number] for number in numbers]).encode())
        except (OSError, http.client.HTTPException):
            return
        if status == 200:
            ledger.acknowledge(numbers)


def _replica_pid(data_dir: Path) -> int | None:
    try:
        return int(json.loads((data_dir / "replica.json").read_text())["pid"])
    except (OSError, ValueError, KeyError):
        return None


def _kill(server: ServerProcess, data_dir: Path, which: str) -> None:
    """Kills the server, or its replica too."""
    replica = _replica_pid(data_dir)
    if which == "both" and replica is not None:
        os.kill(replica, signal.SIGKILL)
    server.kill()


def _sample(connection: psycopg.Connection[Any], table: str, time_: int | None = None) -> tuple[Any, ...]:
    clause = "" if time_ is None else f" AS OF {time_}"
    columns = "c, d, s" if table == _VIEW else "count(*), count(DISTINCT n), sum(n)"
    row = connection.execute(f"SELECT {columns} FROM {table}{clause}".encode()).fetchone()
    assert row is not None
    return tuple(row)


def _connect(server: ServerProcess) -> psycopg.Connection[Any]:
    return psycopg.connect(server.dsn(), autocommit=True)


def _look(server: ServerProcess, ledger: Ledger) -> None:
    with _connect(server) as connection:
        with connection.transaction():
            left = sorted(row[0] for row in connection.execute("SELECT n FROM l"))
            right = sorted(row[0] for row in connection.execute("SELECT n FROM r"))
            (now,) = connection.execute("SELECT mz_now()::text::int8").fetchone() or (None,)
            viewed = _sample(connection, _VIEW)
            some = right[:: len(right) // 9 + 1]
            looked_up = [connection.execute("SELECT n FROM r WHERE n = %s", (n,)).fetchall() for n in some]
        found = set(left)
        assert viewed == (len(left), len(left), sum(left) if left else None)
        assert looked_up == [[(n,)] for n in some]
        for check in (f"CHECK MATERIALIZED VIEW {_VIEW}", "CHECK INDEX r_n_idx"):
            assert connection.execute(check.encode()).fetchall() == [], check
        assert left == right, f"the tables differ in {sorted(found ^ set(right))[:10]}"
        assert len(found) == len(left), "rows are doubled"
        assert ledger.acknowledged <= found, f"lost: {sorted(ledger.acknowledged - found)[:10]}"
        assert found <= ledger.attempted, "rows that nobody wrote"
        assert isinstance(now, int)
        ledger.samples[now] = (len(left), len(left), sum(left) if left else None)
        for time_, seen in ledger.samples.items():
            for table in ("l", "r", _VIEW):
                assert _sample(connection, table, time_) == seen, f"{table} AS OF {time_} has changed"


def _look_at_requests(server: ServerProcess, ledger: Ledger) -> None:
    with _connect(server) as connection:
        rows = connection.execute("SELECT body->0, body->1, body->2 FROM hooked").fetchall()
    found = {number for _, _, number in rows}
    assert len(found) == len(rows), "rows of requests are doubled"
    assert ledger.acknowledged <= found, f"lost: {sorted(ledger.acknowledged - found)[:10]}"
    assert found <= ledger.attempted, "rows that nobody sent"
    for first, last in {(first, last) for first, last, _ in rows}:
        assert found.issuperset(range(first, last + 1)), "a part of a request is there"


def _sample_while_writing(server: ServerProcess, ledger: Ledger, patience_s: float) -> None:
    """Reads both tables at one time, again and again; what it saw must never change, and is asked for after all
    kills."""
    try:
        with _connect(server) as connection:
            for _ in polls(patience_s):
                with connection.transaction():
                    left, right, viewed = (_sample(connection, each) for each in ("l", "r", _VIEW))
                    (now,) = connection.execute("SELECT mz_now()::text::int8").fetchone() or (0,)
                assert left == right == viewed, f"the tables differ at {now}"
                ledger.samples[now] = left
    except psycopg.OperationalError:
        return


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.time_by("--kill-rounds", 90)
def test_no_kill_loses_doubles_or_changes_anything(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    rounds = int(request.config.getoption("--kill-rounds"))
    seed = int(os.environ.get("HEADWATER_KILL_SEED", "1"))
    print(f"HEADWATER_KILL_SEED={seed}")
    source = random.Random(seed)
    ledger, sent, bank = Ledger(), Ledger(), Bank()
    server = start_server(tmp_path)
    try:
        with server.connect() as connection:
            for statement in (*_SETUP, *bank.setup):
                connection.execute(statement.encode())
        for number in range(rounds):
            stop = threading.Event()
            clients = [
                threading.Thread(target=_write, args=(server, ledger, stop, source.randrange(2**32)))
                for _ in range(_CLIENTS)
            ]
            with server.connect() as connection:
                url = url_of(connection, "hooked")
            clients += [
                threading.Thread(target=_send, args=(url, sent, stop, source.randrange(2**32))) for _ in range(_SENDERS)
            ]
            clients += [
                threading.Thread(target=bank.transfer, args=(server, stop, source.randrange(2**32)))
                for _ in range(_BANKERS)
            ]
            for client in clients:
                client.start()
            patience = source.uniform(0.3, 4.0)
            _sample_while_writing(server, ledger, patience)
            which = source.choice(["both", "both", "server"]) if number else "both"
            _kill(server, tmp_path, which)
            stop.set()
            for client in clients:
                client.join(60)
                assert not client.is_alive(), "a client hangs"
            server = start_server(tmp_path)
            _look(server, ledger)
            _look_at_requests(server, sent)
            with _connect(server) as connection:
                bank.look(connection)
            print(
                f"round {number + 1}: killed {which} after {patience:.1f} s; {len(ledger.acknowledged)} rows "
                f"acknowledged of {len(ledger.attempted)}, {len(ledger.samples)} times held; "
                f"of requests {len(sent.acknowledged)} of {len(sent.attempted)}; {bank.told}",
                flush=True,
            )
    finally:
        server.stop()
