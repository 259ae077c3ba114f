"""Drivers by the place that they write to: the one list of kinds."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from model.sinks import ConnectorProgram, DirectoryOfFiles, SqliteTable
from storage.sinks.description import (
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
from storage.sinks.driver import Driver
from storage.sinks.drivers.connector import ConnectorDriver
from storage.sinks.drivers.directory import DirectoryStore
from storage.sinks.drivers.files import FilesDriver
from storage.sinks.drivers.mysql import MysqlDriver
from storage.sinks.drivers.postgres import PostgresDriver
from storage.sinks.drivers.sqlite import SqliteDriver
from storage.sinks.drivers.webhook import WebhookDriver


def open_driver(place: SinkPlace, token: str, directory: Path) -> Driver:
    """A driver that waits to be asked to open. `token`: no other session has it. What it has on disk for a while is in
    `directory`, which somebody sweeps."""
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
            from storage.sinks.drivers.redis import RedisDriver

            return RedisDriver(place, token, directory)
        case DynamodbTable():
            from storage.sinks.drivers.dynamodb import DynamodbDriver

            return DynamodbDriver(place, token)
        case BucketOfFiles():
            from storage.sinks.drivers.bucket import BucketStore

            return FilesDriver(BucketStore(place, directory), place.format)
        case DeltaPlace():
            from storage.sinks.drivers.delta import DeltaDriver

            return DeltaDriver(place, directory)
        case IcebergPlace():
            from storage.sinks.drivers.iceberg import IcebergDriver

            return IcebergDriver(place, directory)
        case Endpoint():
            return WebhookDriver(place)
        case DestinationTopic():
            from storage.sinks.drivers.kafka import KafkaDriver

            return KafkaDriver(place)
        case _:
            assert_never(place)
