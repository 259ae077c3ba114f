"""FROM FILES 'glob', and FROM S3 CONNECTION c DISCOVER OBJECTS …: which files, and what rows become of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from model.errors.sqlstate import Sqlstate
from model.external.files import AUTO, ROWS, BucketObjects, FilePattern, Framing
from model.external.generators import UpstreamTable
from model.external.records import RecordEncoding, RecordMetadata, SchemaFields
from model.types.relation_desc import ColumnDesc, RelationDesc
from planner.plans.sources import FindFilesPlan
from planner.scope.analysis import Analysis
from planner.statements.connections.access_objects import access_object
from planner.statements.sources.encoding import plan_encoding
from planner.statements.sources.source_columns import named_columns
from planner.statements.sources.source_options import ClauseOptions
from planner.syntax.parse import ParsedStatement
from planner.syntax.source_statements import (
    CreateSource,
    CsvFormat,
    Decoding,
    FromAddress,
    FromConnection,
    KeyValueFormat,
    PlainFormat,
)

FILE_OPTIONS = ("SCAN", "SCAN INTERVAL", "CHANGED OBJECTS")
_PATTERN_LENGTH_MAX = 4_096
_INTERVAL_LEAST_MS, _INTERVAL_MOST_MS = 10, 3_600_000
_INTERVAL_MS, _BUCKET_INTERVAL_MS = 1_000, 10_000
"""Whoever lists a bucket pays for it."""
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_QUEUE = re.compile(r"[A-Za-z0-9_-]{1,80}|https?://[!-~]{1,500}")
_COMPRESSIONS = ("gzip", "zstd", AUTO)
_FRAMINGS = {"BYTES": Framing.LINES, "TEXT": Framing.TEXT_LINES, "JSON": Framing.JSON_LINES}


def plan_files(
    analysis: Analysis, statement: ParsedStatement, upstream: FromAddress, options: ClauseOptions
) -> FindFilesPlan | tuple[FilePattern, RecordEncoding | UpstreamTable, RelationDesc]:
    """Plans a source of files. Where the files define the columns, the files are read first."""
    files = _pattern(analysis, statement.node, upstream, options, _INTERVAL_MS)
    found = _planned(analysis, statement, "FILES", files, options)
    return FindFilesPlan(statement, files, found.delimiter) if isinstance(found, _Unknown) else found


def plan_objects(
    analysis: Analysis, statement: ParsedStatement, upstream: FromConnection, options: ClauseOptions
) -> FindFilesPlan | tuple[BucketObjects, RecordEncoding | UpstreamTable, RelationDesc]:
    """Plans a source of a bucket's objects, as `plan_files` does."""
    node: CreateSource = statement.node
    connection = access_object(analysis, "connection", upstream.connection).id
    said = ClauseOptions(analysis, upstream.options)
    bucket, queue = said.text("BUCKET SCAN"), said.text("SQS NOTIFICATIONS")
    if bucket is not None and not _BUCKET.fullmatch(bucket):
        raise said.invalid("BUCKET SCAN")
    if queue is not None and not _QUEUE.fullmatch(queue):
        raise said.invalid("SQS NOTIFICATIONS")
    files = _pattern(analysis, node, upstream, options, _BUCKET_INTERVAL_MS if queue is None else _INTERVAL_LEAST_MS)
    if queue is not None and (files.once or options.interval_ms("SCAN INTERVAL") is not None):
        message = "SCAN and SCAN INTERVAL do not go with SQS NOTIFICATIONS, which tell when objects come"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.name.location)
    found = _planned(analysis, statement, "S3", files, options)
    if not isinstance(found, _Unknown):
        files, encoding, desc = found
        return BucketObjects(connection, bucket, queue, files), encoding, desc
    if bucket is None:
        hint = "BUCKET SCAN has its columns looked up in the first object; so do names: CSV WITH HEADER (a, b)."
        raise analysis.unsupported("notifications alone of objects whose columns are not said", hint=hint)
    return FindFilesPlan(statement, BucketObjects(connection, bucket, None, files), found.delimiter)


@dataclass(frozen=True, slots=True)
class _Unknown:
    """The columns are those of the first file: in a header of CSV with such a `delimiter`; None: of Parquet."""

    delimiter: str | None


_Planned = tuple[FilePattern, RecordEncoding | UpstreamTable, RelationDesc]


def _planned(
    analysis: Analysis, statement: ParsedStatement, kind: str, files: FilePattern, options: ClauseOptions
) -> _Planned | _Unknown:
    node: CreateSource = statement.node
    decoding = node.decoding
    if isinstance(decoding.format, KeyValueFormat) or (
        decoding.envelope is not None and decoding.envelope.kind != "NONE"
    ):
        raise analysis.unsupported(f"KEY FORMAT and ENVELOPE of {_named(kind)}", hint="Records of files have no key.")
    match decoding.format:
        case None:
            hint = "Say FORMAT CSV WITH HEADER, CSV WITH n COLUMNS, JSON, TEXT, BYTES or PARQUET."
            raise analysis.error(Sqlstate.SYNTAX_ERROR, f"{_named(kind)} needs FORMAT", node.name.location, hint=hint)
        case PlainFormat("PARQUET"):
            return _parquet(analysis, node, kind, files)
        case CsvFormat(columns=None, header=header) as csv:
            if not header and node.found_columns is None:
                return _Unknown(csv.delimiter or ",")
            names = header or tuple(column.name for column in node.found_columns or ())
            counted = replace(decoding, format=replace(csv, columns=len(names), header=()))
            files = replace(files, framing=Framing.CSV, header=True, fields=names, delimiter=csv.delimiter or ",")
            return _records(analysis, kind, files, counted, options, node.columns or names)
        case CsvFormat():
            files = replace(files, framing=Framing.CSV)
            return _records(analysis, kind, files, decoding, options, node.columns)
        case PlainFormat(kind, array=False) if kind in _FRAMINGS:
            files = replace(files, framing=_FRAMINGS[kind])
            return _records(analysis, kind, files, decoding, options, node.columns)
        case _:
            raise analysis.unsupported(f"this FORMAT of {_named(kind)}", node.name.location)


def _named(kind: str) -> str:
    return f"{'an' if kind == 'S3' else 'a'} {kind} source"


def _pattern(
    analysis: Analysis,
    node: CreateSource,
    upstream: FromAddress | FromConnection,
    options: ClauseOptions,
    interval_ms: int,
) -> FilePattern:
    """Plans the pattern of files; `interval_ms` is the default interval."""
    said = ClauseOptions(analysis, upstream.options)
    pattern = said.text("PATTERN") or ""
    if not pattern or "\x00" in pattern or len(pattern) > _PATTERN_LENGTH_MAX:
        message = f"{_named(upstream.kind)} needs a pattern of files"
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, node.name.location)
    compression = (said.text("COMPRESSION") or "none").lower()
    if compression != "none" and compression not in _COMPRESSIONS:
        raise said.invalid("COMPRESSION")
    scan = (options.text("SCAN") or "continuous").lower()
    if scan not in ("continuous", "once"):
        raise options.invalid("SCAN")
    changed = (options.text("CHANGED OBJECTS") or "fail").lower()
    if changed not in ("fail", "ignore"):
        raise options.invalid("CHANGED OBJECTS")
    said_ms = options.interval_ms("SCAN INTERVAL")
    if said_ms is not None and not _INTERVAL_LEAST_MS <= said_ms <= _INTERVAL_MOST_MS:
        raise options.invalid("SCAN INTERVAL")
    return FilePattern(
        pattern,
        Framing.LINES,
        compression=None if compression == "none" else compression,
        interval_ms=interval_ms if said_ms is None else said_ms,
        once=scan == "once",
        changes_ignored=changed == "ignore",
    )


def _records(
    analysis: Analysis,
    kind: str,
    files: FilePattern,
    decoding: Decoding,
    options: ClauseOptions,
    names: Sequence[str],
) -> tuple[FilePattern, RecordEncoding, RelationDesc]:
    encoding, desc = plan_encoding(analysis, decoding, _with_included(decoding, names), options)
    assert not isinstance(encoding.value, SchemaFields), "no such format was taken"
    for each in encoding.metadata:
        if each is not RecordMetadata.OFFSET:
            raise analysis.unsupported(f"INCLUDE {each.name} of {_named(kind)}", hint="Say INCLUDE OFFSET.")
    return files, encoding, desc


def _with_included(decoding: Decoding, names: Sequence[str]) -> Sequence[str]:
    """Adds the columns of INCLUDE to the names of columns; returns () where no names are known."""
    return () if not names else (*names, *(each.name or each.what.lower() for each in decoding.include))


def _parquet(
    analysis: Analysis, node: CreateSource, kind: str, files: FilePattern
) -> _Unknown | tuple[FilePattern, UpstreamTable, RelationDesc]:
    if node.decoding.include:
        raise analysis.unsupported(f"INCLUDE of {_named(kind)} of Parquet", node.name.location)
    if files.compression is not None:
        message = "COMPRESSION does not go with FORMAT PARQUET, which has its own"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.name.location)
    found: tuple[ColumnDesc, ...] | None = node.found_columns
    if found is None:
        return _Unknown(None)
    desc = named_columns(analysis, RelationDesc(found), node.columns)
    return replace(files, columns=tuple(column.name for column in found)), UpstreamTable(ROWS), desc
