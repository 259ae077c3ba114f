"""Rows of a data collection that come as changes of a table."""

from __future__ import annotations

import pyarrow as pa

from connectors.upstream import ERROR
from model.errors.sql_error import SqlError
from model.physical.columns import DIFF_COLUMN, arrow_schema, column_name
from model.physical.shown_numerics import shown_name
from model.types.decimals_columns import decimals_columns
from model.types.relation_desc import RelationDesc


def changed_rows(changes: pa.Table, desc: RelationDesc, error_at: int | None) -> pa.Table:
    """Converts changes (c0, …, shown0, …, err, diff) to updates of a collection with the columns of `desc`, in which
    columns of decimals stand where `decimals_columns` finds them.

    `error_at` is the place of the error column in `desc` (None: the last). Changes without a column `err` hold no
    errors. A column that was added to the table later, and so is missing from the changes, is NULL.
    """
    count = changes.num_rows
    told, place = {own: at for at, own in decimals_columns(desc.columns)}, _place(desc, error_at)
    values = [at for at in range(desc.arity) if at != place and at not in told]
    number = {at: number for number, at in enumerate(values)}
    columns = []
    for at, field in enumerate(arrow_schema(desc)):
        name = shown_name(number[told[at]]) if at in told else ERROR if at == place else column_name(number[at])
        columns.append(changes.column(name) if name in changes.column_names else pa.nulls(count, field.type))
    rows = pa.table(columns, schema=arrow_schema(desc))
    return rows.append_column(DIFF_COLUMN, changes.column(DIFF_COLUMN))


def error_row(error: SqlError, desc: RelationDesc, error_at: int | None) -> pa.Table:
    """Returns one row of a collection with the columns of `desc`, whose error column (at `error_at`, else the last)
    holds an error. Reading the collection then fails with this error."""
    schema = arrow_schema(desc)
    columns = [pa.nulls(1, field.type) for field in schema]
    columns[_place(desc, error_at)] = pa.array([f"{error.sqlstate.value} {error.message}"])
    return pa.table(columns, schema=schema).append_column(DIFF_COLUMN, pa.array([1], pa.int64()))


def _place(desc: RelationDesc, error_at: int | None) -> int:
    return desc.arity - 1 if error_at is None else error_at
