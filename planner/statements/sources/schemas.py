"""FORMAT AVRO …: fields that a schema describes."""

from __future__ import annotations

from model.errors import SqlError
from model.record_schemas import described_fields
from model.records import SchemaFields, SchemaLanguage
from planner.scope.analysis import Analysis
from planner.statements.sources.options import Options
from planner.syntax.source_statements import SchemaFormat

_WIRE_FORMAT = "CONFLUENT WIRE FORMAT"


def plan_schema(analysis: Analysis, format_: SchemaFormat, name: str) -> SchemaFields:
    """`name` is that of the only column, where the schema has no fields."""
    if not isinstance(format_.schema, str):
        raise analysis.unsupported(
            f"{format_.kind} USING CONFLUENT SCHEMA REGISTRY", format_.schema.connection.location
        )
    if format_.kind != "AVRO":
        raise analysis.unsupported(f"FORMAT {format_.kind}")
    framed = Options(analysis, format_.options).truth(_WIRE_FORMAT)
    try:
        return described_fields(
            SchemaLanguage.AVRO, format_.schema, name, message=format_.message, framed=framed is not False
        )
    except SqlError as error:
        raise analysis.error(error.sqlstate, error.message) from None
