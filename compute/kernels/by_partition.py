"""The kernels that work on one range of hashes as well as on all: of partitions, each by itself, all outputs together
are the output of the whole.

Equal keys have equal hashes, on both sides of a join too, so no partition needs another's rows. Each is plain data, so
that a task can be sent it. Not of the kind are kernels without a key, and those ordered by time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.kernels.accumulate import accumulate_changes
from compute.kernels.join import join_changes
from compute.kernels.prefixes import gather_prefixes
from compute.kernels.rares import RareColumn, with_rares
from compute.kernels.threshold import threshold_changes
from compute.kernels.versions import gather_versions
from model.physical.columns import DIFF_COLUMN

Arrangements = Mapping[str, Arrangement]


@dataclass(frozen=True, slots=True)
class JoinWork:
    """Pairs of two arrangements, by name, which may be one."""

    left: str
    right: str

    def changes(self, arrangements: Arrangements, _lower: int) -> Iterator[pa.Table]:
        return join_changes(arrangements[self.left], arrangements[self.right])


@dataclass(frozen=True, slots=True)
class AccumulateWork:
    """Sums of each group. `rare_floats` names the arrangement of the floats that sums can't take, if there are
    `rares`."""

    sums: str
    rare_floats: str
    rares: tuple[RareColumn, ...]

    def changes(self, arrangements: Arrangements, lower: int) -> Iterator[pa.Table]:
        return self.completed(accumulate_changes(arrangements[self.sums], lower), arrangements)

    def completed(self, chunks: Iterator[pa.Table], arrangements: Arrangements) -> Iterator[pa.Table]:
        """Adds the groups' rare floats."""
        if not self.rares:
            return chunks
        rare = arrangements[self.rare_floats]
        return (with_rares(chunk, rare, self.rares) for chunk in chunks)


@dataclass(frozen=True, slots=True)
class ThresholdWork:
    """Rows that count more than zero."""

    rows: str

    def changes(self, arrangements: Arrangements, lower: int) -> Iterator[pa.Table]:
        return threshold_changes(arrangements[self.rows], lower)


@dataclass(frozen=True, slots=True)
class VersionsWork:
    """The versions of groups: of `first_rows` rows each, or of all."""

    rows: str
    first_rows: int | None

    def changes(self, arrangements: Arrangements, lower: int) -> Iterator[pa.Table]:
        arranged = arrangements[self.rows]
        if self.first_rows is None:
            return map(repeated, gather_versions(arranged, lower))
        return _repeated(gather_prefixes(arranged, self.first_rows, lower), self.first_rows)


PartitionWork = JoinWork | AccumulateWork | ThresholdWork | VersionsWork


def _repeated(chunks: Iterable[pa.Table], most: int) -> Iterator[pa.Table]:
    return (repeated(chunk, most) for chunk in chunks)


def repeated(counted: pa.Table, most: int | None = None) -> pa.Table:
    """Returns each row as often as its diff says, at most `most` times, without diff."""
    diffs = np.clip(counted.column(DIFF_COLUMN).to_numpy(), 0, most)
    rows = counted.drop_columns([DIFF_COLUMN])
    if (diffs == 1).all():
        return rows
    return rows.take(pa.array(np.repeat(np.arange(len(diffs)), diffs)))
