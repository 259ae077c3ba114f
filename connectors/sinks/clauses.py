"""The clauses of CREATE SINK, as the destination's system asks for them."""

from __future__ import annotations

from typing import Protocol

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import ConnectedTable, FileFormat, RegistryFormat, SinkEnvelope
from model.ids.global_id import GlobalId
from model.types.scalar_type import TypeName


class SinkClauses(Protocol):
    """The clauses of a CREATE SINK statement, as a system asks for them. Errors point at the clause."""

    @property
    def into(self) -> str:
        """The name of the destination's kind."""

    @property
    def relation(self) -> str:
        """The name of the relation that is written."""

    @property
    def key(self) -> tuple[TypeName, ...] | None:
        """The types of the key's columns."""

    @property
    def connection(self) -> GlobalId:
        """The connection; only to be asked for where the statement has one."""

    def __contains__(self, option: str) -> bool:
        """Tells whether an option is given."""

    def text(self, option: str) -> str | None:
        """Returns an option that is a word or a string."""

    def name(self, option: str) -> tuple[str, ...] | None:
        """Returns an option that is a name in parts."""

    def number(self, option: str, least: int = 0, most: int | None = None) -> int | None:
        """Returns an option that is a whole number."""

    def invalid(self, option: str) -> SqlError:
        """Returns the error for an option's value."""

    def lacks(self, what: str, state: Sqlstate = Sqlstate.INVALID_PARAMETER_VALUE) -> SqlError:
        """Returns the error for a clause that is needed."""

    def unsupported(self, what: str, hint: str | None = None, column: int | None = None) -> SqlError:
        """Returns an error 0A000, which points at a column of the key, if given."""

    def refuse_messages(self) -> None:
        """Raises 42601 for FORMAT and ENVELOPE."""

    def path(self) -> str:
        """Returns the option PATH, which is needed."""

    def file_format(self) -> FileFormat:
        """Returns the format of files of changes."""

    def envelope(self) -> SinkEnvelope:
        """Returns the envelope: without the clause, UPSERT for keyed documents and CHANGES for others."""

    def message_formats(self) -> tuple[str | RegistryFormat, str | RegistryFormat | None]:
        """Returns the format of values, and the format of keys if another."""

    def refuse_formats_but(self, name: str, of: str) -> None:
        """Raises 0A000 for formats but one."""

    def headers(self, envelope: SinkEnvelope) -> int | None:
        """Returns the place of the headers' column among the documents' columns."""

    def partition_by(self) -> int | None:
        """Returns the place of the column that chooses partitions."""


def named_table(clauses: SinkClauses) -> ConnectedTable:
    """Plans a table behind a connection: TABLE, by default named as the relation."""
    clauses.refuse_messages()
    return ConnectedTable(clauses.into, clauses.connection, clauses.name("TABLE") or (clauses.relation,))
