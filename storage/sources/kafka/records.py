"""Messages of librdkafka as a table of records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from storage.sources.upstream import HEADERS, KEY, OFFSET, PARTITION, TIMESTAMP, VALUE

_NO_TIMESTAMP = 0
_HEADER = pa.struct([("key", pa.string()), ("value", pa.binary())])
RECORDS_SCHEMA = pa.schema(
    [
        (PARTITION, pa.int32()),
        (OFFSET, pa.int64()),
        (TIMESTAMP, pa.timestamp("ms", tz="UTC")),
        (KEY, pa.binary()),
        (VALUE, pa.binary()),
        (HEADERS, pa.list_(_HEADER)),
    ]
)


def records_of(messages: Sequence[Any]) -> pa.Table:
    """A row for each message, in their order; a message without a key, value or timestamp has NULL there."""
    timestamps = [None if kind == _NO_TIMESTAMP else ms for kind, ms in (each.timestamp() for each in messages)]
    columns = [
        pa.array([each.partition() for each in messages], pa.int32()),
        pa.array([each.offset() for each in messages], pa.int64()),
        pa.array(timestamps, pa.timestamp("ms", tz="UTC")),
        pa.array([each.key() for each in messages], pa.binary()),
        pa.array([each.value() for each in messages], pa.binary()),
        pa.array([_headers(each.headers()) for each in messages], pa.list_(_HEADER)),
    ]
    return pa.table(columns, schema=RECORDS_SCHEMA)


def _headers(headers: Sequence[tuple[str, bytes | None]] | None) -> list[dict[str, str | bytes | None]]:
    return [{"key": key, "value": value} for key, value in headers or ()]


def message_bytes(message: Any) -> int:
    """About what a message takes in memory."""
    return 64 + len(message)
