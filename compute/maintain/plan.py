"""What a maintained dataflow is made of: steps in order, linear segments between them.

The output of step i is stream i: later segments read it as LocalGet(i). A segment is a Relation of linear nodes only
(Get, LocalGet, Constant, Project, Map, FlatMap, Filter, Negate, Union); its Gets are the dataflow's imports. The rows
of a Constant are there from as_of on: they are a change at as_of and at no other time. What a segment holds may have
negative multiplicities inside, below a Union or at a ThresholdStep; what a step makes never has.

A stream's columns are held in the physical forms of their types, and so are keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from model.global_id import GlobalId
from model.scalar_type import ScalarType
from planner.ir.aggregate import Aggregate
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar, scalar_type
from planner.ir.size import unfolded_size


class Maintenance(StrEnum):
    """How an operator is maintained, as EXPLAIN says it."""

    LINEAR = "linear"
    JOIN = "delta join"
    ACCUMULABLE = "accumulable"
    GROUP = "by group"
    PREFIX = "ordered prefix"
    DELAY = "temporal"
    RECOMPUTE = "recompute"


@dataclass(frozen=True, slots=True)
class Keyed:
    """The rows of a segment, arranged by scalars over its columns. Equal ones share an arrangement.

    Keys are never of types with parts (arrays, records). Of intervals and jsonb, equal ones may differ.
    """

    segment: Relation
    key: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class JoinStep:
    """Pairs with equal keys, none of them NULL: left's columns, then right's. Without a key all pairs.

    Keys that stand at the same place have the same type, a numeric's modifier included.
    """

    left: Keyed
    right: Keyed


@dataclass(frozen=True, slots=True)
class AccumulateStep:
    """As Reduce: key columns, then aggregates, each of which is made of sums. Without a key one row, always.

    Without aggregates the distinct keys. Keys are of types whose equal values are identical.
    """

    input: Keyed
    aggregates: tuple[Aggregate, ...]


@dataclass(frozen=True, slots=True)
class ThresholdStep:
    """The segment's rows that count more than zero, so many times; keyed by all its columns, whose equal values are
    identical."""

    input: Keyed


@dataclass(frozen=True, slots=True)
class GroupStep:
    """`operator` of each group's rows, which it reads as LocalGet(GROUP_ROWS).

    `operator` is one node over it (TopK, Window, Reduce) whose own groups lie within those of the key: mostly they are
    the same, but of types that can't be keys the key knows nothing. Without a key all rows are one group, always: a
    Reduce without a key has an answer over no rows, too. With a key, a group without rows has no answer.
    """

    input: Keyed
    operator: Relation


GROUP_ROWS = -1


@dataclass(frozen=True, slots=True)
class TimeBound:
    """The time that `at` (int8 over a segment's columns) says, or the one `after` it; after the last one, the last.

    Where `at` is NULL or fails, nothing is bounded: who reads the rows asks about that while they are there."""

    at: Scalar
    after: bool


@dataclass(frozen=True, slots=True)
class DelayStep:
    """The segment's rows from the latest time of `since` until before the earliest of `until`.

    An update at t happens at the later of t and since, and is taken back at the later of t and until; when that is not
    later, it does not happen. Without bounds it is the segment itself, made once for all who read it.
    """

    segment: Relation
    since: tuple[TimeBound, ...] = ()
    until: tuple[TimeBound, ...] = ()


@dataclass(frozen=True, slots=True)
class RecomputeStep:
    """`operator` over its inputs' whole contents, at each time at which one changes.

    It reads input i as LocalGet(-1 - i). What it reads of no input is there from as_of on, as a Constant is.
    """

    inputs: tuple[Relation, ...]
    operator: Relation


Step = JoinStep | AccumulateStep | ThresholdStep | GroupStep | DelayStep | RecomputeStep


@dataclass(frozen=True, slots=True)
class MaintenancePlan:
    """`outputs`: a segment for each object that is exported, over imports and all streams."""

    steps: tuple[Step, ...]
    outputs: tuple[tuple[GlobalId, Relation], ...]


def stream_types(step: Step) -> tuple[ScalarType, ...]:
    """The types of the columns of a step's stream."""
    match step:
        case JoinStep():
            return relation_desc_of(step.left.segment).types + relation_desc_of(step.right.segment).types
        case AccumulateStep():
            return (*map(scalar_type, step.input.key), *(aggregate.type for aggregate in step.aggregates))
        case ThresholdStep():
            return relation_desc_of(step.input.segment).types
        case DelayStep():
            return relation_desc_of(step.segment).types
        case GroupStep() | RecomputeStep():
            return relation_desc_of(step.operator).types
        case _:
            assert_never(step)


def input_segments(step: Step) -> tuple[Relation, ...]:
    """The segments that a step reads."""
    match step:
        case JoinStep():
            return step.left.segment, step.right.segment
        case AccumulateStep() | ThresholdStep() | GroupStep():
            return (step.input.segment,)
        case DelayStep():
            return (step.segment,)
        case RecomputeStep():
            return step.inputs
        case _:
            assert_never(step)


def size_of_plan(plan: MaintenancePlan) -> int:
    """Nodes of all segments and operators, with what an operator binds in itself unfolded wherever it reads it."""
    segments = [segment for step in plan.steps for segment in input_segments(step)]
    operators = [step.operator for step in plan.steps if isinstance(step, GroupStep | RecomputeStep)]
    return sum(map(unfolded_size, (*segments, *operators, *(segment for _, segment in plan.outputs))))
