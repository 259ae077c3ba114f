"""Messages of librdkafka as a table of records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from connectors.upstream import HEADERS, KEY, OFFSET, PARTITION, TIMESTAMP, VALUE

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
    """Returns a row for each message, in order; a missing key, value or timestamp is NULL."""
    columns = [
        pa.array([each.partition() for each in messages], pa.int32()),
        pa.array([each.offset() for each in messages], pa.int64()),
        _timestamps([each.timestamp() for each in messages]),
        pa.array([each.key() for each in messages], pa.binary()),
        pa.array([each.value() for each in messages], pa.binary()),
        _headers([each.headers() for each in messages]),
    ]
    return pa.table(columns, schema=RECORDS_SCHEMA)


def _timestamps(found: Sequence[tuple[int, int]]) -> pa.Array:
    kinds, times = zip(*found, strict=True)
    known = [None if kind == _NO_TIMESTAMP else ms for kind, ms in found] if _NO_TIMESTAMP in kinds else times
    return pa.array(known, pa.int64()).cast(RECORDS_SCHEMA.field(TIMESTAMP).type)


def _headers(found: Sequence[Sequence[tuple[str, bytes | None]] | None]) -> pa.Array:
    if not any(found):
        # Records without any are the most.
        nowhere = pa.array(np.zeros(len(found) + 1, np.int32))
        return pa.ListArray.from_arrays(nowhere, pa.array([], _HEADER))
    lists = [[{"key": key, "value": value} for key, value in headers or ()] for headers in found]
    return pa.array(lists, pa.list_(_HEADER))


def message_bytes(message: Any) -> int:
    """Returns the approximate size of a message in memory."""
    return 64 + len(message)
