"""The door of the planner: a parsed statement to its plan."""

from __future__ import annotations

from collections.abc import Callable

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc
from planner.catalog_view import PlanningContext
from planner.expressions.all_handlers import HANDLERS
from planner.ir.properties import remembering_columns
from planner.plans.changes import DeletePlan, InsertPlan, ModifyingPlan, UpdatePlan
from planner.plans.copying import BackupPlan
from planner.plans.explaining import AnalyzePlan, ExplainExecutePlan, ExplainPlan
from planner.plans.functions import CallPlan, CreateFunctionPlan, SteppedPlan
from planner.plans.locks import LockRowsPlan
from planner.plans.plan import Plan, PlannedStatement
from planner.plans.queries import SelectPlan
from planner.plans.session import ShowVariablePlan
from planner.plans.subscribing import SubscribePlan
from planner.plans.views import CheckPlan
from planner.query.kept_expressions import plan_domain_check
from planner.query.query import plan_subquery
from planner.query.result_origins import origins_of
from planner.scope.analysis import Analysis
from planner.scope.names import location_of
from planner.scope.uses import needs_of
from planner.statements import alter, backup, comment, create_schema, drop, explain, no_op, replicas, select, show
from planner.statements.changes import copy, delete, insert, merge, repair_table, update
from planner.statements.changes.modifying import plan_modification, with_modifications
from planner.statements.connections import access_objects, connections, secrets
from planner.statements.functions import call, create_function, inline_code, routine_options
from planner.statements.functions.stepped import with_steps
from planner.statements.roles import grants, owners, roles
from planner.statements.session import cursors, lock_table, notifications, prepare, transaction, variables
from planner.statements.sinks import alter_sink, create_sink
from planner.statements.sources import added_tables, alter_source, create_source
from planner.statements.tables import create_table, create_table_as, policies, sequence
from planner.statements.types import composite_type, domain, enum_type, range_type
from planner.statements.views import check_view, create_index, create_view, read_hold, refresh, subscribe
from planner.syntax.parse import ParsedStatement
from planner.syntax.statement_words import statement_words

assert HANDLERS

Planner = Callable[[Analysis, ParsedStatement], Plan]


def _plan_create_function(analysis: Analysis, statement: ParsedStatement) -> CreateFunctionPlan:
    return create_function.plan(analysis, statement, _planned)


PLANNERS: dict[str, Planner] = {
    "select_stmt": select.plan,
    "insert_stmt": insert.plan,
    "update_stmt": update.plan,
    "delete_stmt": delete.plan,
    "merge_stmt": merge.plan,
    "truncate_stmt": delete.plan_truncate,
    "repair_table_stmt": repair_table.plan,
    "repair_view_stmt": check_view.plan_repair,
    "backup_stmt": backup.plan,
    "promote_stmt": replicas.plan_promotion,
    "copy_stmt": copy.plan,
    "subscribe_stmt": subscribe.plan,
    "create_read_hold_stmt": read_hold.plan_create,
    "alter_read_hold_stmt": read_hold.plan_alter,
    "drop_read_hold_stmt": read_hold.plan_drop,
    "create_cluster_stmt": replicas.plan_create_cluster,
    "rename_cluster_stmt": replicas.plan_rename_cluster,
    "swap_clusters_stmt": replicas.plan_swap_clusters,
    "alter_cluster_stmt": replicas.plan_alter_cluster,
    "cluster_owner_stmt": replicas.plan_cluster_owner,
    "comment_on_cluster_stmt": replicas.plan_comment_on_cluster,
    "set_cluster_stmt": replicas.plan_set_cluster,
    "drop_cluster_stmt": replicas.plan_drop_cluster,
    "create_replica_stmt": replicas.plan_create,
    "drop_replica_stmt": replicas.plan_drop,
    "create_secret_stmt": secrets.plan_create,
    "alter_secret_stmt": secrets.plan_alter,
    "drop_secret_stmt": access_objects.plan_drop,
    "comment_on_secret_stmt": access_objects.plan_comment,
    "create_connection_stmt": connections.plan_create,
    "alter_connection_stmt": connections.plan_alter,
    "drop_connection_stmt": access_objects.plan_drop,
    "comment_on_connection_stmt": access_objects.plan_comment,
    "validate_connection_stmt": connections.plan_validate,
    "create_stmt": create_table.plan,
    "create_table_as_stmt": create_table_as.plan,
    "view_stmt": create_view.plan,
    "index_stmt": create_index.plan,
    "refresh_mat_view_stmt": refresh.plan,
    "create_enum_stmt": enum_type.plan,
    "create_range_stmt": range_type.plan,
    "alter_enum_stmt": enum_type.plan_alter,
    "create_domain_stmt": domain.plan,
    "alter_domain_stmt": domain.plan_alter,
    "composite_type_stmt": composite_type.plan,
    "drop_replication_slot_stmt": access_objects.plan_drop,
    "create_source_stmt": create_source.plan,
    "create_table_from_source_stmt": added_tables.plan_create,
    "alter_source_stmt": alter_source.plan_alter,
    "drop_source_stmt": alter_source.plan_drop,
    "comment_on_source_stmt": alter_source.plan_comment,
    "create_sink_stmt": create_sink.plan,
    "alter_sink_stmt": alter_sink.plan,
    "drop_sink_stmt": access_objects.plan_drop,
    "comment_on_sink_stmt": access_objects.plan_comment,
    "create_function_stmt": _plan_create_function,
    "alter_function_stmt": routine_options.plan_alter,
    "call_stmt": call.plan,
    "do_stmt": inline_code.plan,
    "create_seq_stmt": sequence.plan,
    "alter_seq_stmt": sequence.plan_alter,
    "create_schema_stmt": create_schema.plan,
    "createdb_stmt": create_schema.plan_database,
    "drop_stmt": drop.plan,
    "dropdb_stmt": drop.plan_database,
    "rename_stmt": alter.plan_rename,
    "alter_object_schema_stmt": alter.plan_move,
    "alter_table_stmt": alter.plan,
    "transaction_stmt": transaction.plan,
    "constraints_set_stmt": transaction.plan_constraints,
    "variable_set_stmt": variables.plan_set,
    "variable_show_stmt": show.plan,
    "discard_stmt": variables.plan_discard,
    "prepare_stmt": prepare.plan,
    "execute_stmt": prepare.plan_execute,
    "deallocate_stmt": prepare.plan_deallocate,
    "declare_cursor_stmt": cursors.plan_declare,
    "fetch_stmt": cursors.plan_fetch,
    "close_portal_stmt": cursors.plan_close,
    "explain_stmt": explain.plan,
    "vacuum_stmt": no_op.plan_vacuum,
    "reindex_stmt": no_op.plan_reindex,
    "check_point_stmt": no_op.plan_checkpoint,
    "create_extension_stmt": no_op.plan_create_extension,
    "comment_stmt": comment.plan,
    "create_role_stmt": roles.plan_create,
    "alter_role_stmt": roles.plan_alter,
    "alter_role_set_stmt": roles.plan_settings,
    "alter_database_set_stmt": roles.plan_database_settings,
    "alter_system_stmt": roles.plan_system_settings,
    "drop_role_stmt": roles.plan_drop,
    "grant_stmt": grants.plan_grant,
    "grant_role_stmt": grants.plan_grant_role,
    "alter_default_privileges_stmt": grants.plan_default_privileges,
    "alter_owner_stmt": owners.plan_owner,
    "reassign_owned_stmt": owners.plan_reassign,
    "drop_owned_stmt": owners.plan_drop_owned,
    "create_policy_stmt": policies.plan_create,
    "alter_policy_stmt": policies.plan_alter,
    "lock_stmt": lock_table.plan,
    "listen_stmt": notifications.plan_listen,
    "unlisten_stmt": notifications.plan_unlisten,
    "notify_stmt": notifications.plan_notify,
}


_TAKES_AS_OF = frozenset(
    (
        "select_stmt",
        "insert_stmt",
        "update_stmt",
        "delete_stmt",
        "copy_stmt",
        "prepare_stmt",
        "declare_cursor_stmt",
        "explain_stmt",
    )
)


_LOCKS_ROWS = frozenset(("select_stmt", "insert_stmt", "update_stmt", "delete_stmt"))


def plan_statement(statement: ParsedStatement, context: PlanningContext) -> PlannedStatement:
    """Returns the plan of a statement, the types of its parameters and the rows it returns; raises SqlError with its
    place."""
    return _planned(statement, context)[0]


def _planned(statement: ParsedStatement, context: PlanningContext) -> tuple[PlannedStatement, Analysis]:
    """Returns the plan of a statement, and what its planning has used."""
    analysis = Analysis(
        context,
        statement.source,
        plan_subquery,
        plan_domain_check,
        plan_modification=plan_modification,
        locks_apart=_locks_rows(statement),
        recursions=statement.recursions,
        members=statement.members,
        call_stars=statement.call_stars,
    )
    with remembering_columns():
        plan = plan_any(analysis, statement)
    for place in sorted(analysis.call_stars - analysis.taken_stars):
        message = "columns are asked for by f(…).* only of functions, in lists of results"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, place)
    types, origins = analysis.final_parameter_types(), origins_of(plan, context.catalog)
    return PlannedStatement(plan, types, result_of(plan), origins, needs_of(analysis.uses)), analysis


def _locks_rows(statement: ParsedStatement) -> bool:
    """Tells whether FOR UPDATE and the like apply to the statement's queries: past rows can't be changed."""
    extension = statement.extension
    shown = extension.explain is not None or extension.checked is not None
    return statement.kind in _LOCKS_ROWS and extension.as_of is None and not shown


def plan_any(analysis: Analysis, statement: ParsedStatement) -> Plan:
    """Returns the plan alone, for statements within statements."""
    planner = PLANNERS.get(statement.kind)
    if planner is None:
        raise analysis.unsupported(statement_words(statement))
    as_of = statement.extension.as_of
    if as_of is not None and statement.kind not in _TAKES_AS_OF:
        raise analysis.unsupported(f"{statement_words(statement)} … AS OF", location_of(as_of))
    if statement.extension.explain is not None:
        return with_modifications(analysis, explain.plan_extended(analysis, statement, planner))
    if statement.extension.checked is not None:
        return check_view.plan(analysis, statement)
    if statement.analyzes:
        return explain.plan_analyze(analysis, statement, plan_any)
    analysis.step_places = frozenset(statement.single_calls)
    return with_steps(analysis, statement, with_modifications(analysis, planner(analysis, statement)))


def result_of(plan: Plan) -> RelationDesc | None:
    """Describes a plan's rows for the client; None when it has none. EXECUTE and FETCH are described by the server."""
    match plan:
        case SelectPlan():
            return plan.query.desc
        case LockRowsPlan():
            return plan.desc
        case ModifyingPlan():
            return result_of(plan.main)
        case InsertPlan() | UpdatePlan() | DeletePlan():
            return None if plan.returning is None else plan.returning.desc
        case CallPlan():
            return plan.desc
        case SteppedPlan():
            return plan.query.desc
        case SubscribePlan() | ExplainPlan() | AnalyzePlan() | ExplainExecutePlan() | CheckPlan() | BackupPlan():
            return plan.desc
        case ShowVariablePlan():
            return show.variable_desc(plan.name)
        case _:
            return None
