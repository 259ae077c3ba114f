"""The columns that a schema of keys or values makes, whatever it is written in."""

from __future__ import annotations

from typing import assert_never

from model.external.avro_schema import avro_columns, avro_form, avro_part, load_avro
from model.external.protobuf_schema import load_protobuf, protobuf_columns
from model.external.records import SchemaFields, SchemaLanguage
from model.ids.global_id import GlobalId


def described_fields(
    language: SchemaLanguage,
    schema: str,
    name: str,
    *,
    message: str | None = None,
    framed: bool = False,
    registry: GlobalId | None = None,
    together: bool = False,
    within: str | None = None,
) -> SchemaFields:
    """As in SchemaFields; `name` is that of the only column, where the schema has no fields. SqlError for a schema that
    means nothing (22023), or has no columns (0A000)."""
    match language:
        case SchemaLanguage.AVRO:
            columns = avro_columns(avro_part(avro_form(load_avro(schema)), within), name)
        case SchemaLanguage.PROTOBUF:
            assert within is None, "of Avro alone"
            columns = protobuf_columns(load_protobuf(schema, message))
        case _:
            assert_never(language)
    return SchemaFields(language, schema, columns, message, framed, registry, together, within)
