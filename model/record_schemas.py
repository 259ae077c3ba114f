"""The columns that a schema of keys or values makes, whatever it is written in."""

from __future__ import annotations

from model.avro_schema import avro_columns, avro_form, load_avro
from model.global_id import GlobalId
from model.records import SchemaFields, SchemaLanguage


def described_fields(
    language: SchemaLanguage,
    schema: str,
    name: str,
    *,
    message: str | None = None,
    framed: bool = False,
    registry: GlobalId | None = None,
    together: bool = False,
) -> SchemaFields:
    """As in SchemaFields; `name` is that of the only column, where the schema has no fields. SqlError for a schema that
    means nothing (22023), or has no columns (0A000)."""
    columns = avro_columns(avro_form(load_avro(schema)), name)
    return SchemaFields(language, schema, columns, message, framed, registry, together)
