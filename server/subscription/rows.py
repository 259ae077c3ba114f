"""Changes of complete timestamps as the client's rows: mz_timestamp, perhaps mz_progressed, the envelope's columns."""

from __future__ import annotations

import decimal

import pyarrow as pa

from model.physical.columns import TIME_COLUMN, rows_from_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc


class RowMaker:
    """Makes a subscription's rows from changes. `desc` is the plan's."""

    def __init__(self, desc: RelationDesc, *, progress: bool) -> None:
        lead = 2 if progress else 1
        self._changed = RelationDesc(desc.columns[lead:])
        self._lead: Row = (False,) if progress else ()
        self._nothing: Row = (None,) * self._changed.arity

    def rows(self, table: pa.Table) -> list[Row]:
        """Returns the rows of an envelope's table."""
        times = table.column(TIME_COLUMN).to_pylist()
        leads = {time: (decimal.Decimal(time), *self._lead) for time in set(times)}
        rows = rows_from_arrow(table.drop_columns([TIME_COLUMN]), self._changed)
        return [(*leads[time], *row) for time, row in zip(times, rows, strict=True)]

    def progress(self, frontier: Timestamp) -> Row:
        """Returns the row that says that all changes at times before `frontier` have been sent."""
        return (decimal.Decimal(frontier), True, *self._nothing)
