"""Rows of a data collection that come as changes of a table."""

from __future__ import annotations

import pyarrow as pa

from model.errors import SqlError
from model.physical import DIFF_COLUMN, arrow_schema
from model.relation_desc import RelationDesc
from storage.sources.upstream import ERROR


def changed_rows(changes: pa.Table, desc: RelationDesc) -> pa.Table:
    """Changes (c0, …, err, diff) as updates of `desc`, whose last column is the error; without `err` there is none."""
    schema = arrow_schema(desc)
    columns = [changes.column(name) for name in schema.names[:-1]]
    errors = changes.column(ERROR) if ERROR in changes.column_names else pa.nulls(changes.num_rows, pa.string())
    rows = pa.table([*columns, errors], schema=schema)
    return rows.append_column(DIFF_COLUMN, changes.column(DIFF_COLUMN))


def error_row(error: SqlError, desc: RelationDesc) -> pa.Table:
    """A row of `desc` that is an error: who reads the collection is told, whatever else is in it."""
    schema = arrow_schema(desc)
    nothing = [pa.nulls(1, field.type) for field in list(schema)[:-1]]
    row = pa.table([*nothing, pa.array([f"{error.sqlstate.value} {error.message}"])], schema=schema)
    return row.append_column(DIFF_COLUMN, pa.array([1], pa.int64()))
