"""Opens drivers by the kind of their place: the only list of kinds of drivers."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from connectors.files.directory import DirectoryStore
from connectors.files.driver import FilesDriver
from connectors.mysql.driver import MysqlDriver
from connectors.postgres.driver import PostgresDriver
from connectors.program.driver import ConnectorDriver
from connectors.sinks.description import (
    BucketOfFiles,
    DeltaPlace,
    DestinationTopic,
    DynamodbTable,
    Endpoint,
    IcebergPlace,
    MysqlTable,
    PostgresTable,
    RedisKeys,
    SinkPlace,
)
from connectors.sinks.driver import Driver
from connectors.sqlite.driver import SqliteDriver
from connectors.webhook.driver import WebhookDriver
from model.external.sinks import ConnectorProgram, DirectoryOfFiles, SqliteTable


def open_driver(place: SinkPlace, token: str, directory: Path) -> Driver:
    """Returns a driver that waits for Open. `token` is unique to the session. Temporary files go to `directory`,
    which is swept later."""
    match place:
        case SqliteTable():
            return SqliteDriver(place)
        case DirectoryOfFiles():
            return FilesDriver(DirectoryStore(place.path, token), place.format)
        case ConnectorProgram():
            return ConnectorDriver(place)
        case PostgresTable():
            return PostgresDriver(place)
        case MysqlTable():
            return MysqlDriver(place)
        case RedisKeys():
            from connectors.redis.driver import RedisDriver

            return RedisDriver(place, token, directory)
        case DynamodbTable():
            from connectors.dynamodb.driver import DynamodbDriver

            return DynamodbDriver(place, token)
        case BucketOfFiles():
            from connectors.files.bucket import BucketStore

            return FilesDriver(BucketStore(place, directory), place.format)
        case DeltaPlace():
            from connectors.delta.driver import DeltaDriver

            return DeltaDriver(place, directory)
        case IcebergPlace():
            from connectors.iceberg.driver import IcebergDriver

            return IcebergDriver(place, directory)
        case Endpoint():
            return WebhookDriver(place)
        case DestinationTopic():
            from connectors.kafka.driver import KafkaDriver

            return KafkaDriver(place)
        case _:
            assert_never(place)
