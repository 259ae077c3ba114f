"""INTO …: where a sink writes to. Each system says what its clauses are; here they are read."""

from __future__ import annotations

from connectors.systems import DESTINATIONS
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import FileFormat, RegistryFormat, SinkEnvelope, SinkTarget
from model.ids.global_id import GlobalId
from model.types.scalar_type import TypeName, type_text
from planner.catalog_view import ItemView
from planner.scope.analysis import Analysis
from planner.statements.connections.access_objects import access_object
from planner.statements.sources.source_options import ClauseOptions
from planner.syntax.own_statements import Place
from planner.syntax.sink_statements import CreateSink, SinkFormat

_HEADER_TYPES = (TypeName.TEXT, TypeName.BYTEA)
_WHOLE_NUMBERS = (TypeName.INT2, TypeName.INT4, TypeName.INT8, TypeName.UINT2, TypeName.UINT4, TypeName.UINT8)
_MESSAGE_FORMATS = {"key": ("JSON", "TEXT", "AVRO"), "value": ("JSON", "AVRO")}


def plan_destination(analysis: Analysis, node: CreateSink, item: ItemView) -> SinkTarget:
    """Plans the destination of INTO and its clauses. `item` is the relation that is written."""
    kind = DESTINATIONS.get(node.into)
    if node.headers is not None and (kind is None or not kind.has_headers):
        raise analysis.unsupported(f"HEADERS into {node.into}", node.headers.location)
    if kind is None:
        hint = f"Destinations are {', '.join(DESTINATIONS)}."
        raise analysis.unsupported(f"a sink into {node.into}", node.name.location, hint=hint)
    clauses = StatedClauses(analysis, node, item)
    if node.connection is None and kind.on_server is not None:
        return kind.on_server(clauses)
    if node.connection is not None and kind.connected is not None:
        return kind.connected(clauses)
    if node.connection is not None:
        message = f"a {node.into} sink has no connection"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.connection.location)
    raise analysis.error(Sqlstate.SYNTAX_ERROR, f"a {node.into} sink needs CONNECTION", node.name.location)


class StatedClauses(ClauseOptions):
    """The clauses of a statement, for the destination's system (`SinkClauses`)."""

    def __init__(self, analysis: Analysis, node: CreateSink, item: ItemView) -> None:
        super().__init__(analysis, node.options)
        self._node, self._item = node, item

    @property
    def into(self) -> str:
        """The name of the destination's kind."""
        return self._node.into

    @property
    def relation(self) -> str:
        """The name of the relation that is written."""
        return self._item.name.name

    @property
    def key(self) -> tuple[TypeName, ...] | None:
        """The types of the key's columns."""
        if self._node.key is None:
            return None
        return tuple(self._item.desc.types[self._column(place)].name for place in self._node.key.columns)

    @property
    def connection(self) -> GlobalId:
        """The connection, which there is."""
        assert self._node.connection is not None, "only who has a connection is asked"
        return access_object(self._analysis, "connection", self._node.connection).id

    def invalid(self, option: str) -> SqlError:
        """Returns the error for an option's value, or for its lack where what stands for it by default won't do."""
        return super().invalid(option) if option in self else self.lacks(option)

    def lacks(self, what: str, state: Sqlstate = Sqlstate.INVALID_PARAMETER_VALUE) -> SqlError:
        """Returns the error for a clause that is needed."""
        return self._analysis.error(state, f"a {self.into} sink needs {what}", self._node.name.location)

    def unsupported(self, what: str, hint: str | None = None, column: int | None = None) -> SqlError:
        """Returns an error 0A000, which points at a column of the key, if given."""
        columns = () if self._node.key is None else self._node.key.columns
        place = self._node.name if column is None else columns[column]
        return self._analysis.unsupported(what, place.location, hint=hint)

    def refuse_messages(self) -> None:
        """Raises 42601 for FORMAT and ENVELOPE."""
        if self._node.format is not None:
            raise self._has_no("FORMAT")
        self._refuse_envelope()

    def path(self) -> str:
        """Returns the option PATH, which is needed."""
        path = self.text("PATH")
        if not path or "\x00" in path:
            raise self.lacks("PATH")
        return path

    def file_format(self) -> FileFormat:
        """Returns the format of files, in which each row is a change."""
        if self._node.key is not None:
            hint = "Each change is a row, with mz_timestamp and mz_diff."
            raise self.unsupported("a KEY of files", hint, column=0)
        self._refuse_envelope()
        told = self._node.format
        if told is None:
            return FileFormat.PARQUET
        if told.registry is None and self._node.key_format is None:
            try:
                return FileFormat(told.name.lower())
            except ValueError:
                pass
        hint = f"Formats of files are {', '.join(each.value.upper() for each in FileFormat)}."
        raise self.unsupported(f"FORMAT {told.name} of files", hint)

    def envelope(self) -> SinkEnvelope:
        """Returns the envelope, if given; else UPSERT for keyed documents, and CHANGES for others."""
        keyed = self._node.key is not None
        match self._node.envelope:
            case None:
                return SinkEnvelope.UPSERT if keyed else SinkEnvelope.CHANGES
            case "UPSERT" if not keyed:
                location = self._node.name.location
                raise self._analysis.error(Sqlstate.SYNTAX_ERROR, "ENVELOPE UPSERT needs a KEY", location)
            case "UPSERT" | "DEBEZIUM" as word:
                return SinkEnvelope(word.lower())
            case other:
                raise self.unsupported(f"ENVELOPE {other} of a sink")

    def message_formats(self) -> tuple[str | RegistryFormat, str | RegistryFormat | None]:
        """Returns the format of values, and that of keys where they differ."""
        if self._node.format is None:
            raise self.lacks("FORMAT", Sqlstate.SYNTAX_ERROR)
        told = self._node.key_format
        key = None if told is None else self._message_format(told, "key")
        return self._message_format(self._node.format, "value"), key

    def refuse_formats_but(self, name: str, of: str) -> None:
        """Raises 0A000 for formats but one."""
        told = self._node.format
        if self._node.key_format is not None or (told is not None and (told.name != name or told.registry is not None)):
            raise self.unsupported(f"a FORMAT of {of}", f"Say FORMAT {name}, or nothing.")

    def headers(self, envelope: SinkEnvelope) -> int | None:
        """Returns the place of the headers' column among the documents' columns."""
        place = self._node.headers
        if place is None:
            return None
        if envelope is not SinkEnvelope.UPSERT:
            raise self._analysis.unsupported("HEADERS without ENVELOPE UPSERT", place.location)
        at = self._column(place)
        type_ = self._item.desc.types[at]
        if type_.name is not TypeName.MAP or type_.member is None or type_.member.name not in _HEADER_TYPES:
            message = f"HEADERS are of type map[text=>text] or map[text=>bytea], not {type_text(type_)}"
            raise self._analysis.error(Sqlstate.DATATYPE_MISMATCH, message, place.location)
        return self._item.visible.index(at)

    def partition_by(self) -> int | None:
        """Returns the place of the column that chooses partitions, a column of the key: all messages of a key are in
        one partition.
        """
        parts = self.name("PARTITION BY")
        if parts is None:
            return None
        place = Place(parts, self._node.name.location)
        at, key = self._column(place), self._node.key
        if key is None or at not in map(self._column, key.columns):
            message = "PARTITION BY is a column of the KEY"
            raise self._analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, place.location)
        if self._item.desc.types[at].name not in _WHOLE_NUMBERS:
            hint = "The remainder of a whole number is the partition; a view can compute one."
            message = f"PARTITION BY can't be of type {type_text(self._item.desc.types[at])}"
            raise self._analysis.error(Sqlstate.DATATYPE_MISMATCH, message, place.location, hint=hint)
        return self._item.visible.index(at)

    def _column(self, place: Place) -> int:
        at = self._item.column_named(place.parts[-1]) if len(place.parts) == 1 else None
        if at is None:
            message = f'column "{".".join(place.parts)}" does not exist'
            raise self._analysis.error(Sqlstate.UNDEFINED_COLUMN, message, place.location)
        return at

    def _message_format(self, told: SinkFormat, part: str) -> str | RegistryFormat:
        location = self._node.name.location
        if told.name not in _MESSAGE_FORMATS[part]:
            hint = f"A {part}'s formats are {', '.join(_MESSAGE_FORMATS[part])}."
            raise self.unsupported(f"FORMAT {told.name} of a {part}", hint)
        if (told.name == "AVRO") != (told.registry is not None):
            message = f"FORMAT {told.name} {'needs' if told.registry is None else 'has no'} CONFLUENT SCHEMA REGISTRY"
            raise self._analysis.error(Sqlstate.SYNTAX_ERROR, message, location)
        if told.registry is None:
            if told.name == "TEXT" and (self._node.key is None or len(self._node.key.columns) != 1):
                message = "KEY FORMAT TEXT is for a key of one column"
                raise self._analysis.error(Sqlstate.SYNTAX_ERROR, message, location)
            return told.name
        return RegistryFormat(told.name, access_object(self._analysis, "connection", told.registry).id)

    def _refuse_envelope(self) -> None:
        if self._node.envelope is not None:
            raise self._has_no("ENVELOPE")

    def _has_no(self, clause: str) -> SqlError:
        message = f"a {self.into} sink has no {clause}"
        return self._analysis.error(Sqlstate.SYNTAX_ERROR, message, self._node.name.location)
