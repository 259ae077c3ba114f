"""FROM FILES 'glob': which files, and what rows become of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.files import AUTO, ROWS, FilePattern, Framing
from model.generators import UpstreamTable
from model.records import RecordEncoding, RecordMetadata, SchemaFields
from model.relation_desc import ColumnDesc, RelationDesc
from model.sqlstate import Sqlstate
from planner.plans.sources import FindFilesPlan
from planner.scope.analysis import Analysis
from planner.statements.sources.columns import named_columns
from planner.statements.sources.encoding import plan_encoding
from planner.statements.sources.options import ClauseOptions
from planner.syntax.parse import ParsedStatement
from planner.syntax.source_statements import CreateSource, CsvFormat, Decoding, FromAddress, KeyValueFormat, PlainFormat

FILE_OPTIONS = ("SCAN", "SCAN INTERVAL", "CHANGED OBJECTS")
_PATTERN_LENGTH_MAX = 4_096
_INTERVAL_LEAST_MS, _INTERVAL_MOST_MS = 10, 3_600_000
_COMPRESSIONS = ("gzip", "zstd", AUTO)
_FRAMINGS = {"BYTES": Framing.LINES, "TEXT": Framing.TEXT_LINES, "JSON": Framing.JSON_LINES}


def plan_files(
    analysis: Analysis, statement: ParsedStatement, upstream: FromAddress, options: ClauseOptions
) -> FindFilesPlan | tuple[FilePattern, RecordEncoding | UpstreamTable, RelationDesc]:
    """Where the columns stand in the files, these are looked at first."""
    node: CreateSource = statement.node
    files = _pattern(analysis, node, upstream, options)
    decoding = node.decoding
    if isinstance(decoding.format, KeyValueFormat) or (
        decoding.envelope is not None and decoding.envelope.kind != "NONE"
    ):
        raise analysis.unsupported("KEY FORMAT and ENVELOPE of a FILES source", hint="Records of files have no key.")
    match decoding.format:
        case None:
            hint = "Say FORMAT CSV WITH HEADER, CSV WITH n COLUMNS, JSON, TEXT, BYTES or PARQUET."
            raise analysis.error(Sqlstate.SYNTAX_ERROR, "a FILES source needs FORMAT", node.name.location, hint=hint)
        case PlainFormat("PARQUET"):
            return _parquet(analysis, statement, node, files)
        case CsvFormat(columns=None, header=header) as csv:
            if not header and node.found_columns is None:
                return FindFilesPlan(statement, files, csv.delimiter or ",")
            names = header or tuple(column.name for column in node.found_columns or ())
            counted = replace(decoding, format=replace(csv, columns=len(names), header=()))
            files = replace(files, framing=Framing.CSV, header=True)
            return _records(analysis, node, files, counted, options, node.columns or names)
        case CsvFormat():
            files = replace(files, framing=Framing.CSV)
            return _records(analysis, node, files, decoding, options, node.columns)
        case PlainFormat(kind, array=False) if kind in _FRAMINGS:
            files = replace(files, framing=_FRAMINGS[kind])
            return _records(analysis, node, files, decoding, options, node.columns)
        case _:
            raise analysis.unsupported("this FORMAT of a FILES source", node.name.location)


def _pattern(analysis: Analysis, node: CreateSource, upstream: FromAddress, options: ClauseOptions) -> FilePattern:
    said = ClauseOptions(analysis, upstream.options)
    pattern = said.text("PATTERN") or ""
    if not pattern or "\x00" in pattern or len(pattern) > _PATTERN_LENGTH_MAX:
        raise analysis.error(
            Sqlstate.INVALID_PARAMETER_VALUE, "a FILES source needs a pattern of files", node.name.location
        )
    compression = (said.text("COMPRESSION") or "none").lower()
    if compression != "none" and compression not in _COMPRESSIONS:
        raise said.invalid("COMPRESSION")
    scan = (options.text("SCAN") or "continuous").lower()
    if scan not in ("continuous", "once"):
        raise options.invalid("SCAN")
    changed = (options.text("CHANGED OBJECTS") or "fail").lower()
    if changed not in ("fail", "ignore"):
        raise options.invalid("CHANGED OBJECTS")
    interval_ms = options.interval_ms("SCAN INTERVAL")
    if interval_ms is not None and not _INTERVAL_LEAST_MS <= interval_ms <= _INTERVAL_MOST_MS:
        raise options.invalid("SCAN INTERVAL")
    return FilePattern(
        pattern,
        Framing.LINES,
        compression=None if compression == "none" else compression,
        interval_ms=1_000 if interval_ms is None else interval_ms,
        once=scan == "once",
        changes_ignored=changed == "ignore",
    )


def _records(
    analysis: Analysis,
    node: CreateSource,
    files: FilePattern,
    decoding: Decoding,
    options: ClauseOptions,
    names: Sequence[str],
) -> tuple[FilePattern, RecordEncoding, RelationDesc]:
    encoding, desc = plan_encoding(analysis, decoding, _with_included(decoding, names), options)
    assert not isinstance(encoding.value, SchemaFields), "no such format was taken"
    for each in encoding.metadata:
        if each is not RecordMetadata.OFFSET:
            raise analysis.unsupported(f"INCLUDE {each.name} of a FILES source", hint="Say INCLUDE OFFSET.")
    return files, encoding, desc


def _with_included(decoding: Decoding, names: Sequence[str]) -> Sequence[str]:
    """Names of all columns, where those are known that files have."""
    return () if not names else (*names, *(each.name or each.what.lower() for each in decoding.include))


def _parquet(
    analysis: Analysis, statement: ParsedStatement, node: CreateSource, files: FilePattern
) -> FindFilesPlan | tuple[FilePattern, UpstreamTable, RelationDesc]:
    if node.decoding.include:
        raise analysis.unsupported("INCLUDE of a FILES source of Parquet", node.name.location)
    if files.compression is not None:
        message = "COMPRESSION does not go with FORMAT PARQUET, which has its own"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.name.location)
    found: tuple[ColumnDesc, ...] | None = node.found_columns
    if found is None:
        return FindFilesPlan(statement, files, None)
    desc = named_columns(analysis, RelationDesc(found), node.columns)
    return replace(files, columns=tuple(column.name for column in found)), UpstreamTable(ROWS), desc
