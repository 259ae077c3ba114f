"""Kinds of destinations by name, each on the real thing."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from connectors.files.objects import BucketOfFiles
from model.external.sinks import FileFormat
from model.types.relation_desc import RelationDesc
from tests.connectors.sinks.destinations import (
    RealDestination,
    bucket_destination,
    connector_destination,
    delta_destination,
    dynamodb_destination,
    files_destination,
    iceberg_destination,
    mysql_destination,
    opensearch_destination,
    postgres_destination,
    redis_destination,
    sqlite_destination,
    stream_destination,
)
from tests.connectors.sinks.sessions import DESC

FILES = ["parquet", "csv", "json", "bucket"]
TABLES = ["sqlite", "postgres", "mysql"]
LAKES = ["delta", "delta-bucket", "iceberg"]
TRANSACTIONAL = [*TABLES, *LAKES, "connector", "redis", "dynamodb", "opensearch"]
KEYED = [*TABLES, *LAKES, "redis", "dynamodb", "opensearch"]
UNREAD = ["dynamodb", "opensearch"]
"""Kinds that nothing is loaded from."""
_BUCKETS = itertools.count()


def made(kind: str, directory: Path, request: pytest.FixtureRequest, desc: RelationDesc = DESC) -> RealDestination:
    """Servers are started where a kind needs them."""
    match kind:
        case "bucket":
            return bucket_destination(directory, request.getfixturevalue("amazon"), f"b{next(_BUCKETS)}-of-files", desc)
        case "sqlite":
            return sqlite_destination(directory, desc)
        case "postgres":
            return postgres_destination(request.getfixturevalue("judge"), desc)
        case "mysql":
            return mysql_destination(request.getfixturevalue("mariadb"), desc)
        case "redis":
            return redis_destination(request.getfixturevalue("redis_server"), desc)
        case "redis-stream":
            return stream_destination(request.getfixturevalue("redis_server"), desc)
        case "dynamodb":
            return dynamodb_destination(request.getfixturevalue("amazon"), "docs", desc)
        case "opensearch":
            return opensearch_destination(request.getfixturevalue("opensearch"), desc)
        case "delta":
            return delta_destination(str(directory / "delta"), desc=desc)
        case "delta-bucket":
            bucket = made("bucket", directory, request).place
            assert isinstance(bucket, BucketOfFiles)
            return delta_destination(f"s3://{bucket.bucket}/some/table", bucket.settings, desc)
        case "iceberg":
            return iceberg_destination(directory / "iceberg", desc)
        case "connector":
            return connector_destination(directory, desc)
        case _:
            return files_destination(directory, FileFormat(kind), desc)
