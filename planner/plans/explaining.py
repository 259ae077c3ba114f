"""EXPLAIN's plan."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.plans.changes import DeletePlan, InsertPlan, UpdatePlan
from planner.plans.objects import ObjectKind
from planner.plans.queries import SelectPlan
from planner.plans.subscribing import SubscribePlan
from planner.plans.tables import CreateTableAsPlan
from planner.plans.views import CreateIndexPlan, CreateMaterializedViewPlan, CreateViewPlan


class ExplainStage(StrEnum):
    RAW = "raw"
    OPTIMIZED = "optimized"
    PHYSICAL = "physical"
    TIMESTAMP = "timestamp"


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
    | CreateViewPlan
    | CreateMaterializedViewPlan
    | CreateIndexPlan
    | CreateTableAsPlan
    | ExplainedObject
)


@dataclass(frozen=True, slots=True)
class ExplainPlan:
    stage: ExplainStage
    statement: Explained
    desc: RelationDesc
