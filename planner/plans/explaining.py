"""EXPLAIN's plan."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.plans.changes import DeletePlan, InsertPlan, MergePlan, UpdatePlan
from planner.plans.objects import ObjectKind
from planner.plans.queries import SelectPlan
from planner.plans.session import ExecutePlan
from planner.plans.subscribing import SubscribePlan
from planner.plans.tables import CreateTableAsPlan
from planner.plans.views import CreateIndexPlan, CreateMaterializedViewPlan, CreateViewPlan
from planner.syntax.parse import ParsedStatement


class ExplainStage(StrEnum):
    RAW = "raw"
    OPTIMIZED = "optimized"
    PHYSICAL = "physical"
    TIMESTAMP = "timestamp"
    TICKS = "ticks"
    CPU = "cpu"
    MEMORY = "memory"


OF_TICKS = (ExplainStage.TICKS, ExplainStage.CPU, ExplainStage.MEMORY)
"""What EXPLAIN ANALYZE of a maintained object shows."""


@dataclass(frozen=True, slots=True)
class ExplainedObject:
    """EXPLAIN … FOR VIEW v and its kin: what has been created."""

    kind: ObjectKind
    target: GlobalId


Explained = (
    SelectPlan
    | SubscribePlan
    | InsertPlan
    | UpdatePlan
    | DeletePlan
    | MergePlan
    | CreateViewPlan
    | CreateMaterializedViewPlan
    | CreateIndexPlan
    | CreateTableAsPlan
    | ExplainedObject
)


class ExplainFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class ExplainPlan:
    stage: ExplainStage
    statement: Explained
    desc: RelationDesc
    format: ExplainFormat = ExplainFormat.TEXT


@dataclass(frozen=True, slots=True)
class AnalyzePlan:
    """EXPLAIN ANALYZE: runs the statement, and tells what ran instead of its rows.

    `timing`: whether each step is told with its time; `summary`: whether the times of planning and of the execution
    are told; `buffers`: whether bytes are."""

    statement: ParsedStatement
    desc: RelationDesc
    format: ExplainFormat
    timing: bool
    summary: bool
    buffers: bool


@dataclass(frozen=True, slots=True)
class ExplainExecutePlan:
    """EXPLAIN of EXECUTE: `words` are the statement's own up to EXECUTE, to be said of the prepared statement."""

    words: str
    execute: ExecutePlan
    desc: RelationDesc
