"""Columns of Parquet files as those of SQL.

boolean                bool                   date              date
int8, int16            int2                   timestamp         timestamp, timestamptz where it is in UTC
int32, int64           int4, int8             time              time
uint8, uint16          int4                   string            text
uint32, uint64         int8, numeric(20, 0)   binary            bytea
float, double          float4, float8         decimal(p, s)     numeric(p, s)
lists, structs, maps   jsonb                  all else          text
"""

from __future__ import annotations

import json
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from connectors.files.source.arrow_values import json_value, texts_of, told_column, told_type
from model.json.json_text import parse_jsonb
from model.physical.columns import arrow_type, column_name, column_to_arrow, decimal_bounds, rows_to_arrow
from model.physical.wide_times import LAST_MICROS, least_and_greatest
from model.text.numerics import DIGITS_MAX
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import (
    BOOL,
    BYTEA,
    DATE,
    FLOAT4,
    FLOAT8,
    INT2,
    INT4,
    INT8,
    JSONB,
    TEXT,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    ScalarType,
    TypeName,
    numeric,
)
from model.types.wide_time import DAY_MAX, DAY_MIN, MICROS_MIN

_MOMENTS = (MICROS_MIN, LAST_MICROS)
_RANGES = {DATE: (DAY_MIN, DAY_MAX), TIMESTAMP: _MOMENTS, TIMESTAMPTZ: _MOMENTS}
"""Arrow has days before all of ours; what stands for infinity in our columns is a day like others in a file."""
_UINT64_DIGITS = 20


def parquet_desc(schema: pa.Schema) -> RelationDesc:
    """Returns the columns of a file."""
    return RelationDesc(tuple(ColumnDesc(field.name, _sql_type(field.type)) for field in schema))


def _sql_type(type_: pa.DataType) -> ScalarType:
    types, type_ = pa.types, told_type(type_)
    for holds, found in (
        (types.is_boolean, BOOL),
        (lambda each: types.is_int8(each) or types.is_int16(each), INT2),
        (lambda each: types.is_int32(each) or types.is_uint8(each) or types.is_uint16(each), INT4),
        (lambda each: types.is_int64(each) or types.is_uint32(each), INT8),
        (types.is_uint64, numeric(_UINT64_DIGITS, 0)),
        (lambda each: types.is_float16(each) or types.is_float32(each), FLOAT4),
        (types.is_float64, FLOAT8),
        (types.is_date, DATE),
        (types.is_time, TIME),
        (lambda each: types.is_binary(each) or types.is_large_binary(each) or types.is_fixed_size_binary(each), BYTEA),
        (types.is_nested, JSONB),
    ):
        if holds(type_):
            return found
    if types.is_timestamp(type_):
        return TIMESTAMPTZ if type_.tz else TIMESTAMP
    if types.is_decimal(type_) and 0 <= type_.scale <= type_.precision:
        wide = type_.precision > DIGITS_MAX
        return replace(numeric(type_.precision, type_.scale), name=TypeName.WIDE if wide else TypeName.NUMERIC)
    return TEXT


def parquet_rows(table: pa.Table, desc: RelationDesc) -> pa.Table:
    """Reads a file's rows as columns c0, c1, …, by the names of `desc`; a column that the file lacks is NULL. Raises
    ValueError, OverflowError or ArrowException for values that a column's type has not: they were never parsed."""
    columns = [_column(table, column) for column in desc.columns]
    rows = pa.table(columns, names=[column_name(at) for at in range(desc.arity)])
    rows.validate(full=True)
    for column, values in zip(desc.columns, rows.columns, strict=True):
        if column.type == TEXT and pc.any(pc.match_substring(values, "\0")).as_py():
            raise ValueError(f'a text of column "{column.name}" has a zero in it')
        if column.type in _RANGES and (ends := least_and_greatest(values)) is not None:
            first, last = _RANGES[column.type]
            if ends[0] < first or ends[1] > last:
                raise ValueError(f'a value of column "{column.name}" is out of the range of its type')
    return rows


def _column(table: pa.Table, column: ColumnDesc) -> pa.ChunkedArray | pa.Array:
    if column.name not in table.column_names:
        return pa.nulls(table.num_rows, arrow_type(column.type))
    found = told_column(table.column(column.name))
    if column.type == JSONB:
        texts = (None if value is None else json.dumps(json_value(value)) for value in found.to_pylist())
        rows = ((None if text is None else parse_jsonb(text),) for text in texts)
        return rows_to_arrow(rows, RelationDesc((column,))).column(column_name(0))
    if column.type.name is TypeName.WIDE:
        whole = found.cast(pa.decimal256(*decimal_bounds(column.type)))
        return column_to_arrow(whole.to_pylist(), column.type)
    if column.type == TIME:
        found = found.cast(pa.time64("us"))
    if column.type == TEXT and not pa.types.is_large_string(found.type) and not pa.types.is_string(found.type):
        found = texts_of(found)
    return found.cast(arrow_type(column.type))
