"""Law: an update comes out in the tick that covers its time, unless it was taken back before; until then it is kept.

The arrangement has no key, and its h is the time: what is due is a range of it. What was due in earlier ticks is
dropped when batches are merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from compute.arrangement.arrangement import CHUNK_ROWS, Arrangement
from compute.arrangement.layout import HASH_COLUMN
from compute.kernels.chunks import coalesced, insert_all
from model.physical import DIFF_COLUMN, TIME_COLUMN

_TIME_MAX = 2**63 - 1


def delay_changes(
    arrangement: Arrangement, changes: Iterable[pa.Table], lower: int, upper: int, *, chunk_rows: int = CHUNK_ROWS
) -> Iterator[pa.Table]:
    """c0…, time, diff of the updates with times from `lower` until before `upper`, consolidated.

    `changes` have columns c0…, time, diff, with times at or after `lower`; ticks before covered those until `lower`.
    """
    insert_all(arrangement, (_by_time(arrangement, change) for change in changes))
    arrangement.drop_hashes_below(lower)
    names = [*arrangement.layout.value_names, TIME_COLUMN, DIFF_COLUMN]
    due = arrangement.between(lower, upper, provisional=True, chunk_rows=chunk_rows)
    return coalesced((table.select(names) for table in due), chunk_rows)


def next_due(arrangement: Arrangement, upper: int) -> int | None:
    """The least time at or after `upper` of an update that is kept, those of this tick included; None: nothing is."""
    for table in arrangement.between(upper, _TIME_MAX, provisional=True, chunk_rows=1):
        return int(table.column(TIME_COLUMN)[0].as_py())
    return None


def _by_time(arrangement: Arrangement, change: pa.Table) -> pa.Table:
    assert not arrangement.layout.key, "what is delayed is kept by time, not by a key"
    rows = change.select([*arrangement.layout.value_names, TIME_COLUMN, DIFF_COLUMN])
    return rows.add_column(0, HASH_COLUMN, rows.column(TIME_COLUMN))
