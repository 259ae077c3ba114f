"""Finds the columns that a schema of keys or values describes, in any language of schemas."""

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
    numerics: bool = False,
) -> SchemaFields:
    """Returns the SchemaFields of a schema; `name` is that of the single column of a schema without fields. Raises
    SqlError for a meaningless schema (22023), and for one without columns (0A000)."""
    match language:
        case SchemaLanguage.AVRO:
            columns = avro_columns(avro_part(avro_form(load_avro(schema)), within), name, numerics=numerics)
        case SchemaLanguage.PROTOBUF:
            assert within is None, "of Avro alone"
            columns = protobuf_columns(load_protobuf(schema, message))
        case _:
            assert_never(language)
    return SchemaFields(language, schema, columns, message, framed, registry, together, within, numerics)
