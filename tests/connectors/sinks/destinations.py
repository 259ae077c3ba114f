"""Real destinations of sinks, as tests reach them: a driver, what a reader sees, and what may go wrong there."""

from __future__ import annotations

import csv
import json
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import psycopg
import pyarrow.parquet as pq
import pymysql
from deltalake import DeltaTable
from deltalake.exceptions import TableNotFoundError
from moto.backends import get_backend
from moto.core.models import DEFAULT_ACCOUNT_ID
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import NoSuchTableError
from sqlalchemy.exc import OperationalError

from connectors.aws.clients import aws_client
from connectors.delta.table import DeltaPlace
from connectors.dynamodb.items import attribute_reader
from connectors.dynamodb.table import DynamodbTable
from connectors.files.objects import BucketOfFiles
from connectors.iceberg.driver import CATALOG, CATALOG_FILE
from connectors.iceberg.table import IcebergPlace
from connectors.mysql.table import MysqlTable
from connectors.opensearch.index import OpensearchIndex
from connectors.postgres.table import PostgresTable
from connectors.redis.keys import RedisKeys
from connectors.redis.pieces import field_reader
from connectors.sinks.description import SinkPlace
from connectors.sinks.driver import Driver
from connectors.sinks.fences import CHECKPOINTS
from connectors.systems import open_driver
from model.external.sinks import ConnectorProgram, DirectoryOfFiles, FileFormat, SqliteTable
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import TEXT
from tests.connectors.sinks.opensearch_server import OpensearchServer
from tests.connectors.sinks.sessions import DESC
from tests.data_servers import MariaDb, RedisServer
from tests.judge import Judge

_TOKENS = iter(range(1_000_000))


@dataclass
class RealDestination:
    """`read` gives the rows of a collection as readers add them up; `execute` is for what speaks SQL; `reader` is the
    session that `read` has open."""

    place: SinkPlace
    read: Callable[[], Counter[Row]]
    execute: Callable[[str], list[Row]] | None
    reader: ExitStack = field(default_factory=ExitStack)

    def __post_init__(self) -> None:
        self._drivers: list[Driver] = []

    def driver(self) -> Driver:
        self._drivers.append(open_driver(self.place, f"t{next(_TOKENS)}", Path(tempfile.gettempdir())))
        return self._drivers[-1]

    def close(self) -> None:
        """Ends all sessions."""
        for driver in self._drivers:
            driver.close()
        self.reader.close()

    @property
    def transactional(self) -> bool:
        """Whether it says by itself how far it is."""
        return not isinstance(self.place, DirectoryOfFiles | BucketOfFiles)


def _selected(desc: RelationDesc) -> str:
    return f"SELECT {', '.join(desc.names)} FROM t"


def _rows_of(objects: Iterable[dict[str, Any]], desc: RelationDesc) -> Counter[Row]:
    return Counter(tuple(each[name] for name in desc.names) for each in objects)


def sqlite_destination(directory: Path, desc: RelationDesc = DESC) -> RealDestination:
    path = directory / "out.db"

    def execute(query: str) -> list[Row]:
        with sqlite3.connect(path) as connection:
            return connection.execute(query).fetchall()

    return RealDestination(SqliteTable(str(path), "t"), lambda: Counter(map(tuple, execute(_selected(desc)))), execute)


def postgres_destination(judge: Judge, desc: RelationDesc = DESC) -> RealDestination:
    """The table t of the judge's own database."""

    def execute(query: str) -> list[Row]:
        with judge.connect() as connection:
            cursor = connection.execute(query)
            return [*cursor.fetchall()] if cursor.description else []  # type: ignore[list-item]

    execute(f"DROP TABLE IF EXISTS t, {CHECKPOINTS}")
    settings = tuple(psycopg.conninfo.conninfo_to_dict(judge.dsn()).items())
    place = PostgresTable(settings, (), ("public", "t"))  # type: ignore[arg-type]
    reader, sessions = ExitStack(), list[psycopg.Connection[tuple[object, ...]]]()

    def read() -> Counter[Row]:
        if not sessions or sessions[0].closed:
            sessions[:] = [reader.enter_context(judge.connect())]
        return Counter(sessions[0].execute(_selected(desc)).fetchall())  # type: ignore[arg-type]

    return RealDestination(place, read, execute, reader)


def mysql_destination(server: MariaDb, desc: RelationDesc = DESC) -> RealDestination:
    """The table t of the server's own database."""
    server.query(f"DROP TABLE IF EXISTS t, {CHECKPOINTS}")
    told = {"host": server.host, "port": str(server.port), "database": server.database, "user": "root"}
    place = MysqlTable(tuple({**told, "ssl_mode": "preferred"}.items()), (), ("t",))
    reader, sessions = ExitStack(), list[pymysql.Connection]()

    def read() -> Counter[Row]:
        if not sessions or not sessions[0].open:
            sessions[:] = [reader.enter_context(closing(server.connect()))]
        with sessions[0].cursor() as cursor:
            cursor.execute(_selected(desc))
            return Counter(cursor.fetchall())

    return RealDestination(place, read, server.query, reader)


def redis_destination(server: RedisServer, desc: RelationDesc = DESC) -> RealDestination:
    """The keys t:… of the server's first database."""
    server.ask("FLUSHDB")
    told = {"host": server.host, "port": str(server.port), "database": "0", "ssl_mode": "disabled"}
    readers = {column.name.encode(): field_reader(column.type) for column in desc.columns}

    def read() -> Counter[Row]:
        rows = server.hashes("t:*").values()
        return Counter(
            tuple(read(row[name]) if name in row else None for name, read in readers.items()) for row in rows
        )

    return RealDestination(RedisKeys(tuple(told.items()), (), "t"), read, None)


def stream_destination(server: RedisServer, desc: RelationDesc = DESC) -> RealDestination:
    """A stream of the server's first database, whose changes are added up."""
    keys = redis_destination(server, desc)
    readers = {column.name.encode(): field_reader(column.type) for column in desc.columns}

    def read() -> Counter[Row]:
        held: Counter[Row] = Counter()
        for _, fields in server.ask("XRANGE", "t", "-", "+"):
            entry = dict(zip(fields[::2], fields[1::2], strict=True))
            row = (read(entry[name]) if name in entry else None for name, read in readers.items())
            held[tuple(row)] += int(entry[b"mz_diff"])
        assert all(count >= 0 for count in held.values())
        return +held

    return RealDestination(keys.place, read, None)


def dynamodb_destination(endpoint: str, table: str, desc: RelationDesc = DESC) -> RealDestination:
    """A table of what speaks as DynamoDB does, which has no others then."""
    settings = {"endpoint": endpoint, "region": "eu-west-1", "key_id": "k", "key": "s"}
    client = aws_client("dynamodb", settings)
    for left in client.list_tables()["TableNames"]:
        client.delete_table(TableName=left)
    readers = {column.name: attribute_reader(column.type) for column in desc.columns}

    def items() -> object:
        """Returns what the service holds, as it lies in this process: asking it for that takes far longer."""
        tables = get_backend("dynamodb")[DEFAULT_ACCOUNT_ID][settings["region"]].tables
        return [item.to_json() for item in tables[table].all_items()] if table in tables else None

    def rows() -> Counter[Row]:
        pages = client.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
        return Counter(
            tuple(read(item[name]) if name in item else None for name, read in readers.items())
            for page in pages
            for item in page["Items"]
        )

    return RealDestination(DynamodbTable(tuple(settings.items()), (), table), _once(items, rows), None)


def opensearch_destination(server: OpensearchServer, desc: RelationDesc = DESC) -> RealDestination:
    """An index of the server, which has no others then."""
    server.indices.clear()

    def read() -> Counter[Row]:
        return _rows_of(server.indices["t"].documents.values(), desc) if "t" in server.indices else Counter()

    return RealDestination(OpensearchIndex((("url", server.url),), (), "t"), read, None)


PROGRAM = Path(__file__).with_name("programs") / "sqlite_connector.py"


def connector_destination(directory: Path, desc: RelationDesc = DESC, **config: str) -> RealDestination:
    """A program that keeps documents as JSON."""
    path = directory / "connector.db"

    def execute(query: str) -> list[Row]:
        with sqlite3.connect(path) as connection:
            return connection.execute(query).fetchall()

    def read() -> Counter[Row]:
        documents = (json.loads(doc) for (doc,) in execute("SELECT doc FROM documents"))  # type: ignore[arg-type]
        return _rows_of(documents, desc)

    place = ConnectorProgram(f"{sys.executable} {PROGRAM}", tuple({"path": str(path), **config}.items()))
    return RealDestination(place, read, execute)


def files_destination(directory: Path, format_: FileFormat, desc: RelationDesc = DESC) -> RealDestination:
    path = directory / "files"
    return RealDestination(DirectoryOfFiles(str(path), format_), lambda: added_up(path, format_, desc), None)


def bucket_destination(directory: Path, endpoint: str, name: str, desc: RelationDesc = DESC) -> RealDestination:
    """A bucket of its own, under a prefix; readers see what is complete, and fetch an object where it is another."""
    login = {"region_name": "us-east-1", "aws_access_key_id": "a", "aws_secret_access_key": "b"}
    client = boto3.client("s3", endpoint_url=endpoint, **login)
    client.create_bucket(Bucket=name)
    settings = (("endpoint", endpoint), ("region", "us-east-1"), ("key_id", "a"), ("key", "b"))

    fetched: dict[str, str] = {}

    def read() -> Counter[Row]:
        for held in client.list_objects_v2(Bucket=name, Prefix="some/prefix/v").get("Contents", ()):
            if fetched.get(held["Key"]) == held["ETag"]:
                continue
            path = directory / held["Key"].removeprefix("some/prefix/")
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(client.get_object(Bucket=name, Key=held["Key"])["Body"].read())
            fetched[held["Key"]] = held["ETag"]
        return added_up(directory, FileFormat.JSON, desc)

    return RealDestination(BucketOfFiles(settings, (), name, "some/prefix", FileFormat.JSON), read, None)


def delta_destination(
    uri: str, settings: tuple[tuple[str, str], ...] = (), desc: RelationDesc = DESC
) -> RealDestination:
    """A table of Delta Lake, in a directory or in a bucket."""

    told = dict(settings)
    client = aws_client("s3", told) if settings else None

    def rows() -> Counter[Row]:
        options = None
        if settings:
            options = {"AWS_ENDPOINT_URL": told["endpoint"], "AWS_REGION": told["region"], "AWS_ALLOW_HTTP": "true"}
            options |= {"AWS_ACCESS_KEY_ID": told["key_id"], "AWS_SECRET_ACCESS_KEY": told["key"]}
        try:
            table = DeltaTable(uri, storage_options=options)
        except TableNotFoundError:
            return Counter()
        return _rows_of(table.to_pyarrow_table().to_pylist(), desc)

    def files() -> object:
        """Returns what tells one state of the table's files from another: one of them may be lost or written twice."""
        if client is None:
            found = (path for path in Path(uri).rglob("*") if path.is_file())
            return sorted((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in found)
        bucket, _, prefix = uri.removeprefix("s3://").partition("/")
        pages = client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=f"{prefix}/")
        return [(each["Key"], each["ETag"]) for page in pages for each in page.get("Contents", ())]

    return RealDestination(DeltaPlace(uri, settings), _once(files, rows), None)


def _once(version: Callable[[], object], rows: Callable[[], Counter[Row]]) -> Callable[[], Counter[Row]]:
    """Returns a reader that takes `rows` anew where `version` is another than it was when they were last taken.

    Tests read after each message to a driver, of which few change anything, and reading a lake takes long.
    """
    known: list[tuple[object, Counter[Row]]] = []

    def read() -> Counter[Row]:
        now = version()
        if not known or known[0][0] != now:
            known[:] = [(now, rows())]
        return known[0][1].copy()

    return read


def iceberg_rows(directory: Path, table: str) -> list[dict[str, Any]]:
    """What a table of a directory's catalog has; nothing before there is one."""
    if not (directory / CATALOG_FILE).exists():
        return []
    catalog = SqlCatalog(CATALOG, uri=f"sqlite:///{directory}/{CATALOG_FILE}", init_catalog_tables="false")
    with closing(catalog):
        try:
            return [*catalog.load_table(table).scan().to_arrow().to_pylist()]
        except (NoSuchTableError, OperationalError):
            return []


def iceberg_destination(directory: Path, desc: RelationDesc = DESC) -> RealDestination:
    """A table of Apache Iceberg, in a directory."""

    def state() -> object:
        """Returns where the catalog says that the table's metadata are, with the files of rows that there are."""
        if not (directory / CATALOG_FILE).exists():
            return None
        with closing(sqlite3.connect(directory / CATALOG_FILE)) as catalog:
            try:
                places = catalog.execute("SELECT metadata_location FROM iceberg_tables").fetchall()
                return places, sorted(map(str, directory.rglob("*.parquet")))
            except sqlite3.OperationalError:
                return None  # the catalog has no tables yet

    def rows() -> Counter[Row]:
        return _rows_of(iceberg_rows(directory, "some.table"), desc)

    return RealDestination(IcebergPlace(str(directory), ("some", "table")), _once(state, rows), None)


def added_up(directory: Path, format_: FileFormat, desc: RelationDesc = DESC) -> Counter[Row]:
    """The rows that changes of the newest version come to."""
    versions = sorted(directory.glob("v*"), key=lambda path: int(path.name[1:]))
    held: Counter[Row] = Counter()
    for file in sorted(versions[-1].glob("[0-9]*")) if versions else ():
        for change in _changes(file, format_):
            row = ((change[name], type_) for name, type_ in zip(desc.names, desc.types, strict=True))
            held[tuple(value if type_ == TEXT else int(value) for value, type_ in row)] += int(change["mz_diff"])
    assert all(count >= 0 for count in held.values())
    return +held


def _changes(file: Path, format_: FileFormat) -> list[dict[str, Any]]:
    match format_:
        case FileFormat.PARQUET:
            return [*pq.read_table(file).to_pylist()]
        case FileFormat.CSV:
            with file.open(newline="") as lines:
                return list(csv.DictReader(lines))
        case FileFormat.JSON:
            return [json.loads(line) for line in file.read_text().splitlines()]
