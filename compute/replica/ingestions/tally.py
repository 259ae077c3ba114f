"""What an ingestion has come to: counted as its bindings become durable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from compute.protocol.response import IngestionMeasures
from compute.replica.ingestions.reclocked_shards import Rows
from model.global_id import GlobalId
from model.physical import DIFF_COLUMN
from storage.sources.gauge import Partition, is_note
from storage.sources.upstream import FetchedRange


@dataclass(slots=True)
class IngestionTally:
    """Since the replica opened the source. `wide` bounds are no sums: nothing is told of them."""

    wide: bool = False

    messages: int = 0
    bytes: int = 0
    updates: int = 0
    errors: int = 0
    bindings: int = 0
    bound_ms: int = 0

    def note(self, fetched: FetchedRange, rows: Rows, now_ms: int) -> None:
        """A binding of this range is durable; rows that are errors have text in their last column, before `diff`."""
        if not fetched.counted:
            return
        self.messages += fetched.counted
        self.bytes += fetched.nbytes
        self.bindings += 1
        self.bound_ms = now_ms
        for tables in rows.values():
            for table in tables:
                errors = _errors(table)
                self.errors += errors
                self.updates += table.num_rows - errors

    def measures(
        self, source: GlobalId, known: Mapping[Partition, int], bound: Mapping[Partition, int]
    ) -> IngestionMeasures:
        """As it is told. What is bound is known, whether or not upstream has said so again."""
        committed = sum(upto for partition, upto in bound.items() if not is_note(partition))
        ahead = sum(max(end - bound.get(partition, 0), 0) for partition, end in known.items())
        return IngestionMeasures(
            source,
            self.messages,
            self.bytes,
            self.updates,
            self.errors,
            self.bindings,
            offset_known=None if self.wide else committed + ahead,
            offset_committed=None if self.wide else committed,
            bound_ms=self.bound_ms,
        )


def _errors(updates: pa.Table) -> int:
    """How many errors they add."""
    errors = pc.is_valid(updates.column([name for name in updates.column_names if name != DIFF_COLUMN][-1]))
    if DIFF_COLUMN in updates.column_names:
        errors = pc.and_(errors, pc.greater(updates.column(DIFF_COLUMN), 0))
    return int(pc.sum(errors, min_count=0).as_py())
