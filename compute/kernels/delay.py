"""Law: an update comes out in the tick that covers its time, unless retracted before; until then it is kept.

The arrangement has no key, and its h is the time: due updates are a range. Updates due in earlier ticks are dropped
when batches are merged.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from compute.arrangement.arrangement import CHUNK_ROWS, Arrangement
from compute.kernels.chunks import coalesced
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN

_TIME_MAX = 2**63 - 1


def delay_changes(
    arrangement: Arrangement, lower: int, upper: int, *, chunk_rows: int = CHUNK_ROWS
) -> Iterator[pa.Table]:
    """Yields c0…, time, diff of the updates with times from `lower` until before `upper`, consolidated.

    Ticks before covered the times until `lower`; those of the change are not before it.
    """
    arrangement.drop_hashes_below(lower)
    names = [*arrangement.layout.value_names, TIME_COLUMN, DIFF_COLUMN]
    due = arrangement.between(lower, upper, provisional=True, chunk_rows=chunk_rows)
    return coalesced((table.select(names) for table in due), chunk_rows)


def next_due(arrangement: Arrangement, upper: int) -> int | None:
    """Returns the least time at or after `upper` of a kept update, including updates of this tick; None without one."""
    for table in arrangement.between(upper, _TIME_MAX, provisional=True, chunk_rows=1):
        return int(table.column(TIME_COLUMN)[0].as_py())
    return None
