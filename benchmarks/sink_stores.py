"""A table written to MariaDB, Redis, Iceberg and what speaks as DynamoDB does: whole, then as all of its rows change,
beside what bare clients write of the same to the same."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import redis
from pyiceberg.catalog.sql import SqlCatalog

from benchmarks.report import Measure
from connectors.aws.clients import aws_client
from tests.amazon import run_amazon
from tests.data_servers import KEPT, MariaDb, RedisServer, run_mariadb, run_redis

_BATCH = 10_000
_PIPELINED = 1_000
_WRITTEN_AT_ONCE = 25
_OF_DYNAMODB = 50
"""Documents of the others for one of DynamoDB's, which in tests is a program in Python."""
_PATIENCE_S = 600.0
_NAMES = ("id", "account", "amount", "note", "at")
_Connection = psycopg.Connection[tuple[Any, ...]]
_Rows = Sequence[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class _Store:
    """`sink` is what stands behind INTO; `table` is what it writes."""

    name: str
    sink: str
    table: str = "transfers"


def measure_sink_stores(url: str, rows: int) -> Iterator[Measure]:
    """Documents of some 150 bytes a second."""
    with (
        tempfile.TemporaryDirectory() as name,
        run_mariadb(Path(name)) as mariadb,
        run_redis(Path(name), *KEPT) as redis_server,
        run_amazon() as amazon,
        psycopg.connect(url, autocommit=True) as ours,
    ):
        few = max(1, rows // _OF_DYNAMODB)
        for table, count in (("transfers", rows), ("few", few)):
            _make_rows(ours, table, count)
        data = ours.execute(b"SELECT id, account, amount, note, at::text FROM transfers").fetchall()
        _connect(ours, mariadb, redis_server, amazon)
        yield _bare_mariadb(mariadb, data)
        yield from _written(ours, _Store("MariaDB", "MYSQL CONNECTION m KEY (id)"), rows)
        yield _bare_redis(redis_server, data)
        yield from _written(ours, _Store("Redis", "REDIS CONNECTION r KEY (id)"), rows)
        yield _bare_iceberg(Path(name), data)
        iceberg = f"ICEBERG (PATH '{name}/warehouse') KEY (id) WITH (MAX AGE '1 s')"
        yield from _written(ours, _Store("Iceberg", iceberg), rows)
        yield _bare_dynamodb(amazon, data[:few])
        yield from _written(ours, _Store("DynamoDB (moto)", "DYNAMODB CONNECTION a KEY (id)", "few"), few)


def _make_rows(ours: _Connection, table: str, rows: int) -> None:
    columns = "id int8 PRIMARY KEY, account int4, amount numeric(12, 2), note text, at timestamptz"
    ours.execute(f"CREATE TABLE {table} ({columns})".encode())
    ours.execute(
        f"""INSERT INTO {table} SELECT i, (i % 1000)::int4, (i % 100000) / 100.0,
            'a note about the transfer number ' || i || repeat('.', 60),
            timestamptz '2026-11-23 12:00+00' + i * interval '1 second' FROM generate_series(1, {rows}) i""".encode()
    )


def _connect(ours: _Connection, mariadb: MariaDb, redis_server: RedisServer, amazon: str) -> None:
    keys = "ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET s"
    root = "DATABASE 'headwater', USER 'root'"
    for statement in (
        "CREATE SECRET s AS 's'",
        f"CREATE CONNECTION m TO MYSQL (HOST '{mariadb.host}', PORT {mariadb.port}, {root})",
        f"CREATE CONNECTION r TO REDIS (HOST '{redis_server.host}', PORT {redis_server.port})",
        f"CREATE CONNECTION a TO AWS (ENDPOINT '{amazon}', REGION 'eu-west-1', {keys})",
    ):
        ours.execute(statement.encode())


def _written(ours: _Connection, store: _Store, rows: int) -> Iterator[Measure]:
    """All of a table, then what changes of it, until the log says that it is there."""
    began = time.monotonic()
    ours.execute(f"CREATE SINK written FROM {store.table} INTO {store.sink}".encode())
    _until_stored(ours, rows)
    yield Measure(f"{store.name}: documents, all of a table", rows / (time.monotonic() - began), "/s")
    ours.execute(f"UPDATE {store.table} SET account = account + 1".encode())
    began = time.monotonic()
    _until_stored(ours, 2 * rows)
    yield Measure(f"{store.name}: documents that change", rows / (time.monotonic() - began), "/s")
    ours.execute(f"UPDATE {store.table} SET account = account - 1".encode())
    _until_stored(ours, 3 * rows)
    ours.execute(b"DROP SINK written")


def _until_stored(ours: _Connection, documents: int) -> None:
    query = b"SELECT documents_stored, lag_ms FROM mz_internal.mz_sink_statistics"
    deadline = time.monotonic() + _PATIENCE_S
    while (found := ours.execute(query).fetchall()) != [(documents, 0)]:
        assert time.monotonic() < deadline, f"{found} of {documents} have come"
        time.sleep(0.05)


def _bare_mariadb(server: MariaDb, data: _Rows) -> Measure:
    insert = (
        "INSERT INTO bare VALUES (%s, %s, %s, %s, %s) ON DUPLICATE KEY UPDATE account = VALUES(account),"
        " amount = VALUES(amount), note = VALUES(note), at = VALUES(at)"
    )
    columns = "id BIGINT PRIMARY KEY, account INT, amount DECIMAL(12, 2), note LONGTEXT, at DATETIME(6)"
    server.query(f"CREATE TABLE bare ({columns})")
    plain = [(*row[:4], row[4].removesuffix("+00")) for row in data]
    with contextlib.closing(server.connect()) as connection, connection.cursor() as cursor:
        began = time.monotonic()
        for start in range(0, len(plain), _BATCH):
            connection.begin()
            cursor.executemany(insert, plain[start : start + _BATCH])
            connection.commit()
        took = time.monotonic() - began
    return Measure("bare INSERT … ON DUPLICATE KEY UPDATE by pymysql, into MariaDB", len(data) / took, "rows/s")


def _bare_redis(server: RedisServer, data: _Rows) -> Measure:
    texts = [{name: str(value) for name, value in zip(_NAMES, row, strict=True)} for row in data]
    with redis.Redis(server.host, server.port, protocol=2) as client:
        began = time.monotonic()
        for start in range(0, len(texts), _PIPELINED):
            with client.pipeline(transaction=True) as pipeline:
                for row in texts[start : start + _PIPELINED]:
                    pipeline.hset(f"bare:{row['id']}", mapping=row)
                pipeline.execute()
        took = time.monotonic() - began
    return Measure("bare HSET in pipelined transactions by redis-py, into Redis", len(data) / took, "rows/s")


def _bare_iceberg(directory: Path, data: _Rows) -> Measure:
    table = pa.table({name: pa.array(column) for name, column in zip(_NAMES, zip(*data, strict=True), strict=True)})
    with contextlib.closing(
        SqlCatalog("bare", uri=f"sqlite:///{directory}/bare.db", warehouse=f"file://{directory}/bare")
    ) as catalog:
        catalog.create_namespace("public")
        made = catalog.create_table("public.bare", table.schema)
        began = time.monotonic()
        made.append(table)
        took = time.monotonic() - began
    return Measure("bare append of the same by pyiceberg", len(data) / took, "rows/s", note="in memory already")


def _bare_dynamodb(endpoint: str, data: _Rows) -> Measure:
    """Batches without transactions, which is the fastest that the service has."""
    client = aws_client("dynamodb", {"endpoint": endpoint, "region": "eu-west-1", "key_id": "k", "key": "s"})
    with contextlib.closing(client):
        client.create_table(
            TableName="bare",
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "N"}],
            BillingMode="PAY_PER_REQUEST",
        )
        began = time.monotonic()
        for start in range(0, len(data), _WRITTEN_AT_ONCE):
            puts = [{"PutRequest": {"Item": _item(row)}} for row in data[start : start + _WRITTEN_AT_ONCE]]
            client.batch_write_item(RequestItems={"bare": puts})
        took = time.monotonic() - began
    return Measure("bare BatchWriteItem by boto3, into what speaks as DynamoDB", len(data) / took, "rows/s")


def _item(row: tuple[Any, ...]) -> dict[str, dict[str, str]]:
    number = int | Decimal
    values = zip(_NAMES, row, strict=True)
    return {name: {"N" if isinstance(value, number) else "S": str(value)} for name, value in values}
