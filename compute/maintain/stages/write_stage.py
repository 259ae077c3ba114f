"""Chooses the stage for each kind of step; steps are told apart nowhere else."""

from __future__ import annotations

from typing import assert_never

from compute.maintain.plan import Step
from compute.maintain.stages.accumulate import accumulate_stage
from compute.maintain.stages.delay import delay_stage
from compute.maintain.stages.group import group_stage
from compute.maintain.stages.join import join_stage
from compute.maintain.stages.recompute import recompute_stage
from compute.maintain.stages.stage import TickStage
from compute.maintain.stages.threshold import threshold_stage
from compute.maintain.stages.writing import Writing
from compute.maintain.steps.accumulate import AccumulateStep
from compute.maintain.steps.delay import DelayStep
from compute.maintain.steps.group import GroupStep
from compute.maintain.steps.join import JoinStep
from compute.maintain.steps.recompute import RecomputeStep
from compute.maintain.steps.threshold import ThresholdStep


def write_stage(writing: Writing, step: Step) -> TickStage:
    """Writes the queries of a step; the context knows the streams of earlier steps by now."""
    match step:
        case JoinStep():
            return join_stage(writing, step)
        case AccumulateStep():
            return accumulate_stage(writing, step)
        case ThresholdStep():
            return threshold_stage(writing, step)
        case GroupStep():
            return group_stage(writing, step)
        case DelayStep():
            return delay_stage(writing, step)
        case RecomputeStep():
            return recompute_stage(writing, step)
        case _:
            assert_never(step)
