"""Sources as JSON in the catalog's rows, and back."""

from __future__ import annotations

from typing import Any

from catalog.sources import KafkaRecords, Source, Transactions
from model.global_id import GlobalId
from model.record_schemas import described_fields
from model.records import (
    CsvFields,
    DecodingErrors,
    Envelope,
    KeyFormat,
    RecordEncoding,
    RecordFormat,
    RecordMetadata,
    SchemaFields,
    SchemaLanguage,
    ValueFormat,
)
from model.relation_desc import RelationDesc


def source_value(source: Source) -> dict[str, Any]:
    """All but the columns."""
    encoding, records, transactions = source.encoding, source.records, source.transactions
    return {
        "kind": "source",
        "kafka": {
            "connection": None if records.connection is None else str(records.connection),
            "settings": [list(each) for each in records.settings],
            "topic": records.topic,
            "start": [list(each) for each in records.start],
        },
        "encoding": {
            "key": None if encoding.key is None else _format_value(encoding.key),
            "value": _format_value(encoding.value),
            "metadata": [each.value for each in encoding.metadata],
            "value_errors": encoding.value_errors.value,
            "key_errors": encoding.key_errors.value,
            "envelope": encoding.envelope.value,
        },
        "interval_ms": source.interval_ms,
        "binding_max": [source.records_max, source.bytes_max],
        "retain_history_ms": source.retain_history_ms,
        "rest": source.rest,
        "transactions": None if transactions is None else [str(transactions.source), transactions.counted_as],
    }


def _format_value(format_: ValueFormat) -> Any:
    match format_:
        case CsvFields(count, delimiter):
            return {"csv": count, "delimiter": delimiter}
        case SchemaFields():
            return {
                "schema": format_.schema,
                "language": format_.language.value,
                "message": format_.message,
                "framed": format_.framed,
                "registry": None if format_.registry is None else str(format_.registry),
                "together": format_.together,
            }
        case plain:
            return plain.value


def _key_format(value: Any) -> KeyFormat | None:
    if value is None:
        return None
    return _schema_fields(value, "key") if isinstance(value, dict) else RecordFormat(value)


def _value_format(value: Any) -> ValueFormat:
    if isinstance(value, dict):
        return _schema_fields(value, "data") if "schema" in value else CsvFields(value["csv"], value["delimiter"])
    return RecordFormat(value)


def _schema_fields(value: dict[str, Any], name: str) -> SchemaFields:
    return described_fields(
        SchemaLanguage(value["language"]),
        value["schema"],
        name,
        message=value["message"],
        framed=value["framed"],
        registry=None if value["registry"] is None else GlobalId.parse(value["registry"]),
        together=value["together"],
    )


def source_of(value: dict[str, Any], desc: RelationDesc) -> Source:
    kafka, encoding, transactions = value["kafka"], value["encoding"], value["transactions"]
    return Source(
        desc,
        KafkaRecords(
            None if kafka["connection"] is None else GlobalId.parse(kafka["connection"]),
            tuple((name, setting) for name, setting in kafka["settings"]),
            kafka["topic"],
            tuple((partition, offset) for partition, offset in kafka["start"]),
        ),
        RecordEncoding(
            _key_format(encoding["key"]),
            _value_format(encoding["value"]),
            tuple(map(RecordMetadata, encoding["metadata"])),
            DecodingErrors(encoding["value_errors"]),
            DecodingErrors(encoding["key_errors"]),
            Envelope(encoding["envelope"]),
        ),
        value["interval_ms"],
        value["retain_history_ms"],
        value["rest"],
        None if transactions is None else Transactions(GlobalId.parse(transactions[0]), transactions[1]),
        *value.get("binding_max", (None, None)),
    )
