"""Finds the file that carries out a plan."""

from __future__ import annotations

from collections.abc import Awaitable

from model.external.files import FilePattern
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
from planner.plans.plan import NoOpPlan
from planner.plans.policies import PolicyPlan
from planner.plans.queries import CopyToPlan, SelectPlan
from planner.plans.read_holds import ReadHoldPlan
from planner.plans.replicas import ClusterPlan, PromotePlan, ReplicaPlan, SetClusterPlan
from planner.plans.roles import DropOwnedPlan, DropRolePlan, ReassignOwnedPlan, RolePlan, SetRolePlan
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
from planner.plans.types import AlterCompositePlan, AlterDomainPlan, TypePlan
from planner.plans.views import (
    CheckPlan,
    CreateIndexPlan,
    CreateMaterializedViewPlan,
    CreateViewPlan,
    RefreshPlan,
    RepairViewPlan,
    ViewOptionsPlan,
)
from server.ledgers.pieces import Pieces
from server.pgwire.backend import CopyOut, StatementResult
from server.planning.statement_plans import Planned, relies_on_names
from server.statements.backup import sequence_backup
from server.statements.blocks.running import sequence_do
from server.statements.call import sequence_routines
from server.statements.changes.insert import sequence_insert
from server.statements.changes.merge import sequence_merge
from server.statements.changes.modifying import sequence_modifying
from server.statements.changes.truncate import sequence_truncate
from server.statements.changes.update_delete import sequence_delete, sequence_update
from server.statements.copying.copy_from import sequence_copy_from
from server.statements.copying.from_file import copied_from_file
from server.statements.copying.from_parquet import copied_from_parquet, is_parquet
from server.statements.copying.to_file import copied_to_file
from server.statements.definitions.add_constraint import sequence_add_constraint
from server.statements.definitions.alter_composite import sequence_alter_composite
from server.statements.definitions.alter_domain import sequence_alter_domain
from server.statements.definitions.alter_sequence import sequence_alter_sequence
from server.statements.definitions.alter_table import sequence_alter_table
from server.statements.definitions.check_view import sequence_check
from server.statements.definitions.clusters import sequence_cluster
from server.statements.definitions.connections import sequence_connection
from server.statements.definitions.create_schema import sequence_create_schema
from server.statements.definitions.create_sink import sequence_create_sink
from server.statements.definitions.create_table_as import sequence_create_table_as
from server.statements.definitions.ddl import sequence_ddl
from server.statements.definitions.promotion import sequence_promotion
from server.statements.definitions.read_hold import sequence_read_hold
from server.statements.definitions.refresh import sequence_refresh
from server.statements.definitions.repair_view import sequence_repair_view
from server.statements.definitions.replicas import sequence_replica
from server.statements.definitions.routines import sequence_routine
from server.statements.explaining.analyze import sequence_analyze
from server.statements.explaining.explain import sequence_explain
from server.statements.large_objects import (
    follow_owners,
    refuse_dropped_owners,
    roles_losing,
    sequence_large_object,
)
from server.statements.no_op import sequence_comment, sequence_no_op
from server.statements.select import sequence_copy_to, sequence_select
from server.statements.session import cursors, notifications, prepared, transactions, variables
from server.statements.session.lock_rows import sequence_lock_rows
from server.statements.session.lock_table import sequence_lock_table
from server.statements.session.role_statements import kept_plan, sequence_set_role
from server.statements.session.set_constraints import sequence_set_constraints
from server.statements.session.two_phase import sequence_prepared
from server.statements.sources.answers import planned_with_answers
from server.statements.sources.first_files import require_files_allowed
from server.statements.sources.topics import identified
from server.statements.statement_session import StatementSession
from server.statements.subscribe import sequence_copy_subscribe, sequence_subscribe
from server.transactions.execution import Execution
from server.writes.constraints.references import with_references
from server.writes.locking.written import with_written_rows

_NamingPlan = (
    TypePlan
    | CreateSinkPlan
    | AlterSinkPlan
    | CreateFunctionPlan
    | AlterRoutinePlan
    | CreateSchemaPlan
    | CreateDatabasePlan
    | MovePlan
    | ViewOptionsPlan
    | PolicyPlan
    | ReplicaPlan
    | ClusterPlan
    | SetClusterPlan
    | LargeObjectPlan
)


async def sequence(planned: Planned, execution: Execution, session: StatementSession) -> StatementResult:
    """Runs a plan in the execution's transaction. Rows may still be on their way when the result is returned."""
    plan, reads = planned.plan, planned.reads
    if relies_on_names(plan):
        execution.rely_on(reads.named)
    if isinstance(plan, ConnectionPlan):
        return await sequence_connection(plan, execution, session)
    if isinstance(plan, ReadHoldPlan):
        return await sequence_read_hold(plan, execution, session)
    if isinstance(plan, DoPlan):
        return await sequence_do(plan, execution, session)
    if isinstance(plan, CallPlan | SteppedPlan):
        return await sequence_routines(plan, execution, session)
    if isinstance(plan, _NamingPlan):
        return await _sequence_naming(plan, execution, session)
    match plan:
        case SelectPlan():
            return await sequence_select(plan, planned, execution)
        case LockRowsPlan():
            return await sequence_lock_rows(plan, planned, execution)
        case LockTablePlan():
            return await sequence_lock_table(plan, execution)
        case InsertPlan() | UpdatePlan() | DeletePlan() | MergePlan() | ModifyingPlan():
            return await with_written_rows(lambda: _sequence_writing(plan, planned, execution), execution)
        case TruncatePlan():
            return await sequence_truncate(plan, execution, session)
        case CopyFromPlan():
            return await _sequence_copy_from(plan, execution)
        case CopyToPlan():
            return await _sequence_copy_to(plan, planned, execution)
        case AlterTablePlan() | RepairTablePlan():
            return await sequence_alter_table(plan, execution, session)
        case CreateIndexPlan() if plan.rule is not None:
            return await sequence_add_constraint(plan, execution, session)
        case (
            CreateTablePlan()
            | CreateViewPlan()
            | CreateMaterializedViewPlan()
            | CreateIndexPlan()
            | CreateSequencePlan()
            | CreateWebhookPlan()
            | AddTablesPlan()
            | RefreshTablesPlan()
            | DropPlan()
            | RenamePlan()
            | SwapPlan()
            | AlterRetainHistoryPlan()
            | RenameConstraintPlan()
        ):
            return await sequence_ddl(plan, execution, session)
        case CreateSourcePlan():
            if isinstance(plan.upstream, FilePattern):
                require_files_allowed(execution)
            return await sequence_ddl(await identified(plan, execution), execution, session)
        case AlterSequencePlan():
            return sequence_alter_sequence(plan, execution, session)
        case FetchSchemasPlan() | FindPublicationPlan() | FindUpstreamPlan() | FindFilesPlan():
            return await sequence(await planned_with_answers(plan, execution), execution, session)
        case CreateTableAsPlan():
            return await sequence_create_table_as(plan, reads, execution, session)
        case RefreshPlan():
            return await sequence_refresh(plan, execution, session)
        case CheckPlan() | RepairViewPlan():
            return await _sequence_comparing(plan, execution, session)
        case SubscribePlan() | CopySubscribePlan():
            return await _sequence_subscribing(plan, planned, execution, session)
        case ExplainPlan() | AnalyzePlan() | ExplainExecutePlan():
            return await _sequence_explaining(plan, planned, execution, session)
        case _:
            return await _sequence_session(plan, execution, session)


async def _sequence_naming(
    plan: _NamingPlan,
    execution: Execution,
    session: StatementSession,
) -> StatementResult:
    if isinstance(plan, LargeObjectPlan):
        return await sequence_large_object(plan, execution, session)
    if isinstance(plan, CreateSchemaPlan):
        return await sequence_create_schema(plan, execution, session)
    if isinstance(plan, CreateSinkPlan):
        return await sequence_create_sink(plan, execution, session)
    if isinstance(plan, ReplicaPlan):
        return sequence_replica(plan, execution, session)
    if isinstance(plan, ClusterPlan):
        return sequence_cluster(plan, execution, session)
    if isinstance(plan, CreateFunctionPlan | AlterRoutinePlan):
        return await sequence_routine(plan, execution, session)
    if isinstance(plan, AlterDomainPlan):
        return await sequence_alter_domain(plan, execution, session)
    if isinstance(plan, AlterCompositePlan):
        return await sequence_alter_composite(plan, execution, session)
    return await sequence_ddl(plan, execution, session)


async def _sequence_subscribing(
    plan: SubscribePlan | CopySubscribePlan, planned: Planned, execution: Execution, session: StatementSession
) -> StatementResult:
    if isinstance(plan, SubscribePlan):
        return await sequence_subscribe(plan, planned.reads, execution, session)
    return await sequence_copy_subscribe(plan, planned.reads, execution, session)


async def _sequence_explaining(
    plan: ExplainPlan | AnalyzePlan | ExplainExecutePlan,
    planned: Planned,
    execution: Execution,
    session: StatementSession,
) -> StatementResult:
    if isinstance(plan, ExplainExecutePlan):
        return await prepared.sequence_explain_execute(plan, execution, session)
    if isinstance(plan, AnalyzePlan):
        return await sequence_analyze(plan, planned, execution, session)
    return await sequence_explain(plan, planned, execution)


async def _sequence_comparing(
    plan: CheckPlan | RepairViewPlan, execution: Execution, session: StatementSession
) -> StatementResult:
    if isinstance(plan, RepairViewPlan):
        return await sequence_repair_view(plan, execution, session)
    return await sequence_check(plan, execution)


async def _sequence_copy_from(plan: CopyFromPlan, execution: Execution) -> StatementResult:
    if plan.file is None:
        return sequence_copy_from(plan, execution)
    if is_parquet(plan.options):
        return await copied_from_parquet(plan, plan.file, execution)
    return await copied_from_file(plan, plan.file, execution)


async def _sequence_copy_to(plan: CopyToPlan, planned: Planned, execution: Execution) -> StatementResult:
    def begun(plan: CopyToPlan, pieces: Pieces | None = None) -> Awaitable[CopyOut]:
        return sequence_copy_to(plan, planned, execution, pieces)

    return await (begun(plan) if plan.file is None else copied_to_file(plan, plan.file, begun, execution))


async def _sequence_writing(
    plan: InsertPlan | UpdatePlan | DeletePlan | MergePlan | ModifyingPlan, planned: Planned, execution: Execution
) -> StatementResult:
    """Runs a plan that writes, with the effects of foreign keys."""
    reads, access = planned.reads, planned.access
    parts = plan.changes if isinstance(plan, ModifyingPlan) else (plan,)
    inserted = {each.target for each in parts if isinstance(each, InsertPlan)}
    changed = {each.target for each in parts if isinstance(each, UpdatePlan | DeletePlan)}
    changed |= {each.target for each in parts if isinstance(each, InsertPlan) and each.conflict is not None}
    if isinstance(plan, MergePlan):
        inserted |= {plan.target} if plan.inserts else set()
        changed |= {plan.target} if plan.changes else set()

    async def written() -> StatementResult:
        match plan:
            case InsertPlan():
                return await sequence_insert(plan, reads, execution)
            case UpdatePlan():
                return await sequence_update(plan, reads, execution, access=access)
            case DeletePlan():
                return await sequence_delete(plan, reads, execution, access=access)
            case MergePlan():
                return await sequence_merge(plan, reads, execution)
            case ModifyingPlan():
                return await sequence_modifying(plan, reads, execution)

    return await with_references(execution, inserted, changed, reads.user, written)


_SessionPlan = (
    BeginPlan
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
    | CommentPlan
    | SetRolePlan
    | RolePlan
    | NoOpPlan
    | BackupPlan
    | PromotePlan
)


async def _sequence_session(plan: _SessionPlan, execution: Execution, session: StatementSession) -> StatementResult:
    match plan:
        case BeginPlan():
            return transactions.sequence_begin(plan, session)
        case CommitPlan():
            return await transactions.sequence_commit(plan, session)
        case RollbackPlan():
            return await transactions.sequence_rollback(plan, session)
        case PreparedTransactionPlan():
            return await sequence_prepared(plan, execution, session)
        case SavepointPlan():
            return await transactions.sequence_savepoint(plan, session)
        case SetTransactionPlan():
            return transactions.sequence_set_transaction(plan, session)
        case ImportSnapshotPlan():
            return transactions.sequence_import_snapshot(plan, execution, session)
        case SetConstraintsPlan():
            return await sequence_set_constraints(plan, execution, session)
        case SetVariablePlan():
            return variables.sequence_set(plan, execution, session)
        case SetRolePlan():
            return sequence_set_role(plan, execution, session)
        case ResetAllPlan():
            return variables.sequence_reset_all(session)
        case ShowVariablePlan():
            return variables.sequence_show(plan, session)
        case DiscardPlan():
            return await variables.sequence_discard(plan, execution, session)
        case ListenPlan():
            return notifications.sequence_listen(plan, session)
        case NotifyPlan():
            return notifications.sequence_notify(plan, session)
        case PreparePlan():
            return await prepared.sequence_prepare(plan, session)
        case ExecutePlan():
            return await prepared.sequence_execute(plan, execution, session)
        case DeallocatePlan():
            return prepared.sequence_deallocate(plan, session)
        case DeclareCursorPlan():
            return await cursors.sequence_declare(plan, execution, session)
        case FetchPlan():
            return await cursors.sequence_fetch(plan, execution, session)
        case CloseCursorPlan():
            return await cursors.sequence_close(plan, session)
        case CommentPlan():
            return sequence_comment(plan, execution)
        case NoOpPlan():
            return sequence_no_op(plan, session)
        case BackupPlan():
            return await sequence_backup(plan, execution)
        case PromotePlan():
            return await sequence_promotion(plan, execution)
        case _:
            return await _sequence_roles(plan, execution, session)


async def _sequence_roles(plan: RolePlan, execution: Execution, session: StatementSession) -> StatementResult:
    losing = roles_losing(plan, execution)
    if isinstance(plan, DropRolePlan):
        await refuse_dropped_owners(losing, execution)
    result = await sequence_ddl(await kept_plan(plan, execution), execution, session)
    if isinstance(plan, ReassignOwnedPlan | DropOwnedPlan):
        await follow_owners(plan, losing, execution)
    return result
