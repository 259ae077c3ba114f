"""A statement's changes to the rows of a table, from its buffered writes. Pure.

An UPDATE retracts rows and then asserts as many, in the same order, batch by batch, so each new row has its old row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

import pyarrow as pa

from model.physical.columns import DIFF_COLUMN, rows_from_arrow
from model.types.datum import Row
from model.types.relation_desc import RelationDesc


@dataclass(slots=True)
class RowChanges:
    """The changes; `updated` pairs each old row with its new row."""

    inserted: list[Row] = field(default_factory=list)
    deleted: list[Row] = field(default_factory=list)
    updated: list[tuple[Row, Row]] = field(default_factory=list)

    def add_write(self, tables: Iterable[pa.Table], desc: RelationDesc) -> None:
        """Adds the updates of one part of a statement, in their order."""
        retracted: list[Row] = []
        for table in tables:
            rows = rows_from_arrow(table, desc)
            diffs: list[int] = [1] * len(rows)
            if DIFF_COLUMN in table.column_names:
                diffs = table.column(DIFF_COLUMN).to_pylist()
            for diff, run in groupby(zip(diffs, rows, strict=True), key=lambda each: each[0]):
                found = [row for _, row in run]
                if diff < 0:
                    retracted += found
                elif len(retracted) == len(found):
                    self.updated += zip(retracted, found, strict=True)
                    retracted = []
                else:
                    self.inserted += found
        self.deleted += retracted
