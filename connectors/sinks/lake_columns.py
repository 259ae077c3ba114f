"""Documents as tables of data lakes have them (Delta Lake, Iceberg), and back.

bool                         boolean            date           date
int2, int4, uint2            int                timestamp      timestamp without a zone, of microseconds
int8, uint4, oid             long               timestamptz    timestamp in UTC, of microseconds
uint8                        decimal(20, 0)     bytea          binary
float4, float8               float, double      all else       string: as PostgreSQL writes it
numeric(p, s)                decimal(p, s)
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from connectors.sinks.description import SinkDescription
from connectors.sinks.plain_columns import CHANGE_COLUMNS, DATED, text_column, within_calendars
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_type, column_name, decimal_bounds, rows_to_arrow
from model.text.dispatch import parser
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType, TypeName

_LAKE_TYPES: Mapping[TypeName, pa.DataType] = {
    TypeName.BOOL: pa.bool_(),
    TypeName.INT2: pa.int32(),
    TypeName.INT4: pa.int32(),
    TypeName.UINT2: pa.int32(),
    TypeName.INT8: pa.int64(),
    TypeName.UINT4: pa.int64(),
    TypeName.OID: pa.int64(),
    TypeName.UINT8: pa.decimal128(20, 0),
    TypeName.FLOAT4: pa.float32(),
    TypeName.FLOAT8: pa.float64(),
    TypeName.DATE: pa.date32(),
    TypeName.TIMESTAMP: pa.timestamp("us"),
    TypeName.TIMESTAMPTZ: pa.timestamp("us", "UTC"),
    TypeName.BYTEA: pa.binary(),
    TypeName.TEXT: pa.string(),
    TypeName.VARCHAR: pa.string(),
}


def lake_schema(sink: SinkDescription) -> pa.Schema:
    """Returns the columns of a sink's table; all of them may be NULL."""
    fields = [pa.field(column.name, lake_type(column.type)) for column in sink.documents.columns]
    if sink.key is None:
        fields += [pa.field(name, pa.int64()) for name in CHANGE_COLUMNS]
    return pa.schema(fields)


def lake_type(type_: ScalarType) -> pa.DataType:
    if type_.name is TypeName.NUMERIC:
        return pa.decimal128(*decimal_bounds(type_))
    return _LAKE_TYPES.get(type_.name, pa.string())


def lake_table(documents: pa.Table, sink: SinkDescription) -> pa.Table:
    """Returns the documents as a table of `lake_schema`."""
    columns = [
        _to_lake(documents.column(column_name(at)), column.type) for at, column in enumerate(sink.documents.columns)
    ]
    if sink.key is None:
        columns += [documents.column(TIME_COLUMN).cast(pa.int64()), documents.column(DIFF_COLUMN)]
    return pa.Table.from_arrays(columns, schema=lake_schema(sink))


def _to_lake(column: pa.ChunkedArray, type_: ScalarType) -> pa.ChunkedArray | pa.Array:
    if type_.name in DATED:
        column = within_calendars(column, "a table of a data lake")
    wanted = lake_type(type_)
    if type_.name in _LAKE_TYPES or type_.name is TypeName.NUMERIC:
        return column.cast(wanted)
    return text_column(column, type_)


def documents_of(table: pa.Table, desc: RelationDesc) -> pa.Table:
    """Returns rows of a lake's table, whose columns are named as those of `desc`, as documents (c0, c1, …)."""
    names = [column_name(at) for at in range(desc.arity)]
    columns = [_from_lake(table.column(column.name), column.type) for column in desc.columns]
    return pa.table(columns, names=names)


def _from_lake(column: pa.ChunkedArray, type_: ScalarType) -> pa.ChunkedArray | pa.Array:
    if type_.name in _LAKE_TYPES or type_.name is TypeName.NUMERIC:
        return column.cast(arrow_type(type_))
    parse = parser(type_)
    rows = ((None if text is None else parse(text),) for text in column.to_pylist())
    return rows_to_arrow(rows, RelationDesc((ColumnDesc("", type_),))).column(column_name(0))
