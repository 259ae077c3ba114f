"""FORMAT, INCLUDE and ENVELOPE: what rows become of records, and what their columns are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.record_schemas import described_fields
from model.external.records import (
    CsvFields,
    Envelope,
    KeyFormat,
    RecordEncoding,
    RecordFormat,
    RecordMetadata,
    SchemaFields,
    SchemaLanguage,
    ValueFormat,
    encoded_columns,
    key_columns,
)
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType, TypeName
from planner.scope.analysis import Analysis
from planner.statements.sources.decoding_errors import plan_errors
from planner.statements.sources.schemas import KEY_PART, VALUE_PART, plan_schema, schema_told
from planner.statements.sources.source_columns import named_columns
from planner.statements.sources.source_options import ClauseOptions
from planner.syntax.source_statements import (
    CsvFormat,
    DataFormat,
    Decoding,
    FoundSchemas,
    Included,
    KeyValueFormat,
    PlainFormat,
    SchemaFormat,
    SchemaRegistry,
)

_CSV_COLUMNS_MAX = 1_600
_NO_DELIMITERS = '"\n\r\0'
_METADATA = {each.name: each for each in RecordMetadata}


def plan_encoding(
    analysis: Analysis, decoding: Decoding, names: Sequence[str], options: ClauseOptions
) -> tuple[RecordEncoding, RelationDesc]:
    """Plans how records are decoded, and the columns, with the names that the statement gives."""
    envelope = Envelope["NONE" if decoding.envelope is None else decoding.envelope.kind]
    key, value = _of_envelope(analysis, envelope, *_formats(analysis, decoding))
    metadata, given, key_name = [], [], None
    with_key = envelope is not Envelope.NONE
    for each in decoding.include:
        if each.what == "KEY":
            if key is None:
                hint = "Say KEY FORMAT … VALUE FORMAT …."
                raise analysis.error(Sqlstate.SYNTAX_ERROR, "INCLUDE KEY needs a format of the key", hint=hint)
            with_key = True
            key_name = each.name
        else:
            known = _known_metadata(analysis, each)
            metadata.append(known)
            given.append(each.name or known.value)
    of_envelope = ClauseOptions(analysis, () if decoding.envelope is None else decoding.envelope.options)
    errors = plan_errors(analysis, options, of_envelope, keyed=envelope is not Envelope.NONE, with_key=with_key)
    if key_name is not None and isinstance(key, SchemaFields) and len(key.columns) > 1:
        key = replace(key, together=True)
    encoding = RecordEncoding(key if with_key else None, value, tuple(metadata), errors.value, errors.key, envelope)
    columns = list(encoded_columns(encoding))
    if key_name is not None:
        columns[0] = replace(columns[0], name=key_name)
    if encoding.tells_errors:
        told = len(key_columns(encoding))
        columns[told] = replace(columns[told], name=errors.column)
    columns[len(columns) - len(given) :] = [
        replace(column, name=name) for column, name in zip(columns[len(columns) - len(given) :], given, strict=True)
    ]
    named = named_columns(analysis, RelationDesc(tuple(columns)), names)
    _require_different(analysis, named.columns)
    return encoding, named


def _require_different(analysis: Analysis, columns: Sequence[ColumnDesc]) -> None:
    """Raises 42701 for a name that occurs twice."""
    seen: set[str] = set()
    for column in columns:
        if column.name in seen:
            message = f'column "{column.name}" specified more than once'
            hint = "INCLUDE … AS names what is included; (name, …) behind the source's name, all columns."
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message, hint=hint)
        seen.add(column.name)


def _of_envelope(
    analysis: Analysis, envelope: Envelope, key: KeyFormat | None, value: ValueFormat
) -> tuple[KeyFormat | None, ValueFormat]:
    """Returns the formats of a key and a value that an envelope can work with."""
    match envelope:
        case Envelope.NONE:
            return key, value
        case Envelope.UPSERT if isinstance(key, SchemaFields) and any(_nested(each.type) for each in key.columns):
            raise analysis.unsupported("ENVELOPE UPSERT by a key of records, lists or maps")
        case Envelope.UPSERT if key is not None:
            return key, value
        case Envelope.UPSERT:
            hint = "Say KEY FORMAT … VALUE FORMAT …."
            raise analysis.error(Sqlstate.SYNTAX_ERROR, "ENVELOPE UPSERT needs a format of the key", hint=hint)
        case Envelope.DEBEZIUM if value is RecordFormat.JSON and key in (None, RecordFormat.JSON):
            return RecordFormat.JSON, value
        case Envelope.DEBEZIUM if _is_avro(value) and isinstance(key, SchemaFields):
            if any(_nested(each.type) for each in key.columns):
                raise analysis.unsupported("ENVELOPE DEBEZIUM by a key of records, lists or maps")
            assert isinstance(value, SchemaFields)
            alone = [each.name for each in key.columns] == ["key"]
            return replace(key, together=not alone), _after(analysis, value)
        case Envelope.DEBEZIUM if _is_avro(value):
            hint = "Say KEY FORMAT AVRO … VALUE FORMAT AVRO …, or ask a registry, which has both."
            raise analysis.error(Sqlstate.SYNTAX_ERROR, "ENVELOPE DEBEZIUM needs a format of the key", hint=hint)
        case Envelope.DEBEZIUM:
            raise analysis.unsupported("ENVELOPE DEBEZIUM of this FORMAT", hint="Say FORMAT JSON, or AVRO.")
        case _:
            assert_never(envelope)


def _is_avro(format_: ValueFormat) -> bool:
    return isinstance(format_, SchemaFields) and format_.language is SchemaLanguage.AVRO


def _after(analysis: Analysis, change: SchemaFields) -> SchemaFields:
    """Returns the row that a change makes, of the schema of the change."""
    try:
        return described_fields(
            change.language,
            change.schema,
            "data",
            framed=change.framed,
            registry=change.registry,
            within="after",
            numerics=True,
        )
    except SqlError as error:
        raise analysis.error(error.sqlstate, error.message, hint="Say ENVELOPE NONE for what is no change.") from None


def _nested(type_: ScalarType) -> bool:
    return type_.name in (TypeName.RECORD, TypeName.LIST, TypeName.MAP)


def _formats(analysis: Analysis, decoding: Decoding) -> tuple[KeyFormat | None, ValueFormat]:
    found = decoding.found
    match decoding.format:
        case None:
            return None, RecordFormat.BYTES
        case KeyValueFormat(key, value):
            return _format(analysis, key, KEY_PART, found), _value_format(analysis, value, found)
        case SchemaFormat(schema=SchemaRegistry() as registry) as each:
            with_key = schema_told(registry, KEY_PART, found) is not None
            of_key = plan_schema(analysis, each, KEY_PART, found) if with_key else None
            return of_key, plan_schema(analysis, each, VALUE_PART, found)
        case each:
            return None, _value_format(analysis, each, found)


def _value_format(analysis: Analysis, data: DataFormat, found: FoundSchemas | None) -> ValueFormat:
    if not isinstance(data, CsvFormat):
        return _format(analysis, data, VALUE_PART, found)
    if data.columns is None:
        raise analysis.unsupported(
            "FORMAT CSV WITH HEADER", hint="Say CSV WITH n COLUMNS, and name the source's columns."
        )
    if not 0 < data.columns <= _CSV_COLUMNS_MAX:
        message = f"a source has between 1 and {_CSV_COLUMNS_MAX} columns"
        raise analysis.error(Sqlstate.TOO_MANY_COLUMNS, message)
    delimiter = "," if data.delimiter is None else data.delimiter
    if len(delimiter) != 1 or delimiter in _NO_DELIMITERS:
        raise analysis.error(
            Sqlstate.INVALID_PARAMETER_VALUE, "a delimiter of CSV is one character, and no quote or line end"
        )
    return CsvFields(data.columns, delimiter)


def _format(analysis: Analysis, data: DataFormat, part: str, found: FoundSchemas | None) -> KeyFormat:
    if isinstance(data, SchemaFormat):
        return plan_schema(analysis, data, part, found)
    if isinstance(data, PlainFormat) and not data.array and data.kind in RecordFormat.__members__:
        return RecordFormat[data.kind]
    raise analysis.unsupported(f"this FORMAT of a source ({type(data).__name__})")


def _known_metadata(analysis: Analysis, included: Included) -> RecordMetadata:
    if included.header is not None or included.what not in _METADATA:
        raise analysis.unsupported(f"INCLUDE {included.what}")
    return _METADATA[included.what]
