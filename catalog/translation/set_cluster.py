"""ALTER SOURCE, SINK, INDEX and MATERIALIZED VIEW … SET CLUSTER: where they run from now on.

Of a source and a sink the new cluster goes on where the former one stopped: how far a source is bound, and what a sink
has written, is in storage and at the destination. Whoever of the former cluster still writes is fenced off there, as a
lost leader is. Indexes and materialized views are built in the new cluster before the commit (`server/writes`).
"""

from __future__ import annotations

from catalog.changes.change import Change, SetCluster
from catalog.changes.clusters import bound_with
from catalog.lookup.targets import DdlSession, named_item, require_kind
from catalog.nouns.clusters import DEFAULT_CLUSTER
from catalog.nouns.items import Index, Item
from catalog.nouns.notices import Notice, skipping
from catalog.nouns.sources import Source
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.access_objects import find_access_object
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.objects import ObjectKind
from planner.plans.replicas import SetClusterPlan


def translate_set_cluster(
    plan: SetClusterPlan, state: CatalogState, session: DdlSession, allocator: IdAllocator
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    """Translates the statement. Sources that are bound together move together. Raises SqlError 0A000 for what no
    cluster runs by itself, and for keys of tables."""
    try:
        item = _item(plan, state, session)
    except SqlError as error:
        if not plan.if_exists or error.sqlstate is Sqlstate.WRONG_OBJECT_TYPE:
            raise
        return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, error.message),)
    if isinstance(item.definition, Index):
        if item.definition.rule is not None:
            message = f'SET CLUSTER of the UNIQUE index "{item.name}" is not supported'
            hint = f"Keys of tables are kept in the cluster {DEFAULT_CLUSTER}."
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint=hint)
        return (SetCluster(item.id, plan.cluster, allocator.user_id()),), ()
    if plan.kind is ObjectKind.SOURCE and not isinstance(item.definition, Source):
        message = f'"{item.name}" is not run by a cluster of its own'
        hint = "A table of a source moves with the source; a webhook is written by the server."
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint=hint)
    return tuple(SetCluster(each.id, plan.cluster) for each in bound_with(state, item)), ()


def _item(plan: SetClusterPlan, state: CatalogState, session: DdlSession) -> Item:
    if plan.kind is ObjectKind.SINK:
        return find_access_object(state, session, plan.kind, plan.name)
    item = named_item(state, session, plan.name)
    require_kind(item, plan.kind)
    return item
