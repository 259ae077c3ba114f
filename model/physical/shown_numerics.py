"""Numerics without a modifier as texts with their decimals, where these stand in a column beside the values.

c0     1.500000000000000000        c0     1.50
shown0 2                      ─▶
"""

from __future__ import annotations

import decimal
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from model.physical.columns import with_told_decimals
from model.types.datum import Datum


def shown_name(at: int) -> str:
    """Returns the name of the column with the decimals of the column at a position."""
    return f"shown{at}"


def decimals_in(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Returns the number of digits behind the point of each number, which has no exponent."""
    point = pc.find_substring(texts, ".")
    behind = pc.subtract(pc.subtract(pc.binary_length(texts), point), 1)
    return pc.if_else(pc.less(point, 0), pa.scalar(0, pa.int32()), behind).cast(pa.int32())


def shown_decimals(value: Datum) -> int | None:
    """Returns the number of decimals that a numeric shows; None for NULL, and for what is no finite number."""
    exponent = value.as_tuple().exponent if isinstance(value, decimal.Decimal) else None
    return max(-exponent, 0) if isinstance(exponent, int) else None


def shown_texts(values: pa.Array | pa.ChunkedArray, decimals: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Returns numerics as texts, each with the decimals told for it, or with as many as it needs where these are
    more."""
    shown = with_told_decimals(values, decimals.to_pylist())
    return pa.array(
        (format(value, "f") if isinstance(value, decimal.Decimal) else None for value in shown), pa.string()
    )


def with_shown_numerics(table: pa.Table, told: Sequence[tuple[int, int]]) -> pa.Table:
    """Returns a table in which numerics are texts with the decimals that other columns tell. `told` has pairs of
    positions, each of a numeric and of such a column behind all others; these columns are left out."""
    for at, place in told:
        table = table.set_column(at, table.field(at).name, shown_texts(table.column(at), table.column(place)))
    return table.drop_columns([table.field(place).name for _, place in told]) if told else table
