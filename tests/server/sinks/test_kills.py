"""kill -9 of server, replica, a driver and a destination while accounts transfer to each other: whoever looks into a
destination finds all of the money there, and in the end every destination holds what the server holds, each change
once; a webhook has been told the last word on each account.

Each transfer also makes two events, which say what is true of their account by then. Their log, and their sums, tell by
themselves whether they have counted something twice (`tests/compute/sinks/faults/accounts.py`).

`--kill-rounds N` runs N rounds instead of one, in which both are killed. Of the topic only the last message of each key
is judged: the broker of these tests shows what was undone, too, which is written again.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pymysql
import pytest
from deltalake import DeltaTable
from deltalake.exceptions import TableNotFoundError

from connectors.aws.clients import aws_client
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4
from tests.compute.sinks.faults.accounts import LEDGER, Event, Mode, held, violation
from tests.connectors.sinks.destinations import PROGRAM, iceberg_rows
from tests.connectors.sinks.receiver import Receiver, receiving
from tests.data_servers import MariaDb, RedisServer
from tests.judge import Judge
from tests.kafka_broker import KafkaBroker, run_broker
from tests.polling import polls
from tests.server.sinks.test_topics import Topic
from tests.server_process import ServerProcess, start_server

_ACCOUNTS, _EACH = 50, 100
_WHOLE = _ACCOUNTS * _EACH, _ACCOUNTS
_TRANSFERS_EACH = 20
"""A round has so many at least: a server that comes back has to read what it kept first."""
_PATIENCE_S = 120.0
_EVENTS_MAX = 1_000_000
"""Of an account."""
_DIVIDED = "KEY (account) WITH (MAX AGE '20 ms', REDUCE (amount SUM, n SUM), PARALLELISM 2)"
_SUMMED = "KEY (account) WITH (MAX AGE '20 ms', REDUCE (amount SUM, n SUM))"
broker = pytest.fixture(scope="module")(run_broker)
_RECEIVED = "POSTGRES CONNECTION pg (TABLE received) KEY (taker)"
_ROOT = "DATABASE 'headwater', USER 'root'"
_LOGIN = "DATABASE 'headwater', USER 'headwater'"
_KEYS = "ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET s"


class _Transfers(threading.Thread):
    """Moves money until it is told to stop, by connections that may end at any moment."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.server: ServerProcess | None = None
        self.ended = threading.Event()
        self.done = 0
        self._chance = random.Random(seed)

    def run(self) -> None:
        while not self.ended.is_set():
            server = self.server
            try:
                assert server is not None
                with psycopg.connect(server.dsn(), autocommit=True, connect_timeout=5) as connection:
                    while not self.ended.is_set():
                        self._transfer(connection)
            except psycopg.Error:
                time.sleep(0.1)

    def _transfer(self, connection: psycopg.Connection[Any]) -> None:
        giver, taker = self._chance.sample(range(_ACCOUNTS), 2)
        amount = self._chance.randrange(1, 20)
        with connection.transaction():
            for account, change in ((giver, -amount), (taker, amount)):
                changed = f"amount = amount + {change}, events = events + 1 WHERE id = {account}"
                told = connection.execute(f"UPDATE accounts SET {changed} RETURNING events, amount".encode())
                ((seq, balance),) = told.fetchall()
                event = Event(account * _EVENTS_MAX + seq, account, change, 1, seq, balance - _EACH)
                connection.execute(f"INSERT INTO events VALUES {tuple(event)}".encode())
            connection.execute(f"INSERT INTO transfers VALUES ({giver}, {taker}, {amount})".encode())
        self.done += 1


def _query(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(path, timeout=30) as connection:
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.OperationalError:
            return []


def _filed(directory: Path) -> Counter[tuple[Any, ...]]:
    """What the changes come to that are in files; no row is there less often than never."""
    held: Counter[tuple[Any, ...]] = Counter()
    for file in sorted(directory.glob("v1/[0-9]*.json")):
        for line in file.read_text().splitlines():
            change = json.loads(line)
            held[change["giver"], change["taker"], change["amount"]] += change["mz_diff"]
    assert all(count >= 0 for count in held.values())
    return +held


def _logged(directory: Path) -> Counter[tuple[Any, ...]]:
    """The events of files, none of which has come while they were listed."""
    files, again = [Path("a")], [Path("b")]
    while files != again:
        files, again = (sorted(directory.glob("v1/[0-9]*.json")) for _ in range(2))
    held: Counter[tuple[Any, ...]] = Counter()
    for file in files:
        for line in file.read_text().splitlines():
            change = json.loads(line)
            held[tuple(change[name] for name in LEDGER.names)] += change["mz_diff"]
    return +held


def _require_true(rows: list[tuple[Any, ...]] | Counter[tuple[Any, ...]], mode: Mode) -> None:
    """What a log of events, or their sums, say is what is true."""
    why = violation(Counter(rows), mode)
    assert why is None, why


def _added(rows: Counter[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """What a log of events comes to: account, amount, events."""
    sums = held(Counter({(row[1], *row[1:]): count for row, count in rows.items()}), Mode.SUMS)
    return sorted((event[1], event[2], event[3]) for event in sums)


def _programs(server: ServerProcess, data_dir: Path) -> list[psutil.Process]:
    """Drivers that are programs."""
    description = data_dir / "replica.json"
    with suppress(psutil.Error, OSError, ValueError):
        replica = psutil.Process(int(json.loads(description.read_text())["pid"]))
        return [each for each in replica.children(recursive=True) if str(PROGRAM) in each.cmdline()]
    return []


def _kill(server: ServerProcess, data_dir: Path, which: str) -> None:
    description = data_dir / "replica.json"
    if which != "server" and description.exists():
        os.kill(int(json.loads(description.read_text())["pid"]), signal.SIGKILL)
    if which != "replica":
        server.kill()


def _looked_at(there: psycopg.Connection[Any], chance: random.Random) -> bool:
    """All the money is in PostgreSQL's table, if that is there; a session that writes it may end at any moment."""
    if there.execute(b"SELECT to_regclass('amounts'), to_regclass('received')").fetchall()[0].count(None):
        return False
    ((total, count),) = there.execute(b"SELECT sum(amount), count(*) FROM amounts").fetchall()
    assert (total, count) in (_WHOLE, (None, 0)), "a part of a transaction shows"
    if chance.random() < 0.05:
        there.execute(b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'headwater'")
    return bool(count)


def _stored(server: MariaDb) -> list[tuple[Any, ...]]:
    """What a table of MariaDB has; nothing before there is one."""
    try:
        return server.query("SELECT id, amount FROM amounts ORDER BY id")
    except pymysql.err.ProgrammingError:
        return []


def _summed(server: MariaDb, columns: str = ", ".join(LEDGER.names)) -> list[tuple[Any, ...]]:
    """The sums that MariaDB has; nothing before there are any."""
    try:
        return server.query(f"SELECT {columns} FROM sums ORDER BY account")
    except pymysql.err.ProgrammingError:
        return []


def _programmed(places: _Destinations) -> list[tuple[Any, ...]]:
    """What a program keeps as JSON."""
    rows = _query(places.directory / "program.db", "SELECT doc FROM documents")
    documents = (json.loads(doc) for (doc,) in rows)
    return sorted((document["id"], document["amount"]) for document in documents)


def _lake(path: Path) -> list[tuple[Any, ...]]:
    """What a table of Delta Lake has; nothing before there is one."""
    try:
        rows = DeltaTable(str(path)).to_pyarrow_table().to_pylist()
    except TableNotFoundError:
        return []
    return sorted((row["id"], row["amount"]) for row in rows)


def _iceberg(directory: Path) -> list[tuple[Any, ...]]:
    """What a table of Iceberg has; nothing before there is one."""
    return sorted((row["id"], row["amount"]) for row in iceberg_rows(directory, "public.amounts"))


def _topic(broker: KafkaBroker) -> list[tuple[Any, ...]]:
    """What the last messages of a topic's keys say."""
    newest = dict(Topic(broker, "accounts").messages())
    values = (json.loads(value) for value in newest.values() if value is not None)
    return sorted((value["id"], value["amount"]) for value in values)


def _hashes(server: RedisServer) -> list[tuple[Any, ...]]:
    """What keys of Redis have, seen at one moment."""
    rows = server.hashes("amounts:*").values()
    return sorted((int(row[b"id"]), int(row[b"amount"])) for row in rows)


def _streamed(server: RedisServer) -> Counter[tuple[Any, ...]]:
    """What the entries of a stream come to."""
    held: Counter[tuple[Any, ...]] = Counter()
    for _, fields in server.ask("XRANGE", "transfers", "-", "+"):
        giver, taker, amount, _, diff = map(int, fields[1::2])
        held[giver, taker, amount] += diff
    assert all(count >= 0 for count in held.values())
    return +held


def _items(endpoint: str) -> list[tuple[Any, ...]]:
    """What items of DynamoDB have, page by page: not of one moment."""
    client = aws_client("dynamodb", {"endpoint": endpoint, "region": "eu-west-1", "key_id": "k", "key": "s"})
    with closing(client), suppress(client.exceptions.ResourceNotFoundException):
        pages = client.get_paginator("scan").paginate(TableName="amounts", ConsistentRead=True)
        return sorted((int(item["id"]["N"]), int(item["amount"]["N"])) for page in pages for item in page["Items"])
    return []


@dataclass(frozen=True, slots=True)
class _Destinations:
    """Where the sinks write to."""

    directory: Path
    sqlite: Path
    files: Path
    lake: Path
    iceberg: Path
    broker: KafkaBroker
    mariadb: MariaDb
    redis: RedisServer
    amazon: str
    receiver: Receiver


def _statements(places: _Destinations, judge: Judge) -> tuple[str, ...]:
    """What makes the sinks, and what they write."""
    command = f"{sys.executable} {PROGRAM}"
    program = json.dumps({"path": f"{places.directory}/program.db"})
    return (
        "CREATE TABLE accounts (id int PRIMARY KEY, amount int, events int DEFAULT 0)",
        "CREATE TABLE events (k bigint, account int, amount bigint, n bigint, seq bigint, balance bigint)",
        "CREATE MATERIALIZED VIEW amounts AS SELECT id, amount FROM accounts",
        "CREATE TABLE transfers (giver int, taker int, amount int)",
        f"INSERT INTO accounts SELECT i, {_EACH} FROM generate_series(0, {_ACCOUNTS - 1}) i",
        "CREATE MATERIALIZED VIEW given AS SELECT giver, count(*) AS n FROM transfers GROUP BY giver",
        f"CREATE SINK a FROM amounts INTO SQLITE (PATH '{places.sqlite}') KEY (id) WITH (MAX AGE '20 ms')",
        f"CREATE SINK g FROM given INTO SQLITE (PATH '{places.sqlite}') KEY (giver) WITH (MAX AGE '20 ms')",
        "CREATE VIEW taken AS SELECT taker, sum(amount) AS amount FROM transfers GROUP BY taker",
        f"CREATE SINK v FROM taken INTO SQLITE (PATH '{places.sqlite}') KEY (taker) WITH (MAX AGE '20 ms')",
        f"CREATE CONNECTION pg TO POSTGRES (HOST '{judge.host}', PORT {judge.port}, {_LOGIN})",
        "CREATE SINK p FROM amounts INTO POSTGRES CONNECTION pg KEY (id) WITH (MAX AGE '20 ms')",
        f"CREATE SINK r FROM transfers INTO {_RECEIVED} WITH (MAX AGE '20 ms', REDUCE (amount SUM), PARALLELISM 3)",
        f"CREATE SINK d FROM amounts INTO DELTA (PATH '{places.lake}') KEY (id) WITH (MAX AGE '100 ms')",
        f"CREATE SINK i FROM amounts INTO ICEBERG (PATH '{places.iceberg}') KEY (id) WITH (MAX AGE '1 s')",
        f"CREATE CONNECTION m TO MYSQL (HOST '{places.mariadb.host}', PORT {places.mariadb.port}, {_ROOT})",
        "CREATE SINK y FROM amounts INTO MYSQL CONNECTION m KEY (id) WITH (MAX AGE '20 ms')",
        f"CREATE CONNECTION e TO REDIS (HOST '{places.redis.host}', PORT {places.redis.port})",
        "CREATE SINK h FROM amounts INTO REDIS CONNECTION e KEY (id) WITH (MAX AGE '20 ms')",
        "CREATE SINK c FROM transfers INTO REDIS CONNECTION e WITH (MAX AGE '20 ms')",
        "CREATE SECRET s AS 's'",
        f"CREATE CONNECTION aws TO AWS (ENDPOINT '{places.amazon}', REGION 'eu-west-1', {_KEYS})",
        "CREATE SINK n FROM amounts INTO DYNAMODB CONNECTION aws KEY (id) WITH (MAX AGE '20 ms')",
        f"CREATE CONNECTION k TO KAFKA (BROKER '{places.broker.address}')",
        "CREATE SINK t FROM amounts INTO KAFKA CONNECTION k (TOPIC accounts) KEY (id) FORMAT JSON",
        f"CREATE SINK f FROM transfers INTO FILES (PATH '{places.files}') FORMAT JSON WITH (MAX AGE '20 ms')",
        f"CREATE SINK l FROM events INTO FILES (PATH '{places.directory}/log') FORMAT JSON WITH (MAX AGE '20 ms')",
        f"CREATE SINK es FROM events INTO SQLITE (PATH '{places.sqlite}', TABLE 'sums') {_SUMMED}",
        f"CREATE SINK em FROM events INTO MYSQL CONNECTION m (TABLE sums) {_DIVIDED}",
        f"CREATE SINK o FROM amounts INTO CONNECTOR (COMMAND '{command}', CONFIG '{program}') KEY (id)",
        f"CREATE CONNECTION hook TO WEBHOOK (URL '{places.receiver.url}')",
        "CREATE SINK w FROM amounts INTO WEBHOOK CONNECTION hook KEY (id) WITH (MAX AGE '500 ms')",
    )


def _all_written(connection: psycopg.Connection[Any], places: _Destinations, there: psycopg.Connection[Any]) -> None:
    accounts = sorted(connection.execute(b"SELECT id, amount FROM accounts").fetchall())
    totals = sorted(connection.execute(b"SELECT giver, n FROM given").fetchall())
    transfers = Counter(connection.execute(b"SELECT * FROM transfers").fetchall())
    sums = connection.execute(b"SELECT taker, sum(amount) FROM transfers GROUP BY taker ORDER BY 1").fetchall()
    added = connection.execute(b"SELECT id, amount - 100, events FROM accounts WHERE events > 0 ORDER BY id").fetchall()
    for _ in polls(_PATIENCE_S):
        found = (
            _query(places.sqlite, "SELECT id, amount FROM amounts ORDER BY id"),
            _query(places.sqlite, "SELECT giver, n FROM given ORDER BY giver"),
            _query(places.sqlite, "SELECT taker, amount FROM taken ORDER BY taker"),
            _filed(places.files),
            _lake(places.lake),
            _iceberg(places.iceberg),
            _topic(places.broker),
            _stored(places.mariadb),
            _hashes(places.redis),
            _items(places.amazon),
            _streamed(places.redis),
            there.execute(b"SELECT id, amount FROM amounts ORDER BY id").fetchall(),
            there.execute(b"SELECT taker, amount FROM received ORDER BY taker").fetchall(),
            _programmed(places),
            sorted(places.receiver.read()),
            _added(_logged(places.directory / "log")),
            _query(places.sqlite, "SELECT account, amount, n FROM sums ORDER BY account"),
            _summed(places.mariadb, "account, amount, n"),
        )
        expected = (accounts, totals, sums, transfers, *[accounts] * 6, transfers, accounts, sums, *[accounts] * 2)
        if found == (*expected, *[added] * 3):
            return
    raise AssertionError("not all has come, or too much")


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.time_by("--kill-rounds", 180)
def test_destinations_hold_each_change_once_whatever_is_killed(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    judge: Judge,
    broker: KafkaBroker,
    mariadb: MariaDb,
    redis_server: RedisServer,
    amazon: str,
) -> None:
    with receiving(relation_desc(("id", INT4), ("amount", INT4))) as receiver:
        _run_rounds(request, tmp_path, judge, broker, mariadb, redis_server, amazon, receiver)


def _looked(places: _Destinations, judge: Judge, chance: random.Random) -> int:
    """Looks once at all destinations, in none of which a part of a transaction may show; how many looks had rows."""
    looks = 0
    for total, count in _query(places.sqlite, "SELECT sum(amount), count(*) FROM amounts"):
        assert (total, count) in ((_ACCOUNTS * _EACH, _ACCOUNTS), (None, 0)), "a part of a transaction shows"
        looks += count > 0
    with judge.connect() as there:
        looks += _looked_at(there, chance)
    _filed(places.files)
    stored, hashes = _stored(places.mariadb), _hashes(places.redis)
    for found in (_lake(places.lake), _iceberg(places.iceberg), stored, hashes, _programmed(places)):
        assert (sum(amount for _, amount in found), len(found)) in (_WHOLE, (0, 0)), "a part shows"
    _require_true(_logged(places.directory / "log"), Mode.CHANGES)
    _require_true(_query(places.sqlite, "SELECT * FROM sums"), Mode.SUMS)
    # Ranges of accounts are there at times of their own.
    for _, account, amount, n, seq, balance in _summed(places.mariadb):
        assert (n, amount) == (seq, balance), f"account {account} has not what its events come to"
    return looks


def _run_rounds(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    judge: Judge,
    broker: KafkaBroker,
    mariadb: MariaDb,
    redis_server: RedisServer,
    amazon: str,
    receiver: Receiver,
) -> None:
    rounds = int(request.config.getoption("--kill-rounds"))
    seed = int(os.environ.get("HEADWATER_KILL_SEED", "1"))
    print(f"HEADWATER_KILL_SEED={seed}")
    chance = random.Random(seed)
    data_dir, path, files = tmp_path / "data", tmp_path / "out.db", tmp_path / "files"
    lake, iceberg = tmp_path / "lake", tmp_path / "iceberg"
    places = _Destinations(tmp_path, path, files, lake, iceberg, broker, mariadb, redis_server, amazon, receiver)
    judge.empty()
    redis_server.ask("FLUSHALL")
    server = start_server(data_dir)
    transfers = _Transfers(seed)
    try:
        with server.connect() as connection:
            for statement in _statements(places, judge):
                connection.execute(statement.encode())
        transfers.server = server
        transfers.start()
        looks = killed = 0
        for number in range(rounds):
            done, latest = transfers.done + _TRANSFERS_EACH, time.monotonic() + _PATIENCE_S
            until = time.monotonic() + chance.uniform(1.0, 5.0)
            while time.monotonic() < until or transfers.done < done:
                assert time.monotonic() < latest, "nothing is transferred"
                looks += _looked(places, judge, chance)
                if chance.random() < 0.05:
                    for program in _programs(server, data_dir):
                        program.kill()
                        killed += 1
                if chance.random() < 0.05:
                    redis_server.ask("CLIENT", "KILL", "TYPE", "normal")
                time.sleep(0.01)
            which = chance.choice(["both", "server", "replica"]) if number else "both"
            _kill(server, data_dir, which)
            redis_server.kill()
            redis_server.start()
            if which != "replica":
                server = start_server(data_dir)
                transfers.server = server
            with server.connect() as connection:
                for sink in ("r", "em", "n"):
                    connection.execute(f"ALTER SINK {sink} SET (PARALLELISM {chance.randrange(1, 5)})".encode())
            print(
                f"round {number + 1}: killed {which}; {transfers.done} transfers, {looks} looks, {killed} drivers",
                flush=True,
            )
        transfers.ended.set()
        transfers.join(120)
        assert not transfers.is_alive(), "the transfers hang"
        with server.connect() as connection:
            with judge.connect() as there:
                _all_written(connection, places, there)
    finally:
        transfers.ended.set()
        server.stop()
