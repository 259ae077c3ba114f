"""Finds the times at which a key of a sink's input is not unique, and so the time at which a transaction has to close.

    count(k, t)   the number of rows with the key k at t
    t is good     where count(k, t) <= 1 for all keys, unless they are not enforced, and 0 for those with a NULL

The input is all rows at lower - 1, as updates at that time, and all updates in [lower, upper): counts follow.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from connectors.sinks.description import SinkDescription
from connectors.sinks.documents import key_violation
from model.errors.sql_error import SqlError
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name
from model.time.timestamp import Timestamp
from model.updates.consolidate import key_array

_Numbers = npt.NDArray[np.int64]


class UniqueKeys:
    """The counts of keys: `take` all updates, those of a key together; then ask for the time to close. `sink` has
    only its keys as columns."""

    def __init__(self, sink: SinkDescription, lower: Timestamp, upper: Timestamp) -> None:
        self._sink = sink
        self._lower = lower
        self._upper = upper
        self._begins: list[_Numbers] = []
        self._ends: list[_Numbers] = []
        self._documents: list[pa.Table] = []

    def take(self, updates: pa.Table) -> None:
        """Finds from when until when keys of these updates (c0, …, time, diff) are not unique."""
        if not updates.num_rows:
            return
        columns = [updates.column(column_name(place)) for place in self._sink.key or ()]
        ids = _numbered(columns)
        times, diffs = updates.column(TIME_COLUMN).to_numpy(), updates.column(DIFF_COLUMN).to_numpy()
        order = np.lexsort((times, ids))
        ids, times, diffs = ids[order], times[order], diffs[order]
        firsts = np.concatenate(([True], ids[1:] != ids[:-1]))
        total = np.cumsum(diffs)
        before = (total - diffs)[firsts]
        counts = total - before[np.cumsum(firsts) - 1]
        lasts = np.concatenate((firsts[1:] | (times[1:] != times[:-1]), [True]))
        same = np.concatenate((~firsts[1:], [False]))
        ends = np.where(same, np.concatenate((times[1:], [0])), self._upper)
        absent = np.any([column.is_null().to_numpy() for column in columns], axis=0)[order]
        begins, ends = np.maximum(times, self._lower), np.minimum(ends, self._upper)
        most = 1 if self._sink.enforced else np.iinfo(np.int64).max
        found = lasts & (counts > np.where(absent, 0, most)) & (begins < ends)
        self._begins.append(begins[found])
        self._ends.append(ends[found])
        self._documents.append(updates.take(pa.array(order[found])))

    @property
    def doubled(self) -> bool:
        """Returns whether some key was not unique at some time from the lower on."""
        return any(len(begins) for begins in self._begins)

    def closing(self) -> tuple[Timestamp, SqlError | None]:
        """Returns the latest time at which a transaction may close with unique keys, and the error afterwards.

        The upper if keys are unique to the end; the lower if no such time exists.
        """
        begins = np.concatenate([np.empty(0, np.int64), *self._begins])
        if not len(begins):
            return self._upper, None
        order = np.argsort(begins, kind="stable")
        begins, ends = begins[order], np.maximum.accumulate(np.concatenate(self._ends)[order])
        if ends[-1] < self._upper:
            return self._upper, None
        apart = np.concatenate(([True], begins[1:] > ends[:-1]))
        last = int(np.flatnonzero(apart)[-1])
        document = pa.concat_tables(self._documents).slice(int(order[last]), 1)
        return Timestamp(int(begins[last])), key_violation(document, self._sink)


def _numbered(columns: list[pa.ChunkedArray]) -> _Numbers:
    """Numbers rows: equal rows, including NULLs, get equal numbers."""
    encoded = (key_array(column).dictionary_encode(null_encoding="encode").indices for column in columns)
    codes = np.stack([indices.to_numpy(zero_copy_only=False) for indices in encoded], axis=1)
    numbered: _Numbers = np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1)
    return numbered
