"""Decodes keys and values that a schema describes: one file per language of schemas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

import pyarrow as pa

from connectors.sources.decode.avro import avro_reader
from connectors.sources.decode.framing import WriterSchemas
from connectors.sources.decode.protobuf import protobuf_reader
from model.errors.sql_error import SqlError
from model.external.records import RecordEncoding, SchemaFields, SchemaLanguage
from model.physical.columns import column_to_arrow
from model.physical.shown_numerics import shown_decimals
from model.types.datum import Row
from model.types.scalar_type import has_own_decimals


@dataclass(frozen=True, slots=True)
class DecodedFields:
    """Values, decoded by a schema.

    `columns`: NULL where the record has no value, or none in the field that holds the columns, or can't be decoded
    `decimals`: how many decimals the numerics without a modifier show, column by column
    `present`: per record, whether it has a row
    `errors`: by the record's position
    """

    columns: list[pa.Array]
    decimals: list[pa.Array]
    present: pa.Array
    errors: dict[int, SqlError]


def decode_fields(fields: SchemaFields, values: Sequence[bytes | None], writers: WriterSchemas) -> DecodedFields:
    """Decodes all values, in their order."""
    read = _reader(fields, writers)
    rows: list[Row] = []
    present: list[bool] = []
    errors: dict[int, SqlError] = {}
    nothing: Row = (None,) * len(fields.columns)
    for at, value in enumerate(values):
        row = None
        if value is not None:
            try:
                row = read(value)
            except SqlError as error:
                errors[at] = error
        rows.append(nothing if row is None else row)
        present.append(row is not None)
    data = list(zip(*rows, strict=True)) if rows else [()] * len(fields.columns)
    columns = [column_to_arrow(column, desc.type) for column, desc in zip(data, fields.columns, strict=True)]
    decimals = [
        pa.array(map(shown_decimals, column), pa.int32())
        for column, desc in zip(data, fields.columns, strict=True)
        if has_own_decimals(desc.type) and not fields.together
    ]
    there = pa.array(present, pa.bool_())
    if fields.together:
        names = [f"f{at}" for at in range(len(columns))]
        absent = pa.array([not each for each in present], pa.bool_())
        columns = [pa.StructArray.from_arrays(columns, names, mask=absent)]
    return DecodedFields(columns, decimals, there, errors)


def require_readable(encoding: RecordEncoding) -> None:
    """Raises SqlError when the encoding has a schema by which no record can be read."""
    for each in (encoding.key, encoding.value):
        if isinstance(each, SchemaFields):
            _reader(each, {})


def _reader(fields: SchemaFields, writers: WriterSchemas) -> Callable[[bytes], Row | None]:
    match fields.language:
        case SchemaLanguage.AVRO:
            return avro_reader(fields, writers)
        case SchemaLanguage.PROTOBUF:
            return protobuf_reader(fields)
        case _:
            assert_never(fields.language)
