"""A tick's updates for one export: in memory up to a limit, beyond it in a file; then consolidated."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from compute.replica.contents.difference import PORTION_ROWS, Difference
from compute.spark.spool import Spool
from storage.persist.snapshot import in_order_of_time


class TickUpdates:
    """Take all updates, then read `tables`, any number of times, then `close`. `schema` ends with time and diff.

    A single `consolidated` table needs no adding up.
    """

    def __init__(self, schema: pa.Schema, directory: Path) -> None:
        self.schema = schema
        self._directory = directory
        self._spool = Spool(directory, None)
        self._finished = False
        self._distinct = True

    @property
    def rows(self) -> int:
        """Returns the number of updates taken."""
        return self._spool.rows

    def take(self, updates: pa.Table, *, consolidated: bool = False) -> None:
        if updates.num_rows == 0:
            return
        self._distinct = consolidated and self.rows == 0
        updates = updates.select(self.schema.names)
        if not updates.schema.equals(self.schema):
            updates = updates.cast(self.schema)
        for batch in updates.to_batches():
            self._spool.append(batch)

    def chunks(self) -> Iterator[pa.Table]:
        """Yields the updates in the order of taking."""
        if not self._finished:
            self._spool.finish()
            self._finished = True
        for batch in self._spool.chunks():
            yield pa.Table.from_batches([batch], self.schema)

    def tables(self) -> Iterator[pa.Table]:
        """Yields the updates consolidated, in tables that are not empty, each in order of time."""
        if self._distinct and self.rows <= PORTION_ROWS:
            if self.rows:
                yield in_order_of_time(pa.concat_tables(self.chunks()))
            return
        difference = Difference(self.schema, self._directory, self.rows)
        try:
            for chunk in self.chunks():
                difference.add(chunk)
            for table in difference.tables():
                if table.num_rows:
                    yield in_order_of_time(table)
        finally:
            difference.close()

    def close(self) -> None:
        self._spool.close()
