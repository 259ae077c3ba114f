"""A kernel gathers the versions of changed groups; Spark runs the operator over them, as in a one-shot query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from compute.kernels.by_partition import VersionsWork
from compute.kernels.versions import BEGIN_COLUMN, END_COLUMN
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
    """Recomputes changed groups. `prefix`: the first rows of a group, in order, that suffice for its result; None when
    all rows are needed."""

    prefix: OrderedPrefix | None

    @property
    def work(self) -> VersionsWork | None:
        return self._versions if self.stream.empty is None else None

    @property
    def _versions(self) -> VersionsWork:
        (rows,) = self.inputs
        return VersionsWork(rows.name, None if self.prefix is None else self.prefix.rows)

    def changes(self, turn: Turn) -> Iterator[pa.Table]:
        """Yields the versions of changed groups, and answers for the one group while it is empty."""
        found: set[Version] = set()
        if turn.touched:
            for chunk in self._versions.changes(turn.arrangements, turn.lower):
                if self.stream.empty is not None:
                    found.update(zip(chunk.column(BEGIN_COLUMN).to_pylist(), chunk.column(END_COLUMN).to_pylist()))
                yield chunk
        if self.stream.empty is not None and (found or turn.starts):
            _tell_empty(self.stream.empty, found, turn)


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
