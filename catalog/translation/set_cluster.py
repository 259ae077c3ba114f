"""ALTER SOURCE and ALTER SINK … SET CLUSTER: where they run from now on.

The new cluster goes on where the former one stopped: how far a source is bound, and what a sink has written, is in
storage and at the destination. Whoever of the former cluster still writes is fenced off there, as a lost leader is.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalog.changes.change import Change, SetCluster
from catalog.lookup.targets import DdlSession, named_item, require_kind
from catalog.nouns.items import Item
from catalog.nouns.notices import Notice, skipping
from catalog.nouns.sinks import ViewSink
from catalog.nouns.sources import Source
from catalog.state.catalog_state import CatalogState
from catalog.translation.access_objects import find_access_object
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.plans.objects import ObjectKind
from planner.plans.replicas import SetClusterPlan


def translate_set_cluster(
    plan: SetClusterPlan, state: CatalogState, session: DdlSession
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    """Translates the statement. Sources that are bound together move together. SqlError 0A000 for what no cluster
    runs by itself."""
    try:
        item = _item(plan, state, session)
    except SqlError as error:
        if not plan.if_exists or error.sqlstate is Sqlstate.WRONG_OBJECT_TYPE:
            raise
        return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, error.message),)
    if isinstance(item.definition, ViewSink):
        message = f'SET CLUSTER of sink "{item.name}", which keeps a view, is not supported'
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint="Have it write a materialized view: SET FROM.")
    if plan.kind is ObjectKind.SOURCE and not isinstance(item.definition, Source):
        message = f'"{item.name}" is not run by a cluster of its own'
        hint = "A table of a source moves with the source; a webhook is written by the server."
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint=hint)
    return tuple(SetCluster(id_, plan.cluster) for id_ in _together(state, item)), ()


def _item(plan: SetClusterPlan, state: CatalogState, session: DdlSession) -> Item:
    if plan.kind is ObjectKind.SINK:
        return find_access_object(state, session, plan.kind, plan.name)
    item = named_item(state, session, plan.name)
    require_kind(item, plan.kind)
    return item


def _together(state: CatalogState, item: Item) -> Iterator[GlobalId]:
    """Yields the item, and the sources that one ingestion binds with it."""
    head = _head(item)
    yield from (id_ for id_, each in sorted(state.items.items()) if each.id == item.id or _head(each) == head)


def _head(item: Item) -> GlobalId:
    """Returns the source that tells of an item's transactions; the item itself where none does."""
    source = item.definition
    return source.transactions.source if isinstance(source, Source) and source.transactions is not None else item.id
