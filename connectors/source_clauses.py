"""The clauses of CREATE SOURCE, as the system that is read asks for them."""

from __future__ import annotations

from typing import Protocol

from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId


class SourceClauses(Protocol):
    """The clauses of a CREATE SOURCE statement, as a system asks for them. Errors point at the clause."""

    @property
    def source(self) -> str:
        """The name of the source."""

    @property
    def connected(self) -> bool:
        """The statement has a connection."""

    @property
    def connection(self) -> GlobalId:
        """The id of the statement's connection. Call only when `connected` is true."""

    @property
    def keyed(self) -> bool:
        """The statement has KEY FORMAT."""

    @property
    def by_schema(self) -> bool:
        """The statement has a FORMAT that needs a schema: AVRO or PROTOBUF."""

    @property
    def envelope(self) -> str:
        """The kind of ENVELOPE; NONE without the clause."""

    def includes(self, what: str) -> bool:
        """Tells whether INCLUDE names a part of records, such as HEADERS."""

    def text(self, option: str) -> str | None:
        """Returns an option that is a word or a string."""

    def texts(self, option: str) -> tuple[str, ...]:
        """Returns an option that is a list of strings, or one string."""

    def number(self, option: str, least: int = 0, most: int | None = None) -> int | None:
        """Returns an option that is a whole number."""

    def numbers(self, option: str) -> tuple[int, ...]:
        """Returns an option that is a list of whole numbers, or one number."""

    def interval_ms(self, option: str) -> int | None:
        """Returns an option that is an interval, in milliseconds."""

    def refuse(self, *options: str) -> None:
        """Raises 0A000 for options that are given."""

    def invalid(self, option: str) -> SqlError:
        """Returns the error for an option whose value is not valid."""

    def lacks(self, what: str) -> SqlError:
        """Returns the error for a required option that the statement lacks."""

    def contrary(self, message: str) -> SqlError:
        """Returns an error 42601, for options that exclude each other."""

    def unsupported(self, what: str, hint: str | None = None) -> SqlError:
        """Returns an error 0A000."""
