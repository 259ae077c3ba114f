"""CREATE SINK."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from catalog.changes.change import Change
from catalog.facts.roles.decide import has_privileges_of
from catalog.facts.roles.predefined import EXECUTE_SERVER_PROGRAM, WRITE_SERVER_FILES
from catalog.lookup.targets import DdlSession
from catalog.nouns.connections import Connection
from catalog.nouns.items import View
from catalog.nouns.notices import Notice, skipping
from catalog.nouns.sinks import Sink, SinkProgress, sink_over
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.create_source import free_progress_name
from connectors.systems import DESTINATIONS
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import ConnectedStore, ConnectedTable, ConnectorProgram
from model.ids.global_id import GlobalId
from planner.catalog_view import QualifiedName
from planner.plans.sinks import CreateSinkPlan

_AT_LEAST_ONCE = Notice(
    Sqlstate.SUCCESSFUL_COMPLETION,
    "documents may be written more than once",
    "What is posted can't be taken back, and is posted again where its transaction didn't end.",
)

_AT_OWN_TIMES = Notice(
    Sqlstate.SUCCESSFUL_COMPLETION,
    "ranges of keys are committed one by one",
    "Each range is what there was at one time, and a reader may find another at a later one.",
)

CreateSinkItem = Callable[[QualifiedName, Sink | SinkProgress, GlobalId], Change]
"""The change that creates an item of a name under an id."""


def _require_server_allowed(plan: CreateSinkPlan, state: CatalogState, role: int) -> None:
    """Raises 42501 for roles without the rights of pg_write_server_files or pg_execute_server_program."""
    name, oid = "pg_write_server_files", WRITE_SERVER_FILES
    if isinstance(plan.target, ConnectorProgram):
        name, oid = "pg_execute_server_program", EXECUTE_SERVER_PROGRAM
    if not has_privileges_of(state, role, oid):
        message = "permission denied to create a sink by files or programs of the server"
        detail = f'Only roles with privileges of the "{name}" role may.'
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message, detail=detail)


def translate_create_sink(
    plan: CreateSinkPlan, state: CatalogState, session: DdlSession, allocator: IdAllocator, create: CreateSinkItem
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    """Translates CREATE SINK; raises 42501 for a role that may not touch the server's files."""
    if plan.if_not_exists and state.find(plan.name) is not None:
        return (), (skipping(Sqlstate.DUPLICATE_OBJECT, f'sink "{plan.name.name}" already exists'),)
    if isinstance(plan.target, ConnectedTable | ConnectedStore):
        _require_connection(state, plan.target.connection, DESTINATIONS[plan.target.of].connection or plan.target.of)
        if isinstance(plan.target, ConnectedStore):
            for registry in plan.target.registries:
                _require_connection(state, registry, "CONFLUENT SCHEMA REGISTRY")
    else:
        _require_server_allowed(plan, state, session.role(state))
    names = tuple(state.items[plan.source].desc.columns[at].name for at in plan.columns)
    told = Sink(plan.source, plan.target, plan.columns, names, plan.key, plan.enforced, plan.policy, plan.sums)
    told = replace(told, cluster=plan.cluster)
    sink = sink_over(told, kept_collection(state, plan.source, allocator))
    notices = ((_AT_LEAST_ONCE,) if DESTINATIONS[sink.of].repeated else ()) + parallelism_notices(sink)
    id_ = allocator.user_id()
    progress = plan.progress or free_progress_name(state, plan.name)
    return (create(plan.name, sink, id_), create(progress, SinkProgress(id_), allocator.user_id())), notices


def parallelism_notices(sink: Sink) -> tuple[Notice, ...]:
    """Returns notices about ranges of keys; raises 0A000 where several sessions can't write to the destination."""
    if sink.policy.parallelism == 1:
        return ()
    kind = DESTINATIONS[sink.of]
    if kind.undivided is not None:
        why = kind.undivided
    elif sink.key is None:
        why = "Keys are divided, and it has none."
    elif kind.locks_by_key and not sink.enforced:
        why = "Where a key is not unique, sessions there wait for locks of each other's rows."
    else:
        return (_AT_OWN_TIMES,)
    raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "PARALLELISM is not supported for this sink", detail=why)


def kept_collection(state: CatalogState, source: GlobalId, allocator: IdAllocator) -> GlobalId | None:
    """Returns a new collection in which a sink of a view keeps the view; None where `source` is stored already."""
    return allocator.user_id() if isinstance(state.items[source].definition, View) else None


def _require_connection(state: CatalogState, id_: GlobalId, of: str) -> None:
    """Raises 42809 for a connection to something else."""
    item = state.items[id_]
    if not isinstance(item.definition, Connection) or item.definition.of != of:
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'connection "{item.name}" is not one to {of}')
