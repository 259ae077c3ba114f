"""Ranges of keys: a sink with several has a session with the destination for each, with the documents of the range
alone.

A key belongs to a range by a hash. Destinations hold checkpoints of the ranges, so the hash must never change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from connectors.sinks.description import SinkDescription
from connectors.sinks.messages import KEYS_END, KeyRange
from model.physical.columns import TIME_COLUMN, column_name
from model.time.timestamp import Timestamp
from storage.persist.row_hash import row_hash

_HASH_BITS = 64
_SHIFT = np.uint64(_HASH_BITS - KEYS_END.bit_length())


@dataclass(frozen=True, slots=True)
class RangeStand:
    """The frontier of a range of keys in the destination."""

    keys: KeyRange
    frontier: Timestamp


def ranges_of(count: int) -> tuple[KeyRange, ...]:
    """Divides all keys into `count` ranges."""
    begins = [(KEYS_END + 1) * at // count for at in range(count + 1)]
    return tuple(KeyRange(begin, end - 1) for begin, end in pairwise(begins))


def ranges_next(now: int, wanted: int) -> int:
    """Returns the next number of ranges on the way to `wanted`: a single range is divided, and several are joined to
    one."""
    return wanted if now == 1 else now if now == wanted else 1


def within(table: pa.Table, places: Iterable[int], keys: KeyRange) -> pa.Table:
    """Returns the rows whose key, in the columns at `places`, is of a range."""
    return table.filter(_of_range(_hashes(table, places), keys))


def not_there_yet(updates: pa.Table, sink: SinkDescription, stands: Sequence[RangeStand]) -> pa.Table:
    """Returns the updates that the ranges of their keys lack."""
    if not stands:
        return updates
    hashes, times = _hashes(updates, sink.key or ()), updates.column(TIME_COLUMN).to_numpy()
    lacking = np.zeros(updates.num_rows, np.bool_)
    for stand in stands:
        lacking |= np.asarray(_of_range(hashes, stand.keys)) & (times >= stand.frontier)
    return updates.filter(pa.array(lacking))


def _hashes(table: pa.Table, places: Iterable[int]) -> npt.NDArray[np.uint64]:
    columns = [table.column(column_name(place)).combine_chunks() for place in places]
    hashes: npt.NDArray[np.uint64] = row_hash(columns, table.num_rows).view(np.uint64) >> _SHIFT
    return hashes


def _of_range(hashes: npt.NDArray[np.uint64], keys: KeyRange) -> pa.Array:
    return pa.array((hashes >= np.uint64(keys.begin)) & (hashes <= np.uint64(keys.end)))
