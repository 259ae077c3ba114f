"""Finds parts without rows inside a statement's bounds, by the footers of their files.

Spark's readers skip row groups by the same statistics, but only after opening each file in a task.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.parquet as pq

from compute.replica.contents.narrowing import Bounds
from compute.replica.running.cache import RecentlyUsed
from model.physical.columns import column_name
from storage.persist.state import Part

_KNOWN_MAX = 10_000
Ranges = Mapping[str, tuple[int, int] | None]
"""By a column's physical name, its least and greatest value; None when all of it is NULL. Integers only."""


class PartRanges:
    """Remembers footers: a part never changes."""

    def __init__(self) -> None:
        self._known: RecentlyUsed[Ranges] = RecentlyUsed(_KNOWN_MAX)

    def outside(self, part: Part, path: str, bounds: Bounds) -> bool:
        """Returns whether no row of the part lies within the bounds. May read the file's footer, and block
        meanwhile."""
        ranges = self._known.get(part.key)
        if ranges is None:
            ranges = read_ranges(path)
            self._known.put(part.key, ranges)
        return any(
            name in ranges and _apart(ranges[name], asked)
            for name, asked in ((column_name(index), asked) for index, asked in bounds.items())
        )


def _apart(range_: tuple[int, int] | None, asked: tuple[int, int]) -> bool:
    """Returns whether ranges are apart. Comparisons are never true of NULL."""
    return range_ is None or range_[1] < asked[0] or range_[0] > asked[1]


def read_ranges(path: str) -> Ranges:
    """Returns the ranges in a Parquet file's footer; none for an unreadable file, which Spark will report."""
    try:
        footer = pq.read_metadata(path)
    except (OSError, pa.ArrowException):
        return {}
    groups = [footer.row_group(at) for at in range(footer.num_row_groups)]
    ranges: dict[str, tuple[int, int] | None] = {}
    for at in range(footer.num_columns):
        if not _of_integers(footer.schema.column(at)):
            continue
        found = [group.column(at).statistics for group in groups]
        if any(
            each is None or not (each.has_min_max or (each.has_null_count and not each.num_values)) for each in found
        ):
            continue
        known = [each for each in found if each.has_min_max]
        name = footer.schema.column(at).path
        ranges[name] = (min(e.min for e in known), max(e.max for e in known)) if known else None
    return ranges


def _of_integers(column: pq.ColumnSchema) -> bool:
    """Tells whether a file's column holds integers; statistics of others, such as dates beyond Python's, can't all be
    read."""
    return column.physical_type in ("INT32", "INT64") and column.logical_type.type in ("NONE", "INT")
