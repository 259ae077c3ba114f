"""The encoding of a source's rows: a record's key, value and metadata, and the formats of key and value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.ids.global_id import GlobalId
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import BYTEA, INT4, INT8, JSONB, TEXT, TIMESTAMPTZ, ScalarType, TypeName, list_of


class RecordFormat(StrEnum):
    """The format of a key's or value's bytes."""

    BYTES = "bytes"
    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class CsvFields:
    """A value with so many fields, separated by one character."""

    count: int
    delimiter: str = ","


class SchemaLanguage(StrEnum):
    """The language of a schema."""

    AVRO = "avro"
    PROTOBUF = "protobuf"


@dataclass(frozen=True, slots=True)
class SchemaFields:
    """A key or value that a schema describes.

    `columns`: the columns it has
    `framed`: it begins with its writer's schema's number in a registry
    `registry`: the connection to that registry, if any
    `message`: the message type, for PROTOBUF
    `together`: the columns are fields of one record
    `within`: the columns are those of the record in this field, which may be NULL
    `numerics`: columns of Debezium's records of a scale and a value are numerics
    """

    language: SchemaLanguage
    schema: str
    columns: tuple[ColumnDesc, ...]
    message: str | None = None
    framed: bool = False
    registry: GlobalId | None = None
    together: bool = False
    within: str | None = None
    numerics: bool = False


KeyFormat = RecordFormat | SchemaFields
ValueFormat = RecordFormat | CsvFields | SchemaFields


class RecordMetadata(StrEnum):
    """The metadata of a record; each is also a column's name."""

    PARTITION = "partition"
    OFFSET = "offset"
    SEQUENCE_NUMBER = "sequence_number"
    TIMESTAMP = "timestamp"
    HEADERS = "headers"


class DecodingErrors(StrEnum):
    """The treatment of a record whose key or value can't be decoded: an error of the whole collection, no row, or a
    row with the error in a column of its own."""

    FAIL = "fail"
    SKIP = "skip"
    INLINE = "inline"


class Envelope(StrEnum):
    """The meaning of records: each is a row; or each sets its key's row, by its value, or by a change of Debezium."""

    NONE = "none"
    UPSERT = "upsert"
    DEBEZIUM = "debezium"


@dataclass(frozen=True, slots=True)
class RecordEncoding:
    """The rule by which rows are made of records: first the key's columns, where wanted, then the value's, then the
    metadata's, in order."""

    key: KeyFormat | None
    value: ValueFormat
    metadata: tuple[RecordMetadata, ...]
    value_errors: DecodingErrors = DecodingErrors.FAIL
    key_errors: DecodingErrors = DecodingErrors.FAIL
    envelope: Envelope = Envelope.NONE

    @property
    def keyed(self) -> bool:
        """Tells whether a key has at most one row."""
        return self.envelope is not Envelope.NONE

    @property
    def tells_errors(self) -> bool:
        """Tells whether rows have a column for decoding errors."""
        return DecodingErrors.INLINE in (self.value_errors, self.key_errors)


_HEADER_TYPE = ScalarType(TypeName.RECORD, fields=(("key", TEXT), ("value", BYTEA)))
METADATA_TYPES = {
    RecordMetadata.PARTITION: INT4,
    RecordMetadata.OFFSET: INT8,
    RecordMetadata.SEQUENCE_NUMBER: TEXT,
    RecordMetadata.TIMESTAMP: TIMESTAMPTZ,
    RecordMetadata.HEADERS: list_of(_HEADER_TYPE),
}
ERROR_NAME = "error"
ERROR_TYPE = ScalarType(TypeName.RECORD, fields=(("description", TEXT),))
"""The column of DecodingErrors.INLINE, behind the key: NULL where all could be decoded."""
DECODED_TYPES = {RecordFormat.BYTES: BYTEA, RecordFormat.TEXT: TEXT, RecordFormat.JSON: JSONB}
_VALUE_NAMES = {RecordFormat.BYTES: "data", RecordFormat.TEXT: "text", RecordFormat.JSON: "data"}


def encoded_columns(encoding: RecordEncoding) -> tuple[ColumnDesc, ...]:
    """Returns the columns of an encoding, in order, under their default names."""
    told = (ColumnDesc(ERROR_NAME, ERROR_TYPE),) if encoding.tells_errors else ()
    metadata = (ColumnDesc(each.value, METADATA_TYPES[each]) for each in encoding.metadata)
    return (*key_columns(encoding), *told, *_value_columns(encoding.value), *metadata)


def key_columns(encoding: RecordEncoding) -> tuple[ColumnDesc, ...]:
    """Returns the columns of the key, which come first."""
    key = encoding.key
    if isinstance(key, SchemaFields):
        if not key.together:
            return key.columns
        return (ColumnDesc("key", ScalarType(TypeName.RECORD, fields=tuple((c.name, c.type) for c in key.columns))),)
    return () if key is None else (ColumnDesc("key", DECODED_TYPES[key]),)


def registries_of(encoding: RecordEncoding) -> frozenset[GlobalId]:
    """Returns the connections to the registries with the records' schemas."""
    formats = (encoding.key, encoding.value)
    found = {each.registry for each in formats if isinstance(each, SchemaFields)}
    return frozenset(id_ for id_ in found if id_ is not None)


def format_name(format_: ValueFormat) -> str:
    """Returns a format's name in the catalog's relations."""
    match format_:
        case CsvFields():
            return "csv"
        case SchemaFields(language=language):
            return language.value
        case plain:
            return plain.value


def _value_columns(value: ValueFormat) -> tuple[ColumnDesc, ...]:
    if isinstance(value, CsvFields):
        return tuple(ColumnDesc(f"column{number}", TEXT) for number in range(1, value.count + 1))
    if isinstance(value, SchemaFields):
        return value.columns
    return (ColumnDesc(_VALUE_NAMES[value], DECODED_TYPES[value]),)
