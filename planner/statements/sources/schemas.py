"""FORMAT AVRO …: fields that a schema describes, which stands there or is asked of a registry."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.external.record_schemas import described_fields
from model.external.records import SchemaFields, SchemaLanguage
from planner.plans.sources import WantedSchema
from planner.scope.analysis import Analysis
from planner.statements.connections.access_objects import access_object
from planner.statements.sources.source_options import ClauseOptions
from planner.syntax.source_statements import (
    DataFormat,
    Decoding,
    FoundSchemas,
    KeyValueFormat,
    SchemaFormat,
    SchemaRegistry,
    SchemaStrategy,
)

_WIRE_FORMAT = "CONFLUENT WIRE FORMAT"
KEY_PART, VALUE_PART = "key", "value"
_ALONE = {KEY_PART: "key", VALUE_PART: "data"}


def plan_schema(analysis: Analysis, format_: SchemaFormat, part: str, found: FoundSchemas | None) -> SchemaFields:
    """Returns the fields of a key or a value; what a registry is to say was found."""
    language = _language(analysis, format_)
    registry = None
    if isinstance(format_.schema, str):
        schema = format_.schema
        framed = ClauseOptions(analysis, format_.options).truth(_WIRE_FORMAT) is not False
    else:
        registry, framed = access_object(analysis, "connection", format_.schema.connection).id, True
        told = schema_told(format_.schema, part, found)
        assert told is not None, "it was asked for"
        schema = told
    try:
        return described_fields(
            language, schema, _ALONE[part], message=format_.message, framed=framed, registry=registry, numerics=True
        )
    except SqlError as error:
        raise analysis.error(error.sqlstate, error.message, hint=error.hint) from None


def schema_told(registry: SchemaRegistry, part: str, found: FoundSchemas | None) -> str | None:
    """Returns the schema of a record's key or value (`part`): the one written in the statement, else the one found in
    the registry, else None."""
    inline = _strategy(registry, part).schema
    if inline is not None or found is None:
        return inline
    return found.key if part == KEY_PART else found.value


def wanted_schemas(analysis: Analysis, decoding: Decoding, topic: str) -> tuple[WantedSchema, ...]:
    """Returns the schemas to fetch from registries before the clauses can be planned; none once they are there."""
    if decoding.found is not None:
        return ()
    keyed = decoding.envelope is not None and decoding.envelope.kind != "NONE"
    with_key = keyed or any(each.what == "KEY" for each in decoding.include)
    match decoding.format:
        case KeyValueFormat(key, value):
            parts = [(KEY_PART, key, True), (VALUE_PART, value, True)]
        case None:
            parts = []
        case each:
            parts = [(VALUE_PART, each, True), *([(KEY_PART, each, False)] if with_key else [])]
    wanted = (_wanted(analysis, part, format_, topic, required) for part, format_, required in parts)
    return tuple(each for each in wanted if each is not None)


def _wanted(analysis: Analysis, part: str, format_: DataFormat, topic: str, required: bool) -> WantedSchema | None:
    if not isinstance(format_, SchemaFormat) or isinstance(format_.schema, str):
        return None
    registry, strategy = format_.schema, _strategy(format_.schema, part)
    if strategy.schema is not None:
        return None
    connection = access_object(analysis, "connection", registry.connection).id
    language = _language(analysis, format_)
    return WantedSchema(connection, language, part, f"{topic}-{part}", strategy.number, required)


def _strategy(registry: SchemaRegistry, part: str) -> SchemaStrategy:
    return registry.key if part == KEY_PART else registry.value


def _language(analysis: Analysis, format_: SchemaFormat) -> SchemaLanguage:
    if format_.kind.lower() not in set(SchemaLanguage):
        raise analysis.unsupported(f"FORMAT {format_.kind}")
    return SchemaLanguage(format_.kind.lower())
