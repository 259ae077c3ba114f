"""The plans of statements: a closed union, executed by the coordinator, one file per kind."""

from __future__ import annotations

from dataclasses import dataclass

from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType
from planner.plans.alter_table import AlterTablePlan
from planner.plans.changes import (
    DeletePlan,
    InsertPlan,
    MergePlan,
    ModifyingPlan,
    RepairTablePlan,
    TruncatePlan,
    UpdatePlan,
)
from planner.plans.connection_plans import ConnectionPlan
from planner.plans.constraints import RenameConstraintPlan
from planner.plans.copying import BackupPlan, CopyFromPlan, CopySubscribePlan
from planner.plans.explaining import AnalyzePlan, ExplainExecutePlan, ExplainPlan
from planner.plans.functions import AlterRoutinePlan, CallPlan, CreateFunctionPlan, DoPlan, SteppedPlan
from planner.plans.large_objects import LargeObjectPlan
from planner.plans.locks import LockRowsPlan, LockTablePlan
from planner.plans.objects import (
    AlterRetainHistoryPlan,
    CommentPlan,
    CreateDatabasePlan,
    CreateSchemaPlan,
    DropPlan,
    MovePlan,
    RenamePlan,
    SwapPlan,
)
from planner.plans.policies import PolicyPlan
from planner.plans.queries import CopyToPlan, SelectPlan
from planner.plans.read_holds import ReadHoldPlan
from planner.plans.replicas import ClusterPlan, PromotePlan, ReplicaPlan, SetClusterPlan
from planner.plans.roles import RolePlan, SetRolePlan
from planner.plans.sequences import AlterSequencePlan, CreateSequencePlan
from planner.plans.session import (
    BeginPlan,
    CloseCursorPlan,
    CommitPlan,
    DeallocatePlan,
    DeclareCursorPlan,
    DiscardPlan,
    ExecutePlan,
    FetchPlan,
    ImportSnapshotPlan,
    ListenPlan,
    NotifyPlan,
    PreparedTransactionPlan,
    PreparePlan,
    ResetAllPlan,
    RollbackPlan,
    SavepointPlan,
    SetConstraintsPlan,
    SetTransactionPlan,
    SetVariablePlan,
    ShowVariablePlan,
)
from planner.plans.sinks import AlterSinkPlan, CreateSinkPlan
from planner.plans.sources import (
    AddTablesPlan,
    CreateSourcePlan,
    CreateWebhookPlan,
    FetchSchemasPlan,
    FindFilesPlan,
    FindPublicationPlan,
    FindUpstreamPlan,
    RefreshTablesPlan,
)
from planner.plans.subscribing import SubscribePlan
from planner.plans.tables import CreateTableAsPlan, CreateTablePlan
from planner.plans.types import (
    AlterCompositePlan,
    AlterDomainPlan,
    AlterTypePlan,
    CreateCompositePlan,
    CreateDomainPlan,
    CreateRangePlan,
    CreateTypePlan,
)
from planner.plans.views import (
    CheckPlan,
    CreateIndexPlan,
    CreateMaterializedViewPlan,
    CreateViewPlan,
    RefreshPlan,
    RepairViewPlan,
    ViewOptionsPlan,
)
from planner.privileges import Need


@dataclass(frozen=True, slots=True)
class NoOpPlan:
    """A statement that is accepted and has nothing to do here (VACUUM, COMMENT …); `tag` is its command tag."""

    tag: str
    notice: str | None = None


Plan = (
    SelectPlan
    | LockRowsPlan
    | LockTablePlan
    | InsertPlan
    | UpdatePlan
    | DeletePlan
    | MergePlan
    | ModifyingPlan
    | TruncatePlan
    | RepairTablePlan
    | RepairViewPlan
    | CopyFromPlan
    | CopyToPlan
    | SubscribePlan
    | CopySubscribePlan
    | BackupPlan
    | PromotePlan
    | ReadHoldPlan
    | ReplicaPlan
    | ClusterPlan
    | CreateTablePlan
    | CreateTableAsPlan
    | CreateViewPlan
    | CreateMaterializedViewPlan
    | CreateIndexPlan
    | CreateSourcePlan
    | CreateSinkPlan
    | AlterSinkPlan
    | CreateWebhookPlan
    | FetchSchemasPlan
    | FindPublicationPlan
    | FindUpstreamPlan
    | AddTablesPlan
    | RefreshTablesPlan
    | FindFilesPlan
    | CreateSequencePlan
    | AlterSequencePlan
    | CreateTypePlan
    | AlterTypePlan
    | AlterCompositePlan
    | CreateDomainPlan
    | AlterDomainPlan
    | CreateCompositePlan
    | CreateRangePlan
    | CreateFunctionPlan
    | AlterRoutinePlan
    | CallPlan
    | DoPlan
    | SteppedPlan
    | CreateSchemaPlan
    | CreateDatabasePlan
    | DropPlan
    | RenamePlan
    | MovePlan
    | SwapPlan
    | SetClusterPlan
    | AlterRetainHistoryPlan
    | ViewOptionsPlan
    | RenameConstraintPlan
    | AlterTablePlan
    | RefreshPlan
    | CheckPlan
    | BeginPlan
    | CommitPlan
    | PreparedTransactionPlan
    | RollbackPlan
    | SavepointPlan
    | SetTransactionPlan
    | ImportSnapshotPlan
    | SetConstraintsPlan
    | SetVariablePlan
    | ResetAllPlan
    | ShowVariablePlan
    | DiscardPlan
    | ListenPlan
    | NotifyPlan
    | PreparePlan
    | ExecutePlan
    | DeallocatePlan
    | DeclareCursorPlan
    | FetchPlan
    | CloseCursorPlan
    | ExplainPlan
    | AnalyzePlan
    | ExplainExecutePlan
    | CommentPlan
    | LargeObjectPlan
    | PolicyPlan
    | RolePlan
    | SetRolePlan
    | ConnectionPlan
    | NoOpPlan
)


@dataclass(frozen=True, slots=True)
class PlannedStatement:
    """A plan, the types of its parameters ($1 first), and the description of its rows for the client (None: no rows).

    `origins`: for each result column, the table or view's column shown unchanged, by oid and number from 1
    `needs`: the privileges needed to execute the plan
    """

    plan: Plan
    parameter_types: tuple[ScalarType, ...]
    result: RelationDesc | None
    origins: tuple[tuple[int, int] | None, ...] = ()
    needs: tuple[Need, ...] = ()
