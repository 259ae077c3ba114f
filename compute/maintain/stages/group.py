"""A kernel gathers the versions of changed groups; Spark runs the operator over them, as in a one-shot query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.kernels.prefixes import gather_prefixes
from compute.kernels.versions import BEGIN_COLUMN, END_COLUMN, gather_versions
from compute.maintain.change import literal_change
from compute.maintain.stages.empty_versions import Version, empty_updates
from compute.maintain.stages.keyed import keyed_rows
from compute.maintain.stages.stage import TickStage, Turn
from compute.maintain.stages.streams import EmptyGroup, of_versions
from compute.maintain.stages.writing import Writing
from compute.maintain.steps.group import GroupStep
from compute.maintain.steps.prefix import OrderedPrefix
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN


@dataclass(frozen=True, slots=True)
class GroupStage(TickStage):
    """Recomputes groups. `prefix` is the part of a group that is read, or None for all rows."""

    prefix: OrderedPrefix | None

    def changes(self, turn: Turn) -> Iterator[pa.Table]:
        """Yields the versions of changed groups, and answers for the one group while it is empty."""
        found: set[Version] = set()
        if turn.touched:
            (rows,) = self.inputs
            for chunk in self._gathered(turn.arrangements[rows.name], turn):
                if self.stream.empty is not None:
                    found.update(zip(chunk.column(BEGIN_COLUMN).to_pylist(), chunk.column(END_COLUMN).to_pylist()))
                yield repeated(chunk) if self.prefix is None else repeated(chunk, self.prefix.rows)
        if self.stream.empty is not None and (found or turn.starts):
            _tell_empty(self.stream.empty, found, turn)

    def _gathered(self, arranged: Arrangement, turn: Turn) -> Iterator[pa.Table]:
        if self.prefix is None:
            return gather_versions(arranged, turn.lower)
        return gather_prefixes(arranged, self.prefix.rows, turn.lower)


def group_stage(writing: Writing, step: GroupStep) -> GroupStage:
    """Arranges rows by their group, in the order of the prefix if only a prefix is read."""
    prefix = step.prefix
    order = None if prefix is None else prefix.order
    keyed = keyed_rows(writing.context, step.input.segment, step.input.key, order=order)
    stream = of_versions(writing.context, writing.view, keyed.rows, step.operator, shared=writing.shared)
    return GroupStage(writing.inputs(keyed), stream, prefix)


def _tell_empty(empty: EmptyGroup, found: set[Version], turn: Turn) -> None:
    updates = empty_updates(found, turn.lower if turn.starts else None)
    answer = turn.empty_answer().take(pa.array(np.zeros(len(updates), np.int64)))
    for name, values in zip((TIME_COLUMN, DIFF_COLUMN), zip(*updates) if updates else ((), ())):
        answer = answer.append_column(name, pa.array(values, pa.int64()))
    turn.tell(empty.view, literal_change(answer.cast(empty.schema)))


def repeated(counted: pa.Table, most: int | None = None) -> pa.Table:
    """Returns each row as often as its diff says, at most `most` times, without diff."""
    diffs = np.clip(counted.column(DIFF_COLUMN).to_numpy(), 0, most)
    rows = counted.drop_columns([DIFF_COLUMN])
    if (diffs == 1).all():
        return rows
    return rows.take(pa.array(np.repeat(np.arange(len(diffs)), diffs)))
