"""What a maintained dataflow is made of: steps in order, linear segments between them.

The output of step i is stream i: later segments read it as LocalGet(i). A segment is a Relation of linear nodes only
(Get, LocalGet, Constant, Project, Map, FlatMap, Filter, Negate, Union); its Gets are the dataflow's imports. The rows
of a Constant are there from as_of on: they are a change at as_of and at no other time. What a segment holds may have
negative multiplicities inside, below a Union or at a ThresholdStep; what a step makes never has.

A stream's columns are held in the physical forms of their types, and so are keys.

Every step tells of itself: `types` (of its stream's columns), `segments` (that it reads), `arranged` (which of them it
arranges), `operators` (relations that it holds in itself), `maintenance` and `title` (for EXPLAIN), and `whole`: which
operator makes its work grow with what is there instead of what changed, or None.
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
    """`outputs`: a segment for each object that is exported, over imports and all streams."""

    steps: tuple[Step, ...]
    outputs: tuple[tuple[GlobalId, Relation], ...]


def size_of_plan(plan: MaintenancePlan) -> int:
    """Nodes of all segments and operators, with what an operator binds in itself unfolded wherever it reads it."""
    within = [relation for step in plan.steps for relation in (*step.segments, *step.operators)]
    return sum(map(unfolded_size, (*within, *(segment for _, segment in plan.outputs))))
