"""Two answers to one question, row by row: what DuckDB gave as Parquet, what a server gave as CSV.

Both are bags of rows. Columns are compared by DuckDB's types; numbers with digits behind the point to nine significant
digits, since DuckDB averages in floats.
"""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

_SIGNIFICANT = 9


def difference(expected: pa.Table, answer: bytes) -> str | None:
    """What is wrong first, in words; None when the bags are equal."""
    schema = pa.schema([(field.name, _comparable(field.type)) for field in expected.schema])
    options = pyarrow.csv.ConvertOptions(
        column_types=schema, strings_can_be_null=True, quoted_strings_can_be_null=False, null_values=[""]
    )
    found = pyarrow.csv.read_csv(
        io.BytesIO(answer), convert_options=options, parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True)
    )
    if found.column_names != expected.column_names:
        return f"columns {found.column_names}, not {expected.column_names}"
    if found.num_rows != expected.num_rows:
        return f"{found.num_rows:,} rows, not {expected.num_rows:,}"
    ours, theirs = _ordered(found), _ordered(expected.cast(schema))
    for name in schema.names:
        equal = _equal(ours.column(name), theirs.column(name))
        if not equal.all():
            row = int(np.argmin(equal))
            return f"{ours.slice(row, 1).to_pylist()[0]}, not {theirs.slice(row, 1).to_pylist()[0]}"
    return None


def _comparable(type_: pa.DataType) -> pa.DataType:
    return pa.float64() if pa.types.is_decimal(type_) or pa.types.is_floating(type_) else type_


def _ordered(table: pa.Table) -> pa.Table:
    """By the exact columns first: the others differ in their last digits."""
    exact = [field.name for field in table.schema if not pa.types.is_floating(field.type)]
    rest = [name for name in table.column_names if name not in exact]
    return table.sort_by([(name, "ascending") for name in exact + rest])


def _equal(ours: pa.ChunkedArray, theirs: pa.ChunkedArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    if not pa.types.is_floating(ours.type):
        equal = pc.fill_null(pc.equal(ours, theirs), False)
        both_null = pc.and_(pc.is_null(ours), pc.is_null(theirs))
        return np.asarray(pc.or_(equal, both_null))
    left, right = (np.asarray(pc.fill_null(each, np.nan)) for each in (ours, theirs))
    return np.asarray(np.isclose(left, right, rtol=10.0**-_SIGNIFICANT, atol=0.0, equal_nan=True))
