"""The clauses of CREATE SOURCE, as the system that is read asks for them."""

from __future__ import annotations

from typing import Protocol

from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId


class SourceClauses(Protocol):
    """The clauses of a CREATE SOURCE statement, as a system asks for them. Errors point at the clause."""

    @property
    def connection(self) -> GlobalId:
        """The connection; only to be asked for where the statement has one."""

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

    def invalid(self, option: str) -> SqlError:
        """Returns the error for an option's value."""

    def lacks(self, what: str) -> SqlError:
        """Returns the error for an option that is needed."""

    def unsupported(self, what: str, hint: str | None = None) -> SqlError:
        """Returns an error 0A000."""
