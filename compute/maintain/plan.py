"""The plan of a maintained dataflow: steps in order, linear segments between them.

The output of step i is stream i: later segments read it as LocalGet(i). A segment is a Relation of linear nodes only
(Get, LocalGet, Constant, Project, Map, FlatMap, Filter, Negate, Union); its Gets are the dataflow's imports. The rows
of a Constant appear at as_of: they are a change at as_of and at no later time. Multiplicities may be negative inside a
segment, below a Union or a ThresholdStep; the multiplicities of a step's output never are.

A stream's columns are held in the physical forms of their types, and keys as well.

Every step describes itself: `types` (of its stream's columns), `segments` (its inputs), `arranged` (the arranged
inputs), `operators` (relations within the step), `maintenance` and `title` (for EXPLAIN), and `whole`: the operator by
which the step's work grows with the contents instead of the change, or None.
"""

from __future__ import annotations

from dataclasses import dataclass

from compute.maintain.steps.accumulate import AccumulateStep
from compute.maintain.steps.delay import DelayStep
from compute.maintain.steps.group import GroupStep
from compute.maintain.steps.join import JoinStep
from compute.maintain.steps.recompute import RecomputeStep
from compute.maintain.steps.threshold import ThresholdStep
from model.ids.global_id import GlobalId
from planner.ir.relation import Relation
from planner.ir.size import unfolded_size

Step = JoinStep | AccumulateStep | ThresholdStep | GroupStep | DelayStep | RecomputeStep


@dataclass(frozen=True, slots=True)
class MaintenancePlan:
    """The plan of a dataflow. `outputs`: a segment for each exported object, over imports and the streams of all
    steps."""

    steps: tuple[Step, ...]
    outputs: tuple[tuple[GlobalId, Relation], ...]


def size_of_plan(plan: MaintenancePlan) -> int:
    """Returns the number of nodes in all segments and operators; a bound relation counts wherever an operator reads
    it."""
    within = [relation for step in plan.steps for relation in (*step.segments, *step.operators)]
    return sum(map(unfolded_size, (*within, *(segment for _, segment in plan.outputs))))
