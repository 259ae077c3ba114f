"""The description of sinks: destinations, and when transactions close."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.ids.global_id import GlobalId


class FileFormat(StrEnum):
    """The format of files."""

    PARQUET = "parquet"
    CSV = "csv"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class SqliteTable:
    """A table of a SQLite database, which is a file of the server's."""

    path: str
    table: str

    @property
    def of(self) -> str:
        """The kind of destination."""
        return "SQLITE"

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """Returns no secrets: the destination needs none."""
        return ()


@dataclass(frozen=True, slots=True)
class DirectoryOfFiles:
    """Files in a directory of the server's."""

    path: str
    format: FileFormat

    @property
    def of(self) -> str:
        """The kind of destination."""
        return "FILES"

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """Returns no secrets: the destination needs none."""
        return ()


@dataclass(frozen=True, slots=True)
class LakeDirectory:
    """A table of a data lake in a directory of the server's, of a kind `of` (`DELTA`); where a directory has many
    (`ICEBERG`), `table` are the parts of its name."""

    of: str
    path: str
    table: tuple[str, ...] = ()

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """Returns no secrets: the destination needs none."""
        return ()


@dataclass(frozen=True, slots=True)
class ConnectedTable:
    """A table behind a connection, of the kind `of` (`POSTGRES`); `table` are the parts of its name."""

    of: str
    connection: GlobalId
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RegistryFormat:
    """A format whose schemas are registered in the registry behind the connection `registry`."""

    name: str
    registry: GlobalId


class SinkEnvelope(StrEnum):
    """The contents of a message: the change itself, the key's new row, or its old and new rows."""

    CHANGES = "changes"
    UPSERT = "upsert"
    DEBEZIUM = "debezium"


@dataclass(frozen=True, slots=True)
class ConnectedStore:
    """Another destination behind a connection, of the kind `of` (`KAFKA`): a topic, a bucket, …

    `options`: as written
    `format`, `key_format`: of values, and of keys where they differ; None where there is only one
    `headers`: the place of the documents' column with the headers of messages
    `partition_by`: the place of the documents' column that chooses partitions
    """

    of: str
    connection: GlobalId
    options: tuple[tuple[str, str], ...]
    envelope: SinkEnvelope
    format: str | RegistryFormat | None = None
    key_format: str | RegistryFormat | None = None
    headers: int | None = None
    partition_by: int | None = None

    @property
    def registries(self) -> tuple[GlobalId, ...]:
        """Returns the connections to where schemas are registered."""
        formats = (self.key_format, self.format)
        return tuple(each.registry for each in formats if isinstance(each, RegistryFormat))


@dataclass(frozen=True, slots=True)
class ConnectorProgram:
    """A program that the server starts, and its configuration."""

    command: str
    config: tuple[tuple[str, str], ...] = ()

    @property
    def of(self) -> str:
        """The kind of destination."""
        return "CONNECTOR"

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """Returns no secrets: the destination needs none."""
        return ()


SinkTarget = SqliteTable | DirectoryOfFiles | LakeDirectory | ConnectorProgram | ConnectedTable | ConnectedStore


@dataclass(frozen=True, slots=True)
class SinkPolicy:
    """The bounds at which a sink's transactions close.

    `age_ms`: the least time between the beginnings of two
    `rows_max`: about so many rows close one, at a whole timestamp
    `snapshot`: false: the collection's contents at the beginning are not written
    `parallelism`: the number of ranges of keys, each with a session of its own
    """

    age_ms: int
    rows_max: int
    snapshot: bool
    parallelism: int = 1
