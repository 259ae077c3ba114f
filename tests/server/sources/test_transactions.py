"""Money goes from account to account of two tables, as Debezium tells of them: it is all there in every read, of the
sources themselves, of a table that was added to one, and of an index over both.

`--transfer-reads N` reads the index N times instead of CI's 5, once a reader; thousands want `--timeout 0`, too. Each
waits until the sources are bound once more, so several connections read at once.
"""

from __future__ import annotations

import json
import random
import threading
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import psycopg
import pytest

from tests.kafka_broker import KafkaBroker
from tests.polling import polls
from tests.server.sources.own_database import own_database
from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark
_PATIENCE_S = 180.0
_ACCOUNTS, _MONEY = 20, 100
_TABLES = ("current", "savings")
_TOTAL = _ACCOUNTS * _MONEY * len(_TABLES)
_BALANCE = "coalesce(sum((data->>'n')::int), 0)::int"
_READ = f"SELECT (SELECT {_BALANCE} FROM current) + (SELECT {_BALANCE} FROM savings)"
_ALL = " UNION ALL ".join(f"SELECT (data->>'n')::int AS n FROM {table}" for table in _TABLES)
_WHOLE_READS_MAX = 15
_READERS = 5
Connection = psycopg.Connection[tuple[Any, ...]]
Record = tuple[int, bytes | None, bytes | None]


@pytest.fixture(scope="module")
def connection(headwater_server: ServerProcess) -> Iterator[Connection]:
    with own_database(headwater_server, "bank") as connection:
        yield connection


def _one(connection: Connection, sql: str) -> Any:
    row = connection.execute(sql.encode()).fetchone()
    assert row is not None
    return row[0]


def _read_totals(server: ServerProcess, sql: str, reads: int) -> int:
    """How many reads found the total, of which one that does not is an error."""
    with psycopg.connect(f"{server.dsn()} dbname=bank", autocommit=True) as connection:
        for _ in range(reads):
            assert _one(connection, sql) == _TOTAL, "a transaction is there in part"
    return reads


def _check_totals(server: ServerProcess, sql: str, reads: int) -> None:
    """So many reads, of several connections at once."""
    with ThreadPoolExecutor(_READERS) as pool:
        shares = [len(range(reader, reads, _READERS)) for reader in range(_READERS)]
        assert sum(pool.map(partial(_read_totals, server, sql), shares)) == reads


def _until(connection: Connection, sql: str, wanted: object) -> None:
    found: object = None
    for _ in polls(_PATIENCE_S):
        found = _one(connection, sql)
        if found == wanted:
            return
    raise AssertionError(f"{sql}: {found}")


def _change(table: str, account: int, balance: int, transaction: str | None) -> Record:
    change: dict[str, Any] = {"before": None, "after": {"id": account, "n": balance}, "op": "u"}
    if transaction is not None:
        change["transaction"] = {"id": transaction}
    return account % 2, json.dumps({"id": account}).encode(), json.dumps(change).encode()


def _boundary(status: str, transaction: str, events: dict[str, int]) -> Record:
    counted = [{"data_collection": f"bank.{table}", "event_count": count} for table, count in events.items()]
    told = {"status": status, "id": transaction, "event_count": sum(events.values()), "data_collections": counted}
    return 0, None, json.dumps(told).encode()


class _Bank:
    def __init__(self, broker: KafkaBroker) -> None:
        self.broker = broker
        self.transfers = 0
        self.balances = {(table, account): _MONEY for table in _TABLES for account in range(_ACCOUNTS)}
        self._chance = random.Random(1)
        broker.create("bank.tx", 1)
        for table in _TABLES:
            broker.create(f"bank.{table}", 2)
            broker.produce(f"bank.{table}", [_change(table, account, _MONEY, None) for account in range(_ACCOUNTS)])

    def transfer(self, count: int) -> None:
        """So many transfers, of which each topic hears at another moment."""
        records: dict[str, list[Record]] = defaultdict(list)
        for _ in range(count):
            transaction = f"t{self.transfers}"
            self.transfers += 1
            records["tx"].append(_boundary("BEGIN", transaction, {}))
            events: dict[str, int] = defaultdict(int)
            amount = self._chance.randint(1, 9)
            for sign in (-1, 1):
                table, account = self._chance.choice(_TABLES), self._chance.randrange(_ACCOUNTS)
                self.balances[table, account] += sign * amount
                events[table] += 1
                records[table].append(_change(table, account, self.balances[table, account], transaction))
            records["tx"].append(_boundary("END", transaction, events))
        topics = list(records)
        self._chance.shuffle(topics)
        for topic in topics:
            self.broker.produce(f"bank.{topic}", records[topic])

    def go_on(self, stop: threading.Event) -> None:
        while not stop.is_set():
            self.transfer(self._chance.randint(1, 20))
            # Seldom enough that what all reads add up stays small, on a slow machine too.
            stop.wait(0.2)


def _from(broker: KafkaBroker, topic: str) -> str:
    return f"FROM KAFKA BROKER '{broker.address}' TOPIC 'bank.{topic}' FORMAT JSON"


def _following(broker: KafkaBroker, table: str) -> str:
    transactions = f"TRANSACTION METADATA (SOURCE tx, COLLECTION 'bank.{table}')"
    return f"CREATE SOURCE {table} {_from(broker, table)} ENVELOPE DEBEZIUM ({transactions})"


@pytest.mark.time_by("--transfer-reads", 20)
def test_no_money_is_lost_or_found_while_it_is_under_way(
    request: pytest.FixtureRequest, headwater_server: ServerProcess, broker: KafkaBroker, connection: Connection
) -> None:
    reads = int(request.config.getoption("--transfer-reads"))
    bank = _Bank(broker)
    bank.transfer(10)
    connection.execute(f"CREATE SOURCE tx {_from(broker, 'tx')}".encode())
    connection.execute(_following(broker, "current").encode())
    connection.execute(_following(broker, "savings").encode())
    _until(connection, "SELECT count(*)::int FROM tx WHERE data->>'status' = 'END'", bank.transfers)
    _until(connection, _READ, _TOTAL)
    connection.execute(f"CREATE VIEW total AS SELECT sum(n)::int AS n FROM ({_ALL}) accounts".encode())
    connection.execute(b"CREATE INDEX total_n ON total (n)")
    stop = threading.Event()
    producer = threading.Thread(target=bank.go_on, args=(stop,))
    producer.start()
    try:
        _check_totals(headwater_server, "SELECT n FROM total", reads)
        _check_totals(headwater_server, _READ, min(reads, _WHOLE_READS_MAX))
        connection.execute(b"CREATE TABLE again FROM SOURCE savings FORMAT JSON ENVELOPE DEBEZIUM")
        connection.execute(b"CREATE TABLE told FROM SOURCE tx FORMAT TEXT")
        _until(connection, "SELECT count(*)::int FROM again", _ACCOUNTS)
        _check_totals(headwater_server, _READ.replace("savings", "again"), _READERS)
    finally:
        stop.set()
        producer.join(60)
    held = "SELECT json_object_agg(key->>'id', (data->>'n')::int)::text FROM"
    _until(connection, "SELECT count(*)::int FROM tx WHERE data->>'status' = 'END'", bank.transfers)
    for table, ours in (("current", "current"), ("savings", "savings"), ("savings", "again")):
        balances = {str(account): bank.balances[table, account] for account in range(_ACCOUNTS)}
        assert json.loads(_one(connection, f"{held} {ours}")) == balances
    _until(connection, "SELECT count(*)::int FROM told", 2 * bank.transfers)
    connection.execute(b"DROP TABLE again")
    connection.execute(b"DROP TABLE told")
    broker.produce("bank.tx", [_boundary("END", "lost", {"savings": 1})])
    waits = "SELECT error FROM mz_internal.mz_source_statuses WHERE name = 'savings'"
    _until(connection, waits, 'transaction lost has 0 of 1 changes of "bank.savings"')
    connection.execute(b"DROP VIEW total")
    connection.execute(b"DROP SOURCE savings")
    _until(connection, "SELECT count(*)::int FROM tx WHERE data->>'status' = 'END'", bank.transfers + 1)
    with pytest.raises(psycopg.errors.DependentObjectsStillExist, match="current"):
        connection.execute(b"DROP SOURCE tx")


def test_what_tells_of_transactions_is_a_source_of_json(broker: KafkaBroker, connection: Connection) -> None:
    for name in ("events", "texts"):
        broker.create(f"bank.{name}", 1)
    connection.execute(f"CREATE SOURCE texts {_from(broker, 'texts')} ENVELOPE DEBEZIUM".encode())
    connection.execute(b"CREATE TABLE plain (n int)")
    for options, error in (
        ("SOURCE texts, COLLECTION 'a'", psycopg.errors.WrongObjectType),
        ("SOURCE plain, COLLECTION 'a'", psycopg.errors.WrongObjectType),
        ("SOURCE nowhere, COLLECTION 'a'", psycopg.errors.UndefinedTable),
        ("SOURCE texts", psycopg.errors.SyntaxError),
        ("SOURCE texts, COLLECTION 'a', TOPIC 'b'", psycopg.errors.SyntaxError),
    ):
        envelope = f"ENVELOPE DEBEZIUM (TRANSACTION METADATA ({options}))"
        with pytest.raises(error):
            connection.execute(f"CREATE SOURCE wrong {_from(broker, 'events')} {envelope}".encode())
