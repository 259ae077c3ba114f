"""Counts an ingestion's results as its bindings become durable."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from compute.protocol.response import IngestionMeasures
from connectors.gauge import Partition, is_note
from connectors.upstream import FetchedRange
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN
from storage.persist.state import Part


@dataclass(frozen=True, slots=True)
class Amount:
    """The amount of a range.

    `messages`: records, or changes of tables.
    `bytes`: their size.
    `updates`, `errors`: the resulting rows and errors in all data collections.
    """

    messages: int = 0
    bytes: int = 0
    updates: int = 0
    errors: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(
            self.messages + other.messages,
            self.bytes + other.bytes,
            self.updates + other.updates,
            self.errors + other.errors,
        )


def amount_of(
    fetched: FetchedRange,
    records: pa.Table,
    rows: Mapping[GlobalId, Sequence[pa.Table | Part]],
    of: Collection[GlobalId],
) -> Amount:
    """Returns the amount of a range's records, or of its tables, in the collections `of`. Error rows have text in
    their last column before `diff`; parts contain retractions."""
    told = [each for id_, updates in rows.items() if id_ in of for each in updates]
    errors = sum(_errors(each) for each in told if isinstance(each, pa.Table))
    updates = sum(each.rows if isinstance(each, Part) else int(each.num_rows) for each in told) - errors
    own = replace(fetched, records=records)
    return Amount(own.counted, own.nbytes, updates, errors)


@dataclass(slots=True)
class IngestionTally:
    """Since the replica opened the source. `wide` bounds are no sums: nothing is told of them."""

    wide: bool = False

    amount: Amount = Amount()
    bindings: int = 0
    bound_ms: int = 0

    def note(self, amount: Amount, now_ms: int) -> None:
        """Counts a durable binding."""
        if not amount.messages:
            return
        self.amount += amount
        self.bindings += 1
        self.bound_ms = now_ms

    def measures(
        self, source: GlobalId, known: Mapping[Partition, int], bound: Mapping[Partition, int]
    ) -> IngestionMeasures:
        """Returns the measures to report. Bound records are known, whether or not upstream has confirmed them again."""
        committed = sum(upto for partition, upto in bound.items() if not is_note(partition))
        ahead = sum(max(end - bound.get(partition, 0), 0) for partition, end in known.items())
        return IngestionMeasures(
            source,
            self.amount.messages,
            self.amount.bytes,
            self.amount.updates,
            self.amount.errors,
            self.bindings,
            offset_known=None if self.wide else committed + ahead,
            offset_committed=None if self.wide else committed,
            bound_ms=self.bound_ms,
        )


def _errors(updates: pa.Table) -> int:
    """Returns the number of errors added."""
    errors = pc.is_valid(updates.column([name for name in updates.column_names if name != DIFF_COLUMN][-1]))
    if DIFF_COLUMN in updates.column_names:
        errors = pc.and_(errors, pc.greater(updates.column(DIFF_COLUMN), 0))
    return int(pc.sum(errors, min_count=0).as_py())
