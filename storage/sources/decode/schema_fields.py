"""Columns of keys and values that a schema describes, and decoding by it: one file for each language of schemas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import pyarrow as pa

from model.errors import SqlError
from model.records import RecordEncoding, SchemaFields, SchemaLanguage
from storage.sources.decode.avro import decode_avro, require_avro
from storage.sources.decode.framing import WriterSchemas
from storage.sources.decode.protobuf import decode_protobuf, require_protobuf


def decode_fields(
    fields: SchemaFields, values: Sequence[bytes | None], writers: WriterSchemas
) -> tuple[list[pa.Array], dict[int, SqlError]]:
    """The columns, NULL where a record is NULL or can't be decoded; and why it can't, by position."""
    match fields.language:
        case SchemaLanguage.AVRO:
            columns, errors = decode_avro(fields, values, writers)
        case SchemaLanguage.PROTOBUF:
            columns, errors = decode_protobuf(fields, values)
        case _:
            assert_never(fields.language)
    if not fields.together:
        return columns, errors
    names = [f"f{at}" for at in range(len(columns))]
    absent = pa.array([value is None for value in values], pa.bool_())
    return [pa.StructArray.from_arrays(columns, names, mask=absent)], errors


def require_readable(encoding: RecordEncoding) -> None:
    """SqlError when an encoding has a schema of which no records can be read."""
    for each in (encoding.key, encoding.value):
        if not isinstance(each, SchemaFields):
            continue
        match each.language:
            case SchemaLanguage.AVRO:
                require_avro(each.schema)
            case SchemaLanguage.PROTOBUF:
                require_protobuf(each.schema, each.message)
            case _:
                assert_never(each.language)
