"""Sources as JSON in the catalog's rows, and back."""

from __future__ import annotations

from typing import Any

from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
from catalog.nouns.sources import (
    Source,
    SourceTable,
    Transactions,
)
from connectors.postgres.stored_publications import (
    published_table_of,
    published_table_value,
)
from connectors.systems import SOURCES, system_of_source
from connectors.upstream import UpstreamRecords
from model.external.generators import UpstreamTable
from model.external.record_schemas import described_fields
from model.external.records import (
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
from model.ids.global_id import GlobalId
from model.ids.written_text import WrittenName, WrittenText
from model.types.column_layout import ColumnLayout
from model.types.relation_desc import RelationDesc


def source_value(source: Source) -> dict[str, Any]:
    """Returns the stored value of a source: all but the columns."""
    transactions = source.transactions
    return {
        "kind": "source",
        **_records_value(source.records),
        "encoding": encoding_value(source.encoding),
        "interval_ms": source.interval_ms,
        "binding_max": [source.records_max, source.bytes_max],
        "retain_history_ms": source.retain_history_ms,
        "rest": _written_value(source.rest),
        "transactions": None if transactions is None else [str(transactions.source), transactions.counted_as],
        **({} if source.cluster == DEFAULT_CLUSTER_OID else {"cluster": source.cluster}),
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
                "within": format_.within,
                **({"numerics": True} if format_.numerics else {}),
            }
        case plain:
            return plain.value


def source_table_value(table: SourceTable) -> dict[str, Any]:
    """Returns the stored value of a source's table: all but the columns."""
    value = {
        "kind": "source table",
        "source": str(table.source_id),
        "encoding": encoding_value(table.encoding),
        "retain_history_ms": table.retain_history_ms,
        "added": table.added,
        "published": None if table.published is None else published_table_value(table.published),
        "rest": None if table.rest is None else _written_value(table.rest),
    }
    # Rows that were written before there was such a thing don't have it: a row is retracted as it stands.
    if table.former:
        value["former"] = [published_table_value(published) for published in table.former]
    if table.layout is not None:
        value["layout"] = list(table.layout.stored)
    return value


def source_table_of(value: dict[str, Any], desc: RelationDesc) -> SourceTable:
    published = value.get("published")
    return SourceTable(
        desc,
        GlobalId.parse(value["source"]),
        encoding_of(value["encoding"]),
        value["retain_history_ms"],
        value.get("added", False),
        None if published is None else published_table_of(published),
        None if value.get("rest") is None else _written_of(value["rest"]),
        tuple(map(published_table_of, value.get("former", ()))),
        ColumnLayout(tuple(value["layout"])) if "layout" in value else None,
    )


def _written_value(written: WrittenText) -> list[Any]:
    return [part if isinstance(part, str) else _name_value(part) for part in written]


def _name_value(name: WrittenName) -> list[Any]:
    return [name.text, name.schema, name.name, None if name.id is None else str(name.id)]


def _written_of(value: list[Any] | str) -> WrittenText:
    """Reads a text with names. Older versions wrote plain texts."""
    parts = [value] if isinstance(value, str) else value
    return tuple(part if isinstance(part, str) else _written_name(*part) for part in parts)


def _written_name(text: str, schema: str, name: str, id_: str | None) -> WrittenName:
    return WrittenName(text, schema, name, None if id_ is None else GlobalId.parse(id_))


def _records_value(records: UpstreamRecords) -> dict[str, Any]:
    system = system_of_source(records)
    return {system.stored_as: system.stored(records)}


def encoding_value(encoding: RecordEncoding | UpstreamTable) -> dict[str, Any]:
    """Returns as JSON how records become rows."""
    if isinstance(encoding, UpstreamTable):
        return {"table": encoding.name}
    return {
        "key": None if encoding.key is None else _format_value(encoding.key),
        "value": _format_value(encoding.value),
        "metadata": [each.value for each in encoding.metadata],
        "value_errors": encoding.value_errors.value,
        "key_errors": encoding.key_errors.value,
        "envelope": encoding.envelope.value,
    }


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
        within=value.get("within"),
        numerics=value.get("numerics", False),
    )


def source_of(value: dict[str, Any], desc: RelationDesc) -> Source:
    transactions = value["transactions"]
    records_max, bytes_max = value.get("binding_max", (None, None))
    return Source(
        desc,
        _records_of(value),
        encoding_of(value["encoding"]),
        value["interval_ms"],
        value["retain_history_ms"],
        _written_of(value["rest"]),
        None if transactions is None else Transactions(GlobalId.parse(transactions[0]), transactions[1]),
        records_max,
        bytes_max,
        value.get("cluster", DEFAULT_CLUSTER_OID),
    )


def _records_of(value: dict[str, Any]) -> UpstreamRecords:
    for system in SOURCES.values():
        if system.stored_as in value:
            return system.restored(value[system.stored_as])
    raise AssertionError(f"a source of a later version: {sorted(value)}")


def encoding_of(value: dict[str, Any]) -> RecordEncoding | UpstreamTable:
    """Reads an encoding from the JSON of `encoding_value`."""
    if "table" in value:
        return UpstreamTable(value["table"])
    return RecordEncoding(
        _key_format(value["key"]),
        _value_format(value["value"]),
        tuple(map(RecordMetadata, value["metadata"])),
        DecodingErrors(value["value_errors"]),
        DecodingErrors(value["key_errors"]),
        Envelope(value["envelope"]),
    )
