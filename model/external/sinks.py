"""What sinks are made of, as every room knows them: where they write to, and how their transactions close."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.ids.global_id import GlobalId


class FileFormat(StrEnum):
    """What files hold."""

    PARQUET = "parquet"
    CSV = "csv"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class SqliteTable:
    """A table of a SQLite database, which is a file of the server's."""

    path: str
    table: str

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """None are needed."""
        return ()


@dataclass(frozen=True, slots=True)
class DirectoryOfFiles:
    """Files in a directory of the server's."""

    path: str
    format: FileFormat

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """None are needed."""
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
        """None are needed."""
        return ()


@dataclass(frozen=True, slots=True)
class ConnectedTable:
    """A table that a connection leads to, of a kind `of` of destination (`POSTGRES`); `table` are its names' parts, as
    they are told apart there."""

    of: str
    connection: GlobalId
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RegistryFormat:
    """A format whose schemas are registered with what the connection `registry` leads to."""

    name: str
    registry: GlobalId


class SinkEnvelope(StrEnum):
    """What a message has of a change: the change itself, the row that a key has now, or what it had and what it has."""

    CHANGES = "changes"
    UPSERT = "upsert"
    DEBEZIUM = "debezium"


@dataclass(frozen=True, slots=True)
class ConnectedStore:
    """What else a connection leads to, of a kind `of` (`KAFKA`): topics, buckets, …, by `options` as they are written.
    `format` is of values, `key_format` of keys where it is another; None where there is but one. `headers` and
    `partition_by` are places among the documents' columns: what has the headers of messages, and what says in which
    partition they are."""

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
        """Connections to where schemas are registered."""
        formats = (self.key_format, self.format)
        return tuple(each.registry for each in formats if isinstance(each, RegistryFormat))


@dataclass(frozen=True, slots=True)
class ConnectorProgram:
    """A program that the server starts, and what it is told of its destination."""

    command: str
    config: tuple[tuple[str, str], ...] = ()

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """None are needed."""
        return ()


SinkTarget = SqliteTable | DirectoryOfFiles | LakeDirectory | ConnectorProgram | ConnectedTable | ConnectedStore


@dataclass(frozen=True, slots=True)
class SinkPolicy:
    """Transactions begin `age_ms` after each other at the earliest, and close at a whole timestamp where they have
    about `rows_max` rows. Without `snapshot` what the collection holds when the sink begins is not written.
    `parallelism`: into how many ranges its keys are divided, each with a session of its own."""

    age_ms: int
    rows_max: int
    snapshot: bool
    parallelism: int = 1
