"""A table written to databases, a lake, files and Kafka: whole, then as all of its rows change, then row by row."""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import urlsplit

import psycopg
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from confluent_kafka import Producer
from deltalake import DeltaTable
from deltalake.exceptions import TableNotFoundError

from benchmarks.report import Measure
from benchmarks.server import postgresql
from tests.kafka_broker import KafkaBroker, start_broker

_BATCH = 10_000
_PATIENCE_S = 600.0
_RATE = 100
_RANGES = 2
_DIVIDED_S = 2.0
"""What all of a table has is written by one session, behind which keys are divided."""
_VISIBLE_MS = 500.0
_OF_BARE = 0.5
_MESSAGES = 50_000.0
_COLUMNS = "id int8 PRIMARY KEY, account int4, amount numeric(12, 2), note text, at timestamptz"
_ROWS = """
    SELECT i, (i % 1000)::int4, (i % 100000) / 100.0, 'a note about the transfer number ' || i || repeat('.', 60),
        timestamptz '2026-11-23 12:00+00' + i * interval '1 second'
    FROM generate_series(1, {rows}) i
"""
_Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class _Target:
    """`sink` is what stands behind INTO; `state` gives how many rows there are, and the sum of their accounts."""

    name: str
    sink: str
    state: Callable[[], tuple[int, int] | None]


def measure_sinks(url: str, rows: int, seconds: float) -> Iterator[Measure]:
    """Documents of some 150 bytes a second, beside what bare clients write of the same to the same."""
    with tempfile.TemporaryDirectory() as name, postgresql() as judge, psycopg.connect(url, autocommit=True) as ours:
        directory = Path(name)
        ours.execute(f"CREATE TABLE transfers ({_COLUMNS})".encode())
        ours.execute(f"INSERT INTO transfers {_ROWS.format(rows=rows)}".encode())
        with psycopg.connect(judge, autocommit=True) as there:
            bare = _bare_inserts(there, rows)
            yield Measure("bare INSERT … ON CONFLICT, pipelined, into PostgreSQL", bare, "rows/s")
            _connect(ours, judge)
            yield from _measured(ours, _postgres(there), rows, _OF_BARE * bare)
            there.execute(b"DROP TABLE transfers, headwater_checkpoints")
            divided = _postgres(there, f"PostgreSQL, {_RANGES} ranges of keys", f" WITH (PARALLELISM {_RANGES})")
            for target in (divided, _sqlite(directory), _delta(directory), _files(directory, "PARQUET")):
                yield from _measured(ours, target, rows, None)
            yield _bare_parquet(ours, directory, rows)
            with start_broker() as broker:
                yield from _kafka(ours, broker, rows)
            yield from _freshness(ours, there, rows, seconds)


def _measured(ours: _Connection, target: _Target, rows: int, bar: float | None) -> Iterator[Measure]:
    total = _sum(rows)
    began = time.monotonic()
    ours.execute(f"CREATE SINK s FROM transfers INTO {target.sink}".encode())
    _until(target, (rows, total))
    whole = rows / (time.monotonic() - began)
    yield Measure(f"{target.name}: documents, all of a table", whole, "/s", bar)
    time.sleep(_DIVIDED_S)
    ours.execute(b"UPDATE transfers SET account = account + 1")
    began = time.monotonic()
    _until(target, (rows, total + rows))
    changed = rows / (time.monotonic() - began)
    yield Measure(f"{target.name}: documents that change", changed, "/s", bar)
    ours.execute(b"UPDATE transfers SET account = account - 1")
    _until(target, (rows, total))
    ours.execute(b"DROP SINK s")


def _sum(rows: int) -> int:
    """Of the accounts, before they change."""
    return sum(number % 1000 for number in range(1, rows + 1))


def _until(target: _Target, wanted: tuple[int, int]) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while (found := target.state()) != wanted:
        assert time.monotonic() < deadline, f"{found} of {wanted} have come"
        time.sleep(0.05)


def _bare_inserts(there: _Connection, rows: int) -> float:
    """What a client does by itself: batches in pipelines, a commit each."""
    there.execute(f"CREATE TABLE bare ({_COLUMNS})".encode())
    data = there.execute(_ROWS.format(rows=min(rows, 200_000)).encode()).fetchall()
    insert: LiteralString = (
        "INSERT INTO bare VALUES (%s, %s, %s, %s, %s) ON CONFLICT (id) DO UPDATE SET account = excluded.account,"
        " amount = excluded.amount, note = excluded.note, at = excluded.at"
    )
    began = time.monotonic()
    with there.cursor() as cursor:
        for start in range(0, len(data), _BATCH):
            with there.transaction():
                cursor.executemany(insert, data[start : start + _BATCH])
    return len(data) / (time.monotonic() - began)


def _bare_parquet(ours: _Connection, directory: Path, rows: int) -> Measure:
    """What pyarrow takes to write the same, which it has in memory."""
    written = [pq.read_table(file) for file in sorted((directory / "files" / "v1").glob("*.parquet"))]
    table: pa.Table = pa.concat_tables(written).slice(0, rows)
    began = time.monotonic()
    pq.write_table(table, directory / "bare.parquet")
    return Measure("bare pyarrow, the same rows as Parquet", rows / (time.monotonic() - began), "rows/s")


def _kafka(ours: _Connection, broker: KafkaBroker, rows: int) -> Iterator[Measure]:
    """Messages of JSON by their key; beside a producer that has them as bytes already."""
    ours.execute(f"CREATE CONNECTION k TO KAFKA (BROKER '{broker.address}')".encode())
    began = time.monotonic()
    ours.execute(b"CREATE SINK s FROM transfers INTO KAFKA CONNECTION k (TOPIC written) KEY (id) FORMAT JSON")
    _until_stored(ours, rows)
    yield Measure("Kafka: messages, all of a table", rows / (time.monotonic() - began), "/s", _MESSAGES)
    time.sleep(_DIVIDED_S)
    ours.execute(b"UPDATE transfers SET account = account + 1")
    began = time.monotonic()
    _until_stored(ours, 2 * rows)
    yield Measure("Kafka: messages of rows that change", rows / (time.monotonic() - began), "/s", _MESSAGES)
    ours.execute(b"DROP SINK s")
    text = '{"id":%d,"account":1,"amount":1.50,"note":"a note about the transfer number %d' + "." * 60 + '","at":null}'
    messages = [(b'{"id":%d}' % number, (text % (number, number)).encode()) for number in range(rows)]
    producer = Producer({**broker.settings, "linger.ms": 5, "compression.type": "lz4", "transactional.id": "bare"})
    producer.init_transactions(_PATIENCE_S)
    began = time.monotonic()
    producer.begin_transaction()
    for number, (key, value) in enumerate(messages):
        while True:
            try:
                producer.produce("bare", value=value, key=key)
                break
            except BufferError:
                producer.poll(0.05)
        if number % 1_000 == 0:
            producer.poll(0)
    producer.commit_transaction(_PATIENCE_S)
    yield Measure("bare producer, one transaction of the same", rows / (time.monotonic() - began), "/s")


def _until_stored(ours: _Connection, documents: int) -> None:
    """All of them are committed."""
    query = b"SELECT documents_stored, lag_ms FROM mz_internal.mz_sink_statistics"
    deadline = time.monotonic() + _PATIENCE_S
    while (found := ours.execute(query).fetchall()) != [(documents, 0)]:
        assert time.monotonic() < deadline, f"{found} of {documents} have come"
        time.sleep(0.05)


def _freshness(ours: _Connection, there: _Connection, rows: int, seconds: float) -> Iterator[Measure]:
    there.execute(b"DROP TABLE IF EXISTS transfers, headwater_checkpoints")
    ours.execute(b"DELETE FROM transfers")
    ours.execute(b"CREATE SINK s FROM transfers INTO POSTGRES CONNECTION pg KEY (id) WITH (MAX AGE '20 ms')")
    _until(_postgres(there), (0, 0))
    waits = []
    due = time.monotonic()
    for number in range(int(seconds * _RATE)):
        due += 1 / _RATE
        time.sleep(max(0.0, due - time.monotonic()))
        ours.execute(f"INSERT INTO transfers VALUES ({number}, 1, 1, 'x', now())".encode())
        if number % 10 == 0:
            began = time.monotonic()
            while not there.execute(f"SELECT FROM transfers WHERE id = {number}".encode()).fetchall():
                time.sleep(0.002)
            waits.append((time.monotonic() - began) * 1000)
    p50, p99 = statistics.median(waits), statistics.quantiles(waits, n=100)[98]
    note = f"p99 {p99:.0f} ms"
    name = f"PostgreSQL: committed to visible there, p50, at {_RATE} rows/s"
    yield Measure(name, p50, "ms", _VISIBLE_MS, at_least=False, note=note)


def _connect(ours: _Connection, judge: str) -> None:
    parts = urlsplit(judge)
    place = f"HOST '{parts.hostname}', PORT {parts.port}, DATABASE '{parts.path[1:]}', USER '{parts.username}'"
    ours.execute(f"CREATE CONNECTION pg TO POSTGRES ({place})".encode())


def _postgres(there: _Connection, name: str = "PostgreSQL", options: str = "") -> _Target:
    def state() -> tuple[int, int] | None:
        if there.execute(b"SELECT to_regclass('transfers')").fetchall() == [(None,)]:
            return None
        ((count, total),) = there.execute(b"SELECT count(*), coalesce(sum(account), 0) FROM transfers").fetchall()
        return int(count), int(total)

    return _Target(name, f"POSTGRES CONNECTION pg KEY (id){options}", state)


def _sqlite(directory: Path) -> _Target:
    path = directory / "out.db"

    def state() -> tuple[int, int] | None:
        with sqlite3.connect(path) as connection:
            try:
                found: tuple[int, int] = connection.execute("SELECT count(*), sum(account) FROM transfers").fetchone()
            except sqlite3.OperationalError:
                return None
            return found

    return _Target("SQLite", f"SQLITE (PATH '{path}') KEY (id)", state)


def _delta(directory: Path) -> _Target:
    path = str(directory / "lake")

    def state() -> tuple[int, int] | None:
        try:
            accounts = DeltaTable(path).to_pyarrow_table(columns=["account"]).column("account")
        except TableNotFoundError:
            return None
        return len(accounts), pc.sum(accounts).as_py() or 0

    return _Target("Delta Lake", f"DELTA (PATH '{path}') KEY (id)", state)


def _files(directory: Path, format_: str) -> _Target:
    seen: dict[Path, tuple[int, int]] = {}

    def state() -> tuple[int, int] | None:
        for file in (directory / "files" / "v1").glob(f"*.{format_.lower()}"):
            if file not in seen:
                table = pq.read_table(file, columns=["account", "mz_diff"]).to_pydict()
                pairs = list(zip(table["account"], table["mz_diff"], strict=True))
                seen[file] = sum(diff for _, diff in pairs), sum(account * diff for account, diff in pairs)
        return sum(count for count, _ in seen.values()), sum(total for _, total in seen.values())

    return _Target(f"files of {format_}", f"FILES (PATH '{directory}/files') FORMAT {format_}", state)
