"""Records of Kinesis as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa

from connectors.upstream import KEY, OFFSET, PARTITION, TIMESTAMP, VALUE

RECORDS_SCHEMA = pa.schema(
    [
        (PARTITION, pa.int64()),
        # Sequence numbers have more digits than any number of a table.
        (OFFSET, pa.string()),
        (TIMESTAMP, pa.timestamp("ms", tz="UTC")),
        (KEY, pa.binary()),
        (VALUE, pa.binary()),
    ]
)


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """A record. `sequence` orders the records of a shard; `key` is the partition key."""

    shard: int
    sequence: int
    arrived: datetime | None
    key: str
    data: bytes

    @property
    def size(self) -> int:
        """The approximate size of the record in memory."""
        return 128 + len(self.key) + len(self.data)


def records_of_stream(records: Sequence[StreamRecord]) -> pa.Table:
    """Returns a row for each record, in order."""
    columns = [
        pa.array([each.shard for each in records], pa.int64()),
        pa.array([str(each.sequence) for each in records], pa.string()),
        pa.array([each.arrived for each in records], pa.timestamp("ms", tz="UTC")),
        pa.array([each.key.encode() for each in records], pa.binary()),
        pa.array([each.data for each in records], pa.binary()),
    ]
    return pa.table(columns, schema=RECORDS_SCHEMA)
