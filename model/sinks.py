"""What sinks are made of, as every room knows them: where they write to, and how their transactions close."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.global_id import GlobalId


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
class ConnectedTable:
    """A table that a connection leads to; `table` are its names' parts, as they are told apart there."""

    connection: GlobalId
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConnectorProgram:
    """A program that the server starts, and what it is told of its destination."""

    command: str
    config: tuple[tuple[str, str], ...] = ()

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """None are needed."""
        return ()


SinkTarget = SqliteTable | DirectoryOfFiles | ConnectorProgram | ConnectedTable


@dataclass(frozen=True, slots=True)
class SinkPolicy:
    """Transactions begin `age_ms` after each other at the earliest, and close at a whole timestamp where they have
    about `rows_max` rows. Without `snapshot` what the collection holds when the sink begins is not written."""

    age_ms: int
    rows_max: int
    snapshot: bool
