"""kill -9 of one process after the other under transfers by key that go on all the while.

Clients transfer money between a few accounts (`transfers_by_key`), in transactions and by single statements, and have
numbers counted by workers. Every few seconds the replica, its JVM, the workers, their nursery or the server is killed;
then sums, keys and the view over the accounts are looked at. Most of what is killed is not the server: so
clients, and what the server holds of the past, live through many kills, as they do on a server that runs for days.

`--kill-rounds N` kills N times instead of once, of replica and nursery.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.server.killing.transfers_by_key import Bank
from tests.server_process import ServerProcess, start_server

_CLIENTS, _ACCOUNTS = 5, 12
_VICTIMS = ("replica and nursery", "nursery", "replica", "workers", "jvm", "server")
Work = Callable[[ServerProcess, threading.Event, int], None]
_VIEW = (
    "CREATE MATERIALIZED VIEW held AS SELECT count(*) AS n, count(DISTINCT id) AS d, sum(balance) AS s FROM accounts"
)


def _children(pid: int | None, word: str) -> list[psutil.Process]:
    """The processes below that have the word in their command."""
    with contextlib.suppress(psutil.Error):
        below = psutil.Process(pid).children(recursive=True)
        return [each for each in below if any(word in part for part in each.cmdline())]
    return []


def _victims(which: str, server: ServerProcess, data_dir: Path) -> list[psutil.Process]:
    """The processes that are to be killed; none, where they have gone by themselves."""
    nurseries = _children(server.process.pid, "server.evaluation.nursery")
    # Workers are forks of it, with its command.
    workers = [each for each in nurseries if any(each.ppid() == other.pid for other in nurseries)]
    found: list[psutil.Process] = []
    if "workers" in which:
        found += workers
    if "nursery" in which:
        found += [each for each in nurseries if each not in workers]
    with contextlib.suppress(psutil.Error, OSError, ValueError):
        replica = psutil.Process(int(json.loads((data_dir / "replica.json").read_text())["pid"]))
        if "replica" in which:
            found.append(replica)
        if "jvm" in which:
            found += _children(replica.pid, "java")
    return found


def _count(server: ServerProcess, stop: threading.Event, seed: int) -> None:
    """One client, whose statements are evaluated by workers."""
    source = random.Random(seed)
    try:
        with server.connect() as connection:
            while not stop.is_set():
                upto = source.randint(20_000, 100_000)
                try:
                    found = connection.execute(f"SELECT count(*) FROM generate_series(1, {upto})".encode()).fetchone()
                except psycopg.OperationalError:
                    if connection.closed:
                        raise
                else:
                    assert found == (upto,)
                stop.wait(0.1)
    except psycopg.OperationalError:
        return


@contextlib.contextmanager
def _working(server: ServerProcess, bank: Bank, source: random.Random) -> Iterator[None]:
    """Clients work as long as the block lasts, or their server."""
    stop, failures = threading.Event(), list[BaseException]()

    def run(work: Work, seed: int) -> None:
        try:
            work(server, stop, seed)
        except BaseException as failure:  # noqa: BLE001  told where the test ends
            failures.append(failure)

    works: list[Work] = [*[bank.transfer] * _CLIENTS, _count]
    clients = [threading.Thread(target=run, args=(work, source.randrange(2**32))) for work in works]
    for client in clients:
        client.start()
    try:
        yield
    finally:
        stop.set()
        for client in clients:
            client.join(120)
    assert not any(client.is_alive() for client in clients), "a client hangs"
    assert not failures


def _look(server: ServerProcess, bank: Bank) -> None:
    with server.connect() as connection:
        bank.look(connection)
        assert connection.execute("SELECT n, d, s FROM held").fetchall() == [(_ACCOUNTS, _ACCOUNTS, bank.total)]
        assert connection.execute("CHECK MATERIALIZED VIEW held").fetchall() == []


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.time_by("--kill-rounds", 90)
def test_no_kill_among_transfers_by_key_loses_one(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    rounds = int(request.config.getoption("--kill-rounds"))
    seed = int(os.environ.get("HEADWATER_KILL_SEED", "1"))
    print(f"HEADWATER_KILL_SEED={seed}")
    source, bank = random.Random(seed), Bank(_ACCOUNTS)
    victims = iter([_VICTIMS[number % len(_VICTIMS)] for number in range(rounds)])
    server = start_server(tmp_path)
    try:
        with server.connect() as connection:
            for statement in (*bank.setup, _VIEW):
                connection.execute(statement.encode())
        lives = True
        while lives:
            lives = False
            with _working(server, bank, source):
                for which in victims:
                    time.sleep(source.uniform(1, 8))
                    if which == "server":
                        lives = True
                        server.kill()
                        break
                    killed = _victims(which, server, tmp_path)
                    for each in killed:
                        with contextlib.suppress(psutil.Error):
                            each.kill()
                    _look(server, bank)
                    print(f"killed {len(killed)} of {which}; {bank.told}", flush=True)
            if lives:
                server = start_server(tmp_path)
                _look(server, bank)
                print(f"killed the server; {bank.told}", flush=True)
    finally:
        server.stop()
