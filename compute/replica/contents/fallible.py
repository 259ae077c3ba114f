"""Collections with errors among their rows: the shards of materialized views and of sources."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from compute.protocol.dataflow import Import
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name

ERROR_COLUMN = "err"
ERRORS = pa.schema([(ERROR_COLUMN, pa.string()), (TIME_COLUMN, pa.int64()), (DIFF_COLUMN, pa.int64())])


def stored_error_column(item: Import) -> str:
    """Returns the physical name of the column that holds the errors of a fallible import."""
    return column_name(item.desc.arity if item.error_at is None else item.error_at)


def split_errors(item: Import, updates: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Splits updates of an import's shard into the import's rows and its errors (err, time, diff)."""
    if not item.fallible:
        return updates, ERRORS.empty_table()
    name = stored_error_column(item)
    failed = pc.is_valid(updates.column(name))
    errors = updates.filter(failed).select([name, TIME_COLUMN, DIFF_COLUMN]).rename_columns(ERRORS.names)
    rows = updates.filter(pc.invert(failed))
    return rows.drop_columns([name]) if item.error_at is None else rows, errors.cast(ERRORS)
