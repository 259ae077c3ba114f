"""INSERT AS OF a future time: rows wait durably, and are appended at exactly the given time.

Waiting rows lie in a shard for waiting rows alone, written by the commit that acknowledges the INSERT. The first group
commit at or after a row's time appends the row to its table, at the row's time, and retracts the row from the shard, in
one step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pyarrow as pa

from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, rows_to_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BYTEA, INT8, TEXT
from model.updates.update import Update, updates_to_arrow

SCHEDULED_SHARD_ID = GlobalId.system(2)
SCHEDULED_DESC = relation_desc(
    ("name", TEXT, False), ("id", TEXT, False), ("time", INT8, False), ("rows", BYTEA, False)
)


@dataclass(frozen=True, slots=True)
class ScheduledRows:
    """Rows of INSERT that become visible at a later time. `name` is unique; `rows` is an Arrow IPC stream of the
    table's columns."""

    name: str
    id: GlobalId
    time: Timestamp
    rows: bytes

    @property
    def row(self) -> Row:
        """Returns the row for the shard."""
        return self.name, str(self.id), int(self.time), self.rows


def encode_rows(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


class Scheduled:
    """The waiting rows, in memory as in the shard. The group committer asks at each commit."""

    def __init__(self, updates: Iterable[Update]) -> None:
        waiting: dict[str, ScheduledRows] = {}
        for update in sorted(updates, key=lambda update: update.diff, reverse=True):
            name, id_, time, rows = update.row
            assert isinstance(name, str) and isinstance(id_, str) and isinstance(time, int) and isinstance(rows, bytes)
            if update.diff > 0:
                waiting[name] = ScheduledRows(name, GlobalId.parse(id_), Timestamp(time), rows)
            else:
                waiting.pop(name, None)
        self._waiting = waiting

    def add(self, waiting: Sequence[ScheduledRows]) -> None:
        """Adds rows that have become durable."""
        self._waiting.update((each.name, each) for each in waiting)

    def waits_for(self, id_: GlobalId) -> bool:
        """Returns whether rows for the table wait."""
        return any(each.id == id_ for each in self._waiting.values())

    def due(self, timestamp: Timestamp, existing: set[GlobalId]) -> dict[GlobalId, list[pa.Table]]:
        """Returns the updates that a commit at `timestamp` must carry; rows of dropped tables are dropped."""
        due = self._due(timestamp)
        if not due:
            return {}
        tables: dict[GlobalId, list[pa.Table]] = {
            SCHEDULED_SHARD_ID: [updates_to_arrow((Update(each.row, timestamp, -1) for each in due), SCHEDULED_DESC)]
        }
        for each in due:
            if each.id in existing:
                rows = pa.ipc.open_stream(each.rows).read_all()
                times = pa.array([int(each.time)] * rows.num_rows, pa.int64())
                diffs = pa.array([1] * rows.num_rows, pa.int64())
                timed = rows.append_column(TIME_COLUMN, times).append_column(DIFF_COLUMN, diffs)
                tables.setdefault(each.id, []).append(timed)
        return tables

    def due_before(self, timestamp: Timestamp) -> bool:
        """Returns whether rows with an earlier time wait."""
        return any(each.time < timestamp for each in self._waiting.values())

    def applied(self, timestamp: Timestamp) -> None:
        """Notes that the commit at `timestamp` is durable."""
        for each in self._due(timestamp):
            del self._waiting[each.name]

    def _due(self, timestamp: Timestamp) -> list[ScheduledRows]:
        return [each for each in self._waiting.values() if each.time <= timestamp]


def scheduled_rows(waiting: Sequence[ScheduledRows]) -> pa.Table:
    """Returns the rows that the acknowledging commit appends to the shard, at its own timestamp."""
    return rows_to_arrow((each.row for each in waiting), SCHEDULED_DESC)
