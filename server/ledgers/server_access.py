"""Decides whether statements may reach files and programs of the server's machine.

Anyone who may log in acts as the server's user there: COPY writes that user's files, and a CONNECTOR sink runs any
program. `headwater serve --no-server-files --no-server-programs` switches both off, even for existing objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from catalog.nouns.connections import Connection
from connectors.system import SystemSource
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import (
    ConnectedStore,
    ConnectedTable,
    ConnectorProgram,
    DirectoryOfFiles,
    LakeDirectory,
    SinkTarget,
    SqliteTable,
)


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """The server's start options about files and programs.

    >>> ServerAccess(files=False).to_sink(SqliteTable("/srv/a.sqlite", "t")).message
    'files of the server are switched off'
    """

    files: bool = True
    programs: bool = True

    def to_files(self) -> SqlError | None:
        """Returns why no file of the server may be read or written; None where they may."""
        hint = "COPY … TO STDOUT and FROM STDIN, psql's \\copy, buckets and other systems are open as ever."
        return None if self.files else _switched_off("files", hint)

    def to_sink(self, target: SinkTarget) -> SqlError | None:
        """Returns why a sink may not write to its target; None for an allowed target."""
        match target:
            case SqliteTable() | DirectoryOfFiles() | LakeDirectory():
                return self.to_files()
            case ConnectorProgram():
                hint = "Sinks to databases, topics and buckets are open as ever."
                return None if self.programs else _switched_off("programs", hint)
            case ConnectedTable() | ConnectedStore():
                return None
            case _:
                assert_never(target)

    def to_connection(self, connection: Connection) -> SqlError | None:
        """Returns why a connection may not be used; None where it may. A HOST of PostgreSQL's that is a path, or
        empty, leads to a socket among the server's files."""
        host = dict(connection.options).get("HOST")
        if connection.of != "POSTGRES" or (isinstance(host, str) and all(map(_is_network_host, host.split(",")))):
            return None
        return self.to_files()

    def to_source(self, system: SystemSource) -> SqlError | None:
        """Returns why a source of the system may not be read; None where it may."""
        return self.to_files() if system.on_server else None


def _is_network_host(host: str) -> bool:
    return host != "" and not host.startswith(("/", "@"))


def _switched_off(what: str, hint: str) -> SqlError:
    return SqlError(
        Sqlstate.INSUFFICIENT_PRIVILEGE,
        f"{what} of the server are switched off",
        detail=f"The server was started with --no-server-{what}.",
        hint=hint,
    )
