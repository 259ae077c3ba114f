"""Decodes the keys and values of records; keeps the errors of those that can't be decoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from connectors.sources.decode.csv_rows import decode_csv
from connectors.sources.decode.debezium import decode_after, decode_debezium_key
from connectors.sources.decode.formats import Decode, decode_all, decoder
from connectors.sources.decode.framing import WriterSchemas
from connectors.sources.decode.schema_fields import DecodedFields, decode_fields
from connectors.upstream import HEADERS, KEY, OFFSET, PARTITION, TIMESTAMP, VALUE
from model.errors.sql_error import SqlError
from model.external.records import (
    DECODED_TYPES,
    ERROR_TYPE,
    METADATA_TYPES,
    CsvFields,
    DecodingErrors,
    Envelope,
    RecordEncoding,
    RecordMetadata,
    SchemaFields,
    ValueFormat,
)
from model.ids.global_id import GlobalId
from model.physical.columns import arrow_type, column_to_arrow

_COLUMNS = {
    RecordMetadata.PARTITION: PARTITION,
    RecordMetadata.OFFSET: OFFSET,
    RecordMetadata.SEQUENCE_NUMBER: OFFSET,
    RecordMetadata.TIMESTAMP: TIMESTAMP,
    RecordMetadata.HEADERS: HEADERS,
}
RegistrySchemas = Mapping[GlobalId, WriterSchemas]
"""Schemas of writers by the connections to their registries."""
NO_SCHEMAS: RegistrySchemas = {}
_DEBEZIUM: Mapping[str, Decode] = {KEY: decode_debezium_key, VALUE: decode_after}


@dataclass(frozen=True, slots=True)
class DecodedRecords:
    """Records, decoded.

    `columns`: the encoding's columns, one value per record
    `decimals`: how many decimals the numerics without a modifier among them show, column by column
    `present`: per record, true where it sets its key's row, false where it deletes it
    `key_errors`, `value_errors`: texts of errors, by the record's position; a record with an error is no row
    `skipped`: positions of the records that count for nothing
    """

    columns: tuple[pa.Array, ...]
    decimals: tuple[pa.Array, ...]
    present: pa.Array
    key_errors: Mapping[int, str]
    value_errors: Mapping[int, str]
    skipped: frozenset[int]


def decoded_records(
    records: pa.Table, encoding: RecordEncoding, schemas: RegistrySchemas = NO_SCHEMAS
) -> DecodedRecords:
    """Decodes records, in their order; a value that can't be decoded is NULL. `schemas` are the writers' schemas, by
    number."""
    errors = _Errors(records, schemas, debezium=encoding.envelope is Envelope.DEBEZIUM)
    key = [] if encoding.key is None else errors.decoded(KEY, encoding.key, encoding.key_errors)
    value = errors.decoded(VALUE, encoding.value, encoding.value_errors)
    told = [errors.told()] if encoding.tells_errors else []
    metadata = [_metadata(records, each) for each in encoding.metadata]
    columns = (*key, *told, *value, *metadata)
    present = pc.is_valid(flat(records.column(VALUE)))
    if encoding.envelope is Envelope.DEBEZIUM:
        bad = errors.failed[VALUE].keys() | errors.told_of
        rows = errors.rows[VALUE]
        present = pc.or_(rows, pa.array([at in bad for at in range(records.num_rows)], pa.bool_()))
    failed = errors.failed
    return DecodedRecords(
        columns, tuple(errors.decimals), present, failed[KEY], failed[VALUE], frozenset(errors.skipped)
    )


def are_key_errors(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Tells which texts of errors are errors of keys; false for NULL."""
    return pc.fill_null(pc.match_substring_regex(texts, f"^.{{5}} the {KEY} of the record at "), False)


class _Errors:
    """Collects the errors of records that can't be decoded, as the encoding wants them reported."""

    def __init__(self, records: pa.Table, schemas: RegistrySchemas, *, debezium: bool) -> None:
        self._records = records
        self._schemas = schemas
        self._debezium = debezium
        self.failed: dict[str, dict[int, str]] = {KEY: {}, VALUE: {}}
        self.rows: dict[str, pa.Array] = {}
        """By part, which records have something there."""
        self.decimals: list[pa.Array] = []
        """Of the columns of keys and values decoded so far."""
        self.skipped: set[int] = set()
        self._told: dict[int, str] = {}

    def decoded(self, part: str, format_: ValueFormat, policy: DecodingErrors) -> list[pa.Array]:
        """Returns the columns of a key or a value."""
        decode = _DEBEZIUM[part] if self._debezium else None
        told = _decoded(format_, self._records.column(part).to_pylist(), decode, self._schemas)
        self.rows[part] = told.present
        self.decimals += told.decimals
        for at, error in told.errors.items():
            match policy:
                case DecodingErrors.FAIL:
                    self.failed[part][at] = (
                        f"{error.sqlstate.value} {self._text(at, part, error)} "
                        f"({part.upper()} DECODING ERRORS = SKIP leaves such records out)"
                    )
                case DecodingErrors.SKIP:
                    self.skipped.add(at)
                case DecodingErrors.INLINE:
                    self._told.setdefault(at, self._text(at, part, error))
        return told.columns

    @property
    def told_of(self) -> Set[int]:
        """The positions of records whose error is a column of their row."""
        return self._told.keys()

    def told(self) -> pa.Array:
        """Returns the column for errors."""
        rows = [(self._told[at],) if at in self._told else None for at in range(self._records.num_rows)]
        return column_to_arrow(rows, ERROR_TYPE)

    def _text(self, at: int, part: str, error: SqlError) -> str:
        """Writes an error's text: which record, and why."""
        partition, offset = (self._records.column(name)[at].as_py() for name in (PARTITION, OFFSET))
        return f"the {part} of the record at partition {partition}, offset {offset} can't be decoded: {error.message}"


def _decoded(
    format_: ValueFormat, values: Sequence[bytes | None], decode: Decode | None, schemas: RegistrySchemas
) -> DecodedFields:
    """Decodes the values of a key or of a value. `decode` overrides the format's decoder."""
    if isinstance(format_, CsvFields):
        fields, failed = decode_csv(format_, values)
        columns = [pa.array(column, pa.string()) for column in fields]
        return DecodedFields(columns, [], pa.array([value is not None for value in values], pa.bool_()), failed)
    if isinstance(format_, SchemaFields):
        return decode_fields(format_, values, {} if format_.registry is None else schemas[format_.registry])
    datums, failed = decode_all(decode or decoder(format_), values)
    column = column_to_arrow(datums, DECODED_TYPES[format_])
    return DecodedFields([column], [], pc.is_valid(column), failed)


def _metadata(records: pa.Table, each: RecordMetadata) -> pa.Array:
    if each is RecordMetadata.HEADERS:
        headers = [[(one["key"], one["value"]) for one in row] for row in records.column(HEADERS).to_pylist()]
        return column_to_arrow(list(map(tuple, headers)), METADATA_TYPES[each])
    return flat(records.column(_COLUMNS[each]).cast(arrow_type(METADATA_TYPES[each])))


def flat(column: pa.ChunkedArray) -> pa.Array:
    """Returns the column as one array."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
