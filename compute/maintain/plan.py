"""What a maintained dataflow is made of: steps in order, linear segments between them.

The output of step i is stream i: later segments read it as LocalGet(i). A segment is a Relation of linear nodes only
(Get, LocalGet, Constant, Project, Map, FlatMap, Filter, Negate, Union); its Gets are the dataflow's imports.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.global_id import GlobalId
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar


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
    """The rows of a segment, arranged by scalars over its columns. Equal ones share an arrangement."""

    segment: Relation
    key: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class JoinStep:
    """Pairs with equal keys, none of them NULL: left's columns, then right's."""

    left: Keyed
    right: Keyed


@dataclass(frozen=True, slots=True)
class AccumulateStep:
    """As Reduce: key columns, then aggregates, each of which is made of sums. Without a key one row, always."""

    input: Keyed
    aggregates: tuple[Aggregate, ...]


@dataclass(frozen=True, slots=True)
class ThresholdStep:
    """The segment's rows that count more than zero, so many times; keyed by all its columns."""

    input: Keyed


@dataclass(frozen=True, slots=True)
class GroupStep:
    """`operator` of each group's rows, which it reads as LocalGet(GROUP_ROWS).

    `operator` is one node over it (TopK, Reduce) whose own group is the key.
    """

    input: Keyed
    operator: Relation


GROUP_ROWS = -1


@dataclass(frozen=True, slots=True)
class DelayStep:
    """The segment's rows from the first until before the second scalar's time (int8 over its columns; NULL: unbounded)."""

    segment: Relation
    since: Scalar | None
    until: Scalar | None


@dataclass(frozen=True, slots=True)
class RecomputeStep:
    """`operator` over its inputs' whole contents at each time at which one changes; it reads input i as LocalGet(-1 - i)."""

    inputs: tuple[Relation, ...]
    operator: Relation


Step = JoinStep | AccumulateStep | ThresholdStep | GroupStep | DelayStep | RecomputeStep


@dataclass(frozen=True, slots=True)
class MaintenancePlan:
    """`outputs`: a segment for each object that is exported, over imports and all streams."""

    steps: tuple[Step, ...]
    outputs: tuple[tuple[GlobalId, Relation], ...]
