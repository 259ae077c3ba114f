"""INTO …: where a sink writes to, by the kind of destination."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping

from model.errors.sqlstate import Sqlstate
from model.external.sinks import (
    ConnectedStore,
    ConnectedTable,
    ConnectorProgram,
    DirectoryOfFiles,
    FileFormat,
    LakeDirectory,
    RegistryFormat,
    SinkEnvelope,
    SinkTarget,
    SqliteTable,
)
from model.types.scalar_type import TypeName, type_text
from planner.catalog_view import ItemView
from planner.scope.analysis import Analysis
from planner.statements.connections.access_objects import access_object
from planner.statements.sources.options import ClauseOptions
from planner.syntax.own_statements import Place
from planner.syntax.sink_statements import CreateSink, SinkFormat

_TOPIC = re.compile(r"[a-zA-Z0-9._-]{1,249}")
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_DYNAMODB_TABLE, _DYNAMODB_KEY_MOST = re.compile(r"[a-zA-Z0-9_.-]{3,255}"), 2
_COMPRESSIONS = ("none", "gzip", "snappy", "lz4", "zstd")
_PARTITIONS_MOST, _REPLICAS_MOST = 100_000, 32_767
_PREFIX_LENGTH_MAX = 1_000
_ICEBERG_NAME_PARTS, _NAMESPACE = 2, "public"
"""A namespace, which is this one unless told, and a name."""
_HEADER_TYPES = (TypeName.TEXT, TypeName.BYTEA)
_WHOLE_NUMBERS = (TypeName.INT2, TypeName.INT4, TypeName.INT8, TypeName.UINT2, TypeName.UINT4, TypeName.UINT8)


def plan_destination(analysis: Analysis, node: CreateSink, item: ItemView) -> SinkTarget:
    """Plans the destination of INTO and its clauses. `item` is the relation that is written."""
    options = ClauseOptions(analysis, node.options)
    if node.headers is not None and node.into != "KAFKA":
        raise analysis.unsupported(f"HEADERS into {node.into}", node.headers.location)
    here, there = _ON_THE_SERVER.get(node.into), _CONNECTED.get(node.into)
    if node.connection is None and here is not None:
        return here(analysis, node, item, options)
    if node.connection is not None and there is not None:
        return there(analysis, node, item, options, node.connection)
    if node.connection is not None and here is not None:
        message = f"a {node.into} sink has no connection"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.connection.location)
    if there is not None:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, f"a {node.into} sink needs CONNECTION", node.name.location)
    raise analysis.unsupported(f"a sink into {node.into}", node.name.location)


# On the server


def _sqlite(analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions) -> SinkTarget:
    _refuse_clauses(analysis, node)
    return SqliteTable(_path(analysis, node, options), options.text("TABLE") or item.name.name)


def _files(analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions) -> SinkTarget:
    return DirectoryOfFiles(_path(analysis, node, options), _file_format(analysis, node))


def _delta(analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions) -> SinkTarget:
    _refuse_clauses(analysis, node)
    return LakeDirectory(node.into, _path(analysis, node, options))


def _iceberg(analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions) -> SinkTarget:
    """(PATH p [, TABLE [namespace.]t])"""
    _refuse_clauses(analysis, node)
    table = options.name("TABLE") or (item.name.name,)
    if (
        len(table) > _ICEBERG_NAME_PARTS
        or any(sign in part for part in table for sign in "./\\\x00")
        or not all(map(_in_locations, table))
    ):
        raise options.invalid("TABLE")
    named = table if len(table) == _ICEBERG_NAME_PARTS else (_NAMESPACE, *table)
    path = _path(analysis, node, options)
    if not _in_locations(path):
        raise options.invalid("PATH")
    return LakeDirectory(node.into, path, named)


def _in_locations(name: str) -> bool:
    """Tells whether a name works as a file's location for readers of the format."""
    return not any(sign in "?#%" for sign in name)


def _connector(analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions) -> SinkTarget:
    _refuse_clauses(analysis, node)
    return ConnectorProgram(_command(analysis, node, options), _config(options))


def _command(analysis: Analysis, node: CreateSink, options: ClauseOptions) -> str:
    """Words as a shell's, the first of which is a program."""
    command = options.text("COMMAND") or ""
    try:
        words = [] if "\x00" in command else shlex.split(command)
    except ValueError:
        raise options.invalid("COMMAND") from None
    if not words:
        raise _needs(analysis, node, "COMMAND")
    return command


def _config(options: ClauseOptions) -> tuple[tuple[str, str], ...]:
    """CONFIG '{"name": "text", …}': what a program is told of its destination."""
    text = options.text("CONFIG")
    try:
        told = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise options.invalid("CONFIG") from None
    if not isinstance(told, dict) or not all(isinstance(value, str) for value in told.values()):
        raise options.invalid("CONFIG")
    return tuple(told.items())


def _path(analysis: Analysis, node: CreateSink, options: ClauseOptions) -> str:
    path = options.text("PATH")
    if not path or "\x00" in path:
        raise _needs(analysis, node, "PATH")
    return path


def _file_format(analysis: Analysis, node: CreateSink) -> FileFormat:
    """Returns the format of files, in which each row is a change."""
    if node.key is not None:
        hint = "Each change is a row, with mz_timestamp and mz_diff."
        raise analysis.unsupported("a KEY of files", node.key.columns[0].location, hint=hint)
    _refuse_envelope(analysis, node)
    told = node.format
    if told is None:
        return FileFormat.PARQUET
    if told.registry is None and node.key_format is None:
        try:
            return FileFormat(told.name.lower())
        except ValueError:
            pass
    hint = f"Formats of files are {', '.join(each.value.upper() for each in FileFormat)}."
    raise analysis.unsupported(f"FORMAT {told.name} of files", node.name.location, hint=hint)


# By a connection


def _table(
    analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions, connection: Place
) -> SinkTarget:
    _refuse_clauses(analysis, node)
    reached = access_object(analysis, "connection", connection).id
    return ConnectedTable(node.into, reached, options.name("TABLE") or (item.name.name,))


def _keys(
    analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions, connection: Place
) -> SinkTarget:
    """Plans Redis's keys, whose prefix is one name, with any characters."""
    _refuse_clauses(analysis, node)
    target = options.text("TABLE") or item.name.name
    if len(target) > _PREFIX_LENGTH_MAX or "\x00" in target:
        raise options.invalid("TABLE")
    return ConnectedTable(node.into, access_object(analysis, "connection", connection).id, (target,))


def _items(
    analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions, connection: Place
) -> SinkTarget:
    """A table of DynamoDB, whose key is one attribute, or two."""
    _refuse_clauses(analysis, node)
    table = options.text("TABLE") or item.name.name
    if not _DYNAMODB_TABLE.fullmatch(table):
        raise options.invalid("TABLE")
    if node.key is None:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "a DYNAMODB sink needs a KEY", node.name.location)
    if len(node.key.columns) > _DYNAMODB_KEY_MOST:
        extra = node.key.columns[_DYNAMODB_KEY_MOST].location
        raise analysis.unsupported(f"a key of {len(node.key.columns)} columns in DynamoDB", extra)
    for place in node.key.columns:
        at = item.column_named(place.parts[-1])
        if at is not None and item.desc.types[at].name is TypeName.BOOL:
            raise analysis.unsupported("a boolean in a key of DynamoDB", place.location)
    return ConnectedTable(node.into, access_object(analysis, "connection", connection).id, (table,))


def _kafka(
    analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions, connection: Place
) -> SinkTarget:
    """(TOPIC t [, TOPIC PARTITION COUNT n] …) [HEADERS h] FORMAT f [ENVELOPE UPSERT | DEBEZIUM]"""
    topic = options.text("TOPIC")
    if not topic:
        raise _needs(analysis, node, "TOPIC")
    if not _TOPIC.fullmatch(topic) or topic in (".", ".."):
        raise options.invalid("TOPIC")
    told = {"TOPIC": topic}
    for name, most in (("TOPIC PARTITION COUNT", _PARTITIONS_MOST), ("TOPIC REPLICATION FACTOR", _REPLICAS_MOST)):
        number = options.number(name, 1, most)
        if number is not None:
            told[name] = str(number)
    compression = options.text("COMPRESSION TYPE")
    if compression is not None:
        if compression.lower() not in _COMPRESSIONS:
            raise options.invalid("COMPRESSION TYPE")
        told["COMPRESSION TYPE"] = compression.lower()
    for name in ("TRANSACTIONAL ID PREFIX", "PROGRESS GROUP ID PREFIX"):
        prefix = options.text(name)
        if prefix is not None:
            if len(prefix) > _PREFIX_LENGTH_MAX or "\x00" in prefix:
                raise options.invalid(name)
            told[name] = prefix
    envelope = _envelope(analysis, node)
    if node.format is None:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "a KAFKA sink needs FORMAT", node.name.location)
    key_format = None if node.key_format is None else _message_format(analysis, node.key_format, "key", node)
    return ConnectedStore(
        node.into,
        access_object(analysis, "connection", connection).id,
        tuple(told.items()),
        envelope,
        _message_format(analysis, node.format, "value", node),
        key_format,
        _headers(analysis, node, item, envelope),
        _partition_by(analysis, node, item, options),
    )


def _headers(analysis: Analysis, node: CreateSink, item: ItemView, envelope: SinkEnvelope) -> int | None:
    """Returns the place of the headers' column among the documents' columns."""
    if node.headers is None:
        return None
    place = node.headers
    if envelope is not SinkEnvelope.UPSERT:
        raise analysis.unsupported("HEADERS without ENVELOPE UPSERT", place.location)
    at = _column(analysis, item, place)
    type_ = item.desc.types[at]
    if type_.name is not TypeName.MAP or type_.member is None or type_.member.name not in _HEADER_TYPES:
        message = f"HEADERS are of type map[text=>text] or map[text=>bytea], not {type_text(type_)}"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, place.location)
    return item.visible.index(at)


def _partition_by(analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions) -> int | None:
    """Returns the place of the column that chooses partitions: one of the key, so that all messages of a key are in
    one partition."""
    parts = options.name("PARTITION BY")
    if parts is None:
        return None
    place = Place(parts, node.name.location)
    at = _column(analysis, item, place)
    if node.key is None or at not in (_column(analysis, item, each) for each in node.key.columns):
        message = "PARTITION BY is a column of the KEY"
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, place.location)
    if item.desc.types[at].name not in _WHOLE_NUMBERS:
        hint = "The remainder of a whole number is the partition; a view can compute one."
        message = f"PARTITION BY can't be of type {type_text(item.desc.types[at])}"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, place.location, hint=hint)
    return item.visible.index(at)


def _column(analysis: Analysis, item: ItemView, place: Place) -> int:
    at = item.column_named(place.parts[-1]) if len(place.parts) == 1 else None
    if at is None:
        message = f'column "{".".join(place.parts)}" does not exist'
        raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message, place.location)
    return at


def _files_in_bucket(
    analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions, connection: Place
) -> SinkTarget:
    """(BUCKET b [, PREFIX p]) [FORMAT f]"""
    told = _bucket(analysis, node, options)
    reached = access_object(analysis, "connection", connection).id
    format_ = _file_format(analysis, node).value.upper()
    return ConnectedStore(node.into, reached, told, SinkEnvelope.CHANGES, format_)


def _delta_in_bucket(
    analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions, connection: Place
) -> SinkTarget:
    """(BUCKET b, PREFIX p)"""
    _refuse_clauses(analysis, node)
    told = _bucket(analysis, node, options)
    if "PREFIX" not in options:
        raise _needs(analysis, node, "PREFIX")
    envelope = SinkEnvelope.CHANGES if node.key is None else SinkEnvelope.UPSERT
    return ConnectedStore(node.into, access_object(analysis, "connection", connection).id, told, envelope)


def _bucket(analysis: Analysis, node: CreateSink, options: ClauseOptions) -> tuple[tuple[str, str], ...]:
    """BUCKET and PREFIX."""
    bucket, prefix = options.text("BUCKET"), options.text("PREFIX") or ""
    if not bucket:
        raise _needs(analysis, node, "BUCKET")
    if not _BUCKET.fullmatch(bucket):
        raise options.invalid("BUCKET")
    if len(prefix.encode()) > _PREFIX_LENGTH_MAX or any(sign < " " for sign in prefix):
        raise options.invalid("PREFIX")
    return (("BUCKET", bucket), ("PREFIX", prefix)) if prefix else (("BUCKET", bucket),)


def _webhook(
    analysis: Analysis, node: CreateSink, item: ItemView, options: ClauseOptions, connection: Place
) -> SinkTarget:
    if node.envelope is not None and node.envelope != "UPSERT":
        raise analysis.unsupported(f"ENVELOPE {node.envelope} of a webhook", node.name.location)
    told = node.format
    if node.key_format is not None or (told is not None and (told.name != "JSON" or told.registry is not None)):
        raise analysis.unsupported("a FORMAT of a webhook", node.name.location, hint="Say FORMAT JSON, or nothing.")
    reached = access_object(analysis, "connection", connection).id
    return ConnectedStore(node.into, reached, (), _envelope(analysis, node), "JSON")


_MESSAGE_FORMATS = {"key": ("JSON", "TEXT", "AVRO"), "value": ("JSON", "AVRO")}


def _message_format(analysis: Analysis, told: SinkFormat, part: str, node: CreateSink) -> str | RegistryFormat:
    if told.name not in _MESSAGE_FORMATS[part]:
        hint = f"A {part}'s formats are {', '.join(_MESSAGE_FORMATS[part])}."
        raise analysis.unsupported(f"FORMAT {told.name} of a {part}", node.name.location, hint=hint)
    if (told.name == "AVRO") != (told.registry is not None):
        message = f"FORMAT {told.name} {'needs' if told.registry is None else 'has no'} CONFLUENT SCHEMA REGISTRY"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.name.location)
    if told.registry is None:
        if told.name == "TEXT" and (node.key is None or len(node.key.columns) != 1):
            message = "KEY FORMAT TEXT is for a key of one column"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.name.location)
        return told.name
    return RegistryFormat(told.name, access_object(analysis, "connection", told.registry).id)


def _envelope(analysis: Analysis, node: CreateSink) -> SinkEnvelope:
    """Returns the envelope, if given; else UPSERT for keyed documents, and CHANGES for others."""
    match node.envelope:
        case None:
            return SinkEnvelope.CHANGES if node.key is None else SinkEnvelope.UPSERT
        case "UPSERT" if node.key is None:
            raise analysis.error(Sqlstate.SYNTAX_ERROR, "ENVELOPE UPSERT needs a KEY", node.name.location)
        case "UPSERT" | "DEBEZIUM":
            return SinkEnvelope(node.envelope.lower())
        case _:
            raise analysis.unsupported(f"ENVELOPE {node.envelope} of a sink", node.name.location)


# What all have in common


def _refuse_clauses(analysis: Analysis, node: CreateSink) -> None:
    """42601 for clauses of messages and files."""
    if node.format is not None:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, f"a {node.into} sink has no FORMAT", node.name.location)
    _refuse_envelope(analysis, node)


def _refuse_envelope(analysis: Analysis, node: CreateSink) -> None:
    if node.envelope is not None:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, f"a {node.into} sink has no ENVELOPE", node.name.location)


def _needs(analysis: Analysis, node: CreateSink, name: str) -> Exception:
    return analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, f"a {node.into} sink needs {name}", node.name.location)


_ON_THE_SERVER: Mapping[str, Callable[[Analysis, CreateSink, ItemView, ClauseOptions], SinkTarget]] = {
    "SQLITE": _sqlite,
    "FILES": _files,
    "CONNECTOR": _connector,
    "DELTA": _delta,
    "ICEBERG": _iceberg,
}
_CONNECTED: Mapping[str, Callable[[Analysis, CreateSink, ItemView, ClauseOptions, Place], SinkTarget]] = {
    "POSTGRES": _table,
    "MYSQL": _table,
    "REDIS": _keys,
    "DYNAMODB": _items,
    "KAFKA": _kafka,
    "WEBHOOK": _webhook,
    "S3": _files_in_bucket,
    "DELTA": _delta_in_bucket,
}
