"""Rows of a data collection from records as they were read: key, value, metadata, error."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from model.errors import SqlError
from model.physical import arrow_schema, arrow_type, column_to_arrow
from model.records import (
    DECODED_TYPES,
    METADATA_TYPES,
    CsvFields,
    DecodingErrors,
    RecordEncoding,
    RecordFormat,
    RecordMetadata,
)
from model.relation_desc import RelationDesc
from storage.sources.decode.csv_rows import decode_csv
from storage.sources.decode.formats import decode_all
from storage.sources.upstream import HEADERS, KEY, OFFSET, PARTITION, TIMESTAMP, VALUE

_COLUMNS = {
    RecordMetadata.PARTITION: PARTITION,
    RecordMetadata.OFFSET: OFFSET,
    RecordMetadata.TIMESTAMP: TIMESTAMP,
    RecordMetadata.HEADERS: HEADERS,
}


def decoded_rows(records: pa.Table, encoding: RecordEncoding, desc: RelationDesc) -> pa.Table:
    """A row of `desc` (c0, …, the last one the error) for each record, but for those that are skipped."""
    errors: dict[int, str] = {}
    columns: list[pa.Array | pa.ChunkedArray] = []
    parts = [(VALUE, encoding.value)] if encoding.key is None else [(KEY, encoding.key), (VALUE, encoding.value)]
    for name, format_ in parts:
        decoded, failed = _decoded(format_, records.column(name).to_pylist())
        columns += decoded
        for at, error in failed.items():
            errors.setdefault(at, _told(records, at, name, error))
    for each in encoding.metadata:
        type_ = arrow_type(METADATA_TYPES[each])
        columns.append(
            _headers(records) if each is RecordMetadata.HEADERS else records.column(_COLUMNS[each]).cast(type_)
        )
    if errors:
        sound = pa.array([at not in errors for at in range(records.num_rows)])
        columns = [pc.if_else(sound, column, pa.scalar(None, column.type)) for column in columns]
    columns.append(pa.array([errors.get(at) for at in range(records.num_rows)], pa.string()))
    rows = pa.table(columns, schema=arrow_schema(desc))
    if errors and encoding.decoding_errors is DecodingErrors.SKIP:
        return rows.filter(sound)
    return rows


def _decoded(
    format_: RecordFormat | CsvFields, values: Sequence[bytes | None]
) -> tuple[list[pa.Array], dict[int, SqlError]]:
    """The columns that a key or a value has, and what could not be decoded, by position."""
    if isinstance(format_, CsvFields):
        fields, failed = decode_csv(format_, values)
        return [pa.array(column, pa.string()) for column in fields], failed
    datums, failed = decode_all(format_, values)
    return [column_to_arrow(datums, DECODED_TYPES[format_])], failed


def _told(records: pa.Table, at: int, part: str, error: SqlError) -> str:
    """The text of an error row: which record it is, what is wrong with it, and what can be done about it."""
    partition, offset = (records.column(name)[at].as_py() for name in (PARTITION, OFFSET))
    return (
        f"{error.sqlstate.value} the {part} of the record at partition {partition}, offset {offset} can't be decoded: "
        f"{error.message} (DECODING ERRORS = SKIP leaves such records out)"
    )


def _headers(records: pa.Table) -> pa.Array:
    headers = [[(each["key"], each["value"]) for each in row] for row in records.column(HEADERS).to_pylist()]
    return column_to_arrow(list(map(tuple, headers)), METADATA_TYPES[RecordMetadata.HEADERS])
