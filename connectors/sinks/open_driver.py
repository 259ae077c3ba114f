"""Opens drivers by the kind of their place: the only list of kinds of drivers."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

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
from connectors.sinks.drivers.connector import ConnectorDriver
from connectors.sinks.drivers.directory import DirectoryStore
from connectors.sinks.drivers.files import FilesDriver
from connectors.sinks.drivers.mysql import MysqlDriver
from connectors.sinks.drivers.postgres import PostgresDriver
from connectors.sinks.drivers.sqlite import SqliteDriver
from connectors.sinks.drivers.webhook import WebhookDriver
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
            from connectors.sinks.drivers.redis import RedisDriver

            return RedisDriver(place, token, directory)
        case DynamodbTable():
            from connectors.sinks.drivers.dynamodb import DynamodbDriver

            return DynamodbDriver(place, token)
        case BucketOfFiles():
            from connectors.sinks.drivers.bucket import BucketStore

            return FilesDriver(BucketStore(place, directory), place.format)
        case DeltaPlace():
            from connectors.sinks.drivers.delta import DeltaDriver

            return DeltaDriver(place, directory)
        case IcebergPlace():
            from connectors.sinks.drivers.iceberg import IcebergDriver

            return IcebergDriver(place, directory)
        case Endpoint():
            return WebhookDriver(place)
        case DestinationTopic():
            from connectors.sinks.drivers.kafka import KafkaDriver

            return KafkaDriver(place)
        case _:
            assert_never(place)
