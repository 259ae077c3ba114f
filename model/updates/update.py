"""Changes to a collection: (row, time, diff), one by one or as columns.

The meaning of updates is their accumulation: a collection at t holds each row as often as the diffs of its
updates at times <= t add up to (source: seed 2, "Time-varying collections").
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pyarrow as pa

from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, rows_from_arrow, rows_to_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName


@dataclass(frozen=True, slots=True)
class Update:
    """A change of how often a row occurs: by `diff`, from `time` on. In a consolidated batch `diff` is never 0."""

    row: Row
    time: Timestamp
    diff: int


def updates_to_arrow(updates: Iterable[Update], desc: RelationDesc) -> pa.Table:
    """Makes an Arrow table of `updates_schema(desc)` from updates."""
    updates = list(updates)
    table = rows_to_arrow((update.row for update in updates), desc)
    times = pa.array([update.time for update in updates], pa.int64())
    diffs = pa.array([update.diff for update in updates], pa.int64())
    return table.append_column(TIME_COLUMN, times).append_column(DIFF_COLUMN, diffs)


def updates_from_arrow(table: pa.Table, desc: RelationDesc) -> list[Update]:
    """Returns the updates of an Arrow table of `updates_schema(desc)`."""
    rows = rows_from_arrow(table, desc)
    times = table.column(TIME_COLUMN).to_pylist()
    diffs = table.column(DIFF_COLUMN).to_pylist()
    return [Update(row, Timestamp(time), diff) for row, time, diff in zip(rows, times, diffs, strict=True)]


# Rows of small tables are made Python's once: what a transaction writes by key is asked for its rows again and again,
# by its own reads, its locks, and by whoever reads the same keys later.

SignedRows = Sequence[tuple[Row, int]]
"""Rows with their diffs."""

FEW_ROWS = 8
_UNCHANGED = frozenset(
    (
        TypeName.BOOL,
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.TEXT,
        TypeName.VARCHAR,
        TypeName.BPCHAR,
        TypeName.DATE,
        TypeName.TIMESTAMP,
    )
)
_known: dict[int, tuple[weakref.ref[pa.Table], SignedRows]] = {}
"""By identity, as long as the table lives."""


def come_back_unchanged(types: Sequence[ScalarType]) -> bool:
    """Tells whether Arrow returns datums of these types unchanged."""
    return all(type_.name in _UNCHANGED for type_ in types)


def remember_rows(table: pa.Table, rows: SignedRows) -> None:
    """Remembers the rows of a table that will never change, where they are few."""
    if len(rows) <= FEW_ROWS:
        number = id(table)
        # The table takes its entry with it, before another can have its number.
        _known[number] = weakref.ref(table, lambda _: _known.pop(number, None)), rows


def known_rows_of(table: pa.Table) -> SignedRows | None:
    """Returns the table's rows, where they are remembered."""
    found = _known.get(id(table))
    return None if found is None else found[1]


def signed_rows(table: pa.Table, desc: RelationDesc) -> SignedRows:
    """Returns the rows of a table of updates of `desc`, at any times; without a column `diff` each counts once."""
    known = known_rows_of(table)
    if known is None:
        counted = DIFF_COLUMN in table.column_names
        diffs: list[int] = table.column(DIFF_COLUMN).to_pylist() if counted else [1] * table.num_rows
        known = tuple(zip(rows_from_arrow(table, desc), diffs, strict=True))
        remember_rows(table, known)
    return known
