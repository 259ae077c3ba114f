"""Tasks of ranges in this process, one after the other where the loop takes them: what they do is what Spark's do."""

from __future__ import annotations

from compute.replica.ingestions.ranges.range_task import OpenRange, RangeTask, StagedRanges, stage_range
from connectors.systems import open_range
from model.time.clock import Clock
from storage.persist.write import Stage


class DirectRanges:
    """`staged` is what tasks have come to."""

    def __init__(self, stage: Stage, clock: Clock, open_: OpenRange = open_range) -> None:
        self.staged: list[StagedRanges] = []
        self._stage = stage
        self._clock = clock
        self._open = open_

    @property
    def ready(self) -> bool:
        return True

    async def stage(self, task: RangeTask) -> StagedRanges:
        staged = await stage_range(task, self._open, self._stage, self._clock)
        self.staged.append(staged)
        return staged
