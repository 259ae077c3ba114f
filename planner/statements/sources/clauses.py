"""The clauses of CREATE SOURCE, read for the system that the statement names."""

from __future__ import annotations

from dataclasses import replace

from connectors.system import SystemSource
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.scope.analysis import Analysis
from planner.statements.connections.access_objects import access_object
from planner.statements.sources.source_options import ClauseOptions
from planner.syntax.source_statements import (
    CreateSource,
    Decoding,
    FromAddress,
    FromConnection,
    KeyValueFormat,
    PlainFormat,
    SchemaFormat,
)


class UpstreamClauses(ClauseOptions):
    """The options of FROM and the clauses on records, for the system that is read (`SourceClauses`)."""

    def __init__(self, analysis: Analysis, node: CreateSource, upstream: FromAddress | FromConnection) -> None:
        super().__init__(analysis, upstream.options)
        self._node, self._upstream = node, upstream

    @property
    def source(self) -> str:
        """The name of the source."""
        return self._node.name.parts[-1]

    @property
    def connected(self) -> bool:
        """The statement has a connection."""
        return isinstance(self._upstream, FromConnection)

    @property
    def connection(self) -> GlobalId:
        """The id of the statement's connection. Call only when `connected` is true."""
        assert isinstance(self._upstream, FromConnection), "only who has a connection is asked"
        return access_object(self._analysis, "connection", self._upstream.connection).id

    @property
    def keyed(self) -> bool:
        """The statement has KEY FORMAT."""
        return isinstance(self._node.decoding.format, KeyValueFormat)

    @property
    def by_schema(self) -> bool:
        """The statement has a FORMAT that needs a schema."""
        return isinstance(self._node.decoding.format, SchemaFormat)

    @property
    def envelope(self) -> str:
        """The kind of ENVELOPE; NONE without the clause."""
        envelope = self._node.decoding.envelope
        return "NONE" if envelope is None else envelope.kind

    def includes(self, what: str) -> bool:
        """Tells whether INCLUDE names a part of records."""
        return any(each.what == what for each in self._node.decoding.include)

    def lacks(self, what: str) -> SqlError:
        """Returns the error for a required option that the statement lacks."""
        return self.contrary(f"a {self._upstream.kind} source needs {what}")

    def contrary(self, message: str) -> SqlError:
        """Returns an error 42601, for options that exclude each other."""
        return self._analysis.error(Sqlstate.SYNTAX_ERROR, message, self._node.name.location)

    def unsupported(self, what: str, hint: str | None = None) -> SqlError:
        """Returns an error 0A000."""
        return self._analysis.unsupported(what, hint=hint)


def is_named_so(system: SystemSource, upstream: FromAddress | FromConnection) -> bool:
    """Tells whether the system allows the statement's form of FROM: with a connection, or with an address."""
    options = system.options if isinstance(upstream, FromConnection) else system.address_options
    return options is not None


def decoding_of(system: SystemSource, decoding: Decoding) -> Decoding:
    """Returns the clauses on records with the system's own defaults: the usual format, where the statement has no
    FORMAT, and the system's names of the parts that INCLUDE asks for."""
    format_ = decoding.format
    if format_ is None and system.usual_format is not None:
        format_ = PlainFormat(system.usual_format)
    include = tuple(replace(each, what=system.included.get(each.what, each.what)) for each in decoding.include)
    return replace(decoding, format=format_, include=include)
