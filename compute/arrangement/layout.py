"""The columns of an arrangement: `h`, `k0`…, perhaps `o`, then `c0`… or `a0`…, then `time` and `diff`.

`h` (int64) is a hash of the key: equal keys have equal hashes, and different keys mostly different hashes. Keys are
equal when their stored values are (NULL equals NULL, NaN equals NaN). `c0`… are a row's columns; `a0`… are int64 totals
that add up, like `diff`, over updates of one key and time. `o` (int64) orders the rows of a key: a later row never has
a smaller `o`, and different rows may have equal ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name

HASH_COLUMN = "h"
ORDER_COLUMN = "o"
ROW_HASH_COLUMN = "r"
COUNT_COLUMN = "n"


def key_name(index: int) -> str:
    """Returns the physical name of the key column at `index`, from 0."""
    return f"k{index}"


def sum_name(index: int) -> str:
    """Returns the physical name of the additive column at `index`, from 0."""
    return f"a{index}"


@dataclass(frozen=True)
class Layout:
    """The columns of an arrangement. `key` and `values` are Arrow types; an arrangement with sums has no values."""

    key: tuple[pa.DataType, ...]
    values: tuple[pa.DataType, ...]
    sums: int = 0
    ordered: bool = False

    def __post_init__(self) -> None:
        assert not (self.values and self.sums), "an arrangement holds rows or sums, not both"

    @cached_property
    def key_names(self) -> tuple[str, ...]:
        return tuple(key_name(i) for i in range(len(self.key)))

    @cached_property
    def value_names(self) -> tuple[str, ...]:
        return tuple(column_name(i) for i in range(len(self.values)))

    @cached_property
    def sum_names(self) -> tuple[str, ...]:
        return tuple(sum_name(i) for i in range(self.sums))

    @cached_property
    def schema(self) -> pa.Schema:
        """Returns the schema of inserts and of lookups."""
        return pa.schema(
            [
                (HASH_COLUMN, pa.int64()),
                *zip(self.key_names, self.key),
                *((ORDER_COLUMN, pa.int64()) for _ in range(self.ordered)),
                *zip(self.value_names, self.values),
                *((name, pa.int64()) for name in self.sum_names),
                (TIME_COLUMN, pa.int64()),
                (DIFF_COLUMN, pa.int64()),
            ]
        )

    @cached_property
    def stored(self) -> pa.Schema:
        """`schema`, and `r`: a hash of the values."""
        return self.schema.append(pa.field(ROW_HASH_COLUMN, pa.int64()))

    @cached_property
    def sort_names(self) -> tuple[str, ...]:
        """Returns the int64 columns by which batches are sorted, before the time; equal rows have equal values in
        them."""
        return (HASH_COLUMN, ORDER_COLUMN, ROW_HASH_COLUMN) if self.ordered else (HASH_COLUMN, ROW_HASH_COLUMN)


def identity_of(layout: Layout) -> tuple[bytes, int]:
    """Returns a storable identity, equal for equal layouts."""
    return layout.schema.serialize().to_pybytes(), layout.sums
