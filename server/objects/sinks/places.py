"""The replica's description of a sink's destination: the connections' options, with ids for secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from catalog.facts.roles.decide import is_superuser
from catalog.nouns.connections import Connection
from catalog.state.catalog_state import CatalogState
from connectors.aws.settings import aws_secrets, aws_settings
from connectors.kafka.settings import kafka_settings, secret_settings
from connectors.mysql.settings import mysql_secrets, mysql_settings
from connectors.postgres.settings import postgres_secrets, postgres_settings
from connectors.redis.settings import redis_secrets, redis_settings
from connectors.sinks.description import (
    BucketOfFiles,
    DeltaPlace,
    DestinationTopic,
    DynamodbTable,
    Endpoint,
    IcebergPlace,
    MessageFormat,
    MysqlTable,
    PostgresTable,
    RedisKeys,
    SinkPlace,
)
from model.external.sinks import (
    ConnectedStore,
    ConnectedTable,
    ConnectorProgram,
    DirectoryOfFiles,
    FileFormat,
    LakeDirectory,
    RegistryFormat,
    SinkTarget,
    SqliteTable,
)
from model.ids.global_id import GlobalId
from planner.plans.connection_options import security_protocol

_Secrets = tuple[tuple[str, GlobalId], ...]


def sink_place(target: SinkTarget, state: CatalogState) -> SinkPlace:
    """Returns the place of a sink's destination."""
    match target:
        case SqliteTable() | DirectoryOfFiles() | ConnectorProgram():
            return target
        case LakeDirectory(of="ICEBERG", path=path, table=(namespace, name)):
            return IcebergPlace(path, (namespace, name))
        case LakeDirectory(path=path):
            return DeltaPlace(path)
        case ConnectedTable(of="POSTGRES"):
            connection = _connection(target.connection, state)
            options = dict(connection.options)
            hidden = postgres_secrets(options)
            others = not is_superuser(state, state.items[target.connection].owner)
            known = postgres_settings(options, dict.fromkeys(connection.secrets, ""), only_by_password=others)
            return PostgresTable(_shown(known, hidden), hidden, target.table)
        case ConnectedTable(of="MYSQL"):
            connection = _connection(target.connection, state)
            options = dict(connection.options)
            hidden = mysql_secrets(options)
            known = mysql_settings(options, dict.fromkeys(connection.secrets, ""))
            return MysqlTable(_shown(known, hidden), hidden, target.table)
        case ConnectedTable(of="REDIS", table=(keys,)):
            connection = _connection(target.connection, state)
            options = dict(connection.options)
            hidden = redis_secrets(options)
            known = redis_settings(options, dict.fromkeys(connection.secrets, ""))
            return RedisKeys(_shown(known, hidden), hidden, keys)
        case ConnectedTable(of="DYNAMODB", table=(table,)):
            settings, secrets = _amazon(_connection(target.connection, state))
            return DynamodbTable(settings, secrets, table)
        case ConnectedStore(of="S3"):
            return _bucket(target, _connection(target.connection, state))
        case ConnectedStore(of="DELTA"):
            settings, secrets = _amazon(_connection(target.connection, state))
            told = dict(target.options)
            return DeltaPlace(f"s3://{told['BUCKET']}/{told['PREFIX'].strip('/')}", settings, secrets)
        case ConnectedStore(of="WEBHOOK"):
            return _endpoint(_connection(target.connection, state))
        case ConnectedStore(of="KAFKA"):
            return _topic(target, _connection(target.connection, state), state)
        case ConnectedTable(of=of) | ConnectedStore(of=of):
            raise AssertionError(f"nothing is written to {of}")
        case _:
            assert_never(target)


def _connection(id_: GlobalId, state: CatalogState) -> Connection:
    connection = state.items[id_].definition
    assert isinstance(connection, Connection), "nothing else is in its place"
    return connection


def _shown(settings: Mapping[str, str], hidden: _Secrets) -> tuple[tuple[str, str], ...]:
    """Returns the settings that are no secrets."""
    return tuple((name, value) for name, value in settings.items() if name not in dict(hidden))


def _topic(target: ConnectedStore, connection: Connection, state: CatalogState) -> DestinationTopic:
    options, told = dict(connection.options), dict(target.options)
    known = kafka_settings(options, security_protocol(options), dict.fromkeys(connection.secrets, ""))
    hidden = secret_settings(options)
    compression = told.get("COMPRESSION TYPE")
    assert target.format is not None, "messages have one"
    key_format, key_secrets = _format(target.key_format or target.format, "key", state)
    value_format, value_secrets = _format(target.format, "value", state)
    partitions, replicas = told.get("TOPIC PARTITION COUNT"), told.get("TOPIC REPLICATION FACTOR")
    return DestinationTopic(
        settings=_shown(known, hidden),
        producing=() if compression is None else (("compression.type", compression),),
        secrets=(*hidden, *key_secrets, *value_secrets),
        topic=told["TOPIC"],
        envelope=target.envelope,
        key_format=key_format,
        value_format=value_format,
        partitions=None if partitions is None else int(partitions),
        replicas=None if replicas is None else int(replicas),
        transactional_prefix=told.get("TRANSACTIONAL ID PREFIX", ""),
        group_prefix=told.get("PROGRESS GROUP ID PREFIX", ""),
        headers=target.headers,
        partition_by=target.partition_by,
    )


def _bucket(target: ConnectedStore, connection: Connection) -> BucketOfFiles:
    settings, secrets = _amazon(connection)
    told = dict(target.options)
    assert isinstance(target.format, str), "files need no registry"
    return BucketOfFiles(settings, secrets, told["BUCKET"], told.get("PREFIX", ""), FileFormat(target.format.lower()))


def _amazon(connection: Connection) -> tuple[tuple[tuple[str, str], ...], _Secrets]:
    """Returns the settings of a client of Amazon's services, and its secrets."""
    options = dict(connection.options)
    hidden = aws_secrets(options)
    return _shown(aws_settings(options, dict.fromkeys(connection.secrets, "")), hidden), hidden


def _endpoint(connection: Connection) -> Endpoint:
    options = dict(connection.options)
    hidden = tuple((name, value) for name, value in connection.options if isinstance(value, GlobalId))
    told = options.get("AUTHORIZATION")
    return Endpoint(str(options["URL"]), told if isinstance(told, str) else None, hidden)


def _format(told: str | RegistryFormat, part: str, state: CatalogState) -> tuple[MessageFormat, _Secrets]:
    """Returns a message format; secrets of its registry are named after the part of messages."""
    if isinstance(told, str):
        return MessageFormat(told), ()
    options = _connection(told.registry, state).options
    shown = tuple((name, value) for name, value in options if isinstance(value, str))
    hidden = tuple((f"{part} {name}", value) for name, value in options if isinstance(value, GlobalId))
    return MessageFormat(told.name, shown), hidden
