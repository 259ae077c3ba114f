"""Rows stored for some columns, as rows of the present columns.

Columns are only ever added, at the end, and NULL in rows stored before. But values stored before a numeric became wide
(`model/types/narrow_columns.py`) are read as values of the wide column:

    wide = the number in the narrow column, with its decimals;  narrow = decimals = NULL

The rule is a function of each row alone. So a row is one row, byte for byte, in both stored forms, and a retraction
written since cancels an assertion written before.
"""

from __future__ import annotations

import decimal
import functools

import pyarrow as pa

from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_schema, with_told_decimals
from model.physical.wide_numerics import encode_wide
from model.types.narrow_columns import NarrowColumn, narrow_columns
from model.types.relation_desc import RelationDesc


def conformed(table: pa.Table, desc: RelationDesc) -> pa.Table:
    """Returns a table of rows (with or without time and diff) with the columns of `desc`: further columns are dropped,
    missing columns are NULL, or hold the values of a narrow column."""
    schema = arrow_schema(desc)
    arity = sum(name not in (TIME_COLUMN, DIFF_COLUMN) for name in table.column_names)
    for index in reversed(range(len(schema), arity)):
        table = table.remove_column(index)
    for index in range(arity, len(schema)):
        field = schema.field(index)
        table = table.add_column(index, field, pa.nulls(table.num_rows, field.type))
    for narrow in _narrow(desc):
        if narrow.at < arity <= narrow.by:
            table = _widened(table, narrow)
    return table


@functools.lru_cache(maxsize=4096)
def _narrow(desc: RelationDesc) -> tuple[NarrowColumn, ...]:
    return narrow_columns(desc.columns)


def _widened(table: pa.Table, narrow: NarrowColumn) -> pa.Table:
    """Moves the values of a narrow column into the wide one."""
    column, count = table.column(narrow.at), table.num_rows
    told = [None] * count if narrow.decimals is None else table.column(narrow.decimals).to_pylist()
    values = with_told_decimals(column, told)
    wide = [encode_wide(value) if isinstance(value, decimal.Decimal) else None for value in values]
    for at, array in (
        (narrow.by, pa.array(wide, pa.binary())),
        (narrow.at, pa.nulls(count, column.type)),
        *(() if narrow.decimals is None else ((narrow.decimals, pa.nulls(count, pa.int32())),)),
    ):
        table = table.set_column(at, table.field(at), array)
    return table
