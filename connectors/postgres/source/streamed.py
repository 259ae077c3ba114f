"""Collects large transactions that arrive before they have ended: their changes by subtransaction, in files if they are
many.

For a rollback only the subtransaction's number is sent; so each change is kept with its subtransaction, and rolled-back
changes are dropped at the end. The same goes for TRUNCATE, and for errors of tables that can't be followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from connectors.postgres.source.pgoutput import Fields
from connectors.postgres.source.postgres_columns import changed_columns
from connectors.postgres.source.relations import Relations, size_of
from connectors.sources.spilled import SpilledTables
from model.errors.sql_error import SqlError
from model.external.publications import PublishedTable

_XID = "xid"


@dataclass(slots=True)
class _TableStream:
    """The changes of one table.

    `rows`, `diffs`, `xids`: in memory, behind the `written` ones in a file
    `emptied`: truncations, as the number of changes before each and its subtransaction
    `stops`: errors since which the table can't be followed, by subtransaction
    """

    rows: list[Fields] = field(default_factory=list)
    diffs: list[int] = field(default_factory=list)
    xids: list[int] = field(default_factory=list)
    written: int = 0
    emptied: list[tuple[int, int]] = field(default_factory=list)
    stops: dict[int, SqlError] = field(default_factory=dict)


class StreamedTransaction:
    """A transaction until it has ended; call `whole` for its changes, or `close`."""

    def __init__(self, tables: Mapping[str, PublishedTable]) -> None:
        self.relations = Relations(tables)
        self._published = tables
        self._tables: dict[str, _TableStream] = {}
        self._aborted: set[int] = set()
        self._spilled = SpilledTables()
        self.size = 0
        """Of what is in memory."""

    def add(self, name: str, row: Fields, diff: int, xid: int) -> None:
        changes = self._tables.setdefault(name, _TableStream())
        changes.rows.append(row)
        changes.diffs.append(diff)
        changes.xids.append(xid)
        self.size += size_of(row)

    def empty(self, name: str, xid: int) -> None:
        changes = self._tables.setdefault(name, _TableStream())
        changes.emptied.append((changes.written + len(changes.rows), xid))

    def stop(self, name: str, error: SqlError, xid: int) -> None:
        self._tables.setdefault(name, _TableStream()).stops.setdefault(xid, error)

    def abort(self, xid: int) -> None:
        """Drops the changes of a subtransaction."""
        self._aborted.add(xid)

    def spill(self) -> None:
        """Writes the changes in memory to files."""
        for name, changes in self._tables.items():
            if changes.rows:
                texts = [pa.array(values, pa.string()) for values in zip(*changes.rows, strict=True)]
                columns = changed_columns(self._published[name], texts, pa.array(changes.diffs, pa.int64()))
                xids = pa.array(changes.xids, pa.uint32())
                self._spilled.add(name, columns.append_column(_XID, xids))
                changes.written += len(changes.rows)
                changes.rows, changes.diffs, changes.xids = [], [], []
        self.size = 0

    @property
    def stopped(self) -> Mapping[str, SqlError]:
        """Returns the tables that can't be followed any more, unless that was rolled back."""
        told: dict[str, SqlError] = {}
        for name, changes in self._tables.items():
            for xid, error in changes.stops.items():
                if xid not in self._aborted:
                    told.setdefault(name, error)
        return told

    def whole(self, left_out: frozenset[str]) -> SpilledTables:
        """Returns the transaction's changes that were not rolled back, without these tables."""
        self.spill()
        result = SpilledTables()
        written = self._spilled.taken()
        for name, changes in self._tables.items():
            if name in left_out:
                continue
            emptied = [at for at, xid in changes.emptied if xid not in self._aborted]
            if emptied:
                result.empty(name)
            if name in written:
                self._keep(name, written[name], max(emptied, default=0), result)
        return result

    def _keep(self, name: str, written: pa.Table, start: int, result: SpilledTables) -> None:
        """Adds the changes behind `start` that were not rolled back, piece by piece."""
        aborted = np.fromiter(self._aborted, np.uint32, len(self._aborted))
        for batch in written.slice(start).to_batches():
            counts = ~np.isin(batch.column(_XID).to_numpy(), aborted)
            kept = pa.Table.from_batches([batch]).drop_columns([_XID])
            if not counts.all():
                kept = kept.filter(pa.array(counts))
            if kept.num_rows:
                result.add(name, kept)

    def close(self) -> None:
        self._spilled.close()
