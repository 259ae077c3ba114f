"""DROP and RENAME of secrets, connections and sinks: names to items, with errors and notices as of other objects."""

from __future__ import annotations

from catalog.changes.change import Change, DropItems, RenameItem
from catalog.changes.drops import cascade_notice, dropped_with
from catalog.lookup.planner_view import StateCatalogView
from catalog.lookup.targets import DdlSession, require_kind, require_place
from catalog.nouns.items import Item
from catalog.nouns.notices import Notice, skipping
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.plans.objects import DropPlan, ObjectKind, RenamePlan

_Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]


def find_access_object(state: CatalogState, session: DdlSession, kind: ObjectKind, parts: tuple[str, ...]) -> Item:
    """Returns the secret, connection or sink with a name; raises 42704 when there is none, 42809 when it is of
    another kind."""
    require_place(state, session, parts)
    found = StateCatalogView(state, session.role(state)).resolve_access(parts, session.search_path, session.database)
    if found is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'{kind.value} "{".".join(parts)}" does not exist')
    item = state.items[found.id]
    require_kind(item, kind)
    return item


def translate_drop_access(plan: DropPlan, state: CatalogState, session: DdlSession) -> _Outcome:
    notices: list[Notice] = []
    ids: dict[GlobalId, None] = {}
    for parts in plan.names:
        try:
            ids[find_access_object(state, session, plan.kind, parts).id] = None
        except SqlError as error:
            if not plan.if_exists or error.sqlstate is Sqlstate.WRONG_OBJECT_TYPE:
                raise
            notices.append(skipping(Sqlstate.SUCCESSFUL_COMPLETION, error.message))
    if not ids:
        return (), tuple(notices)
    notice = cascade_notice(state, dropped_with(state, [state.items[id] for id in ids]), session.search_path)
    if plan.cascade and notice is not None:
        notices.append(Notice(Sqlstate.SUCCESSFUL_COMPLETION, *notice))
    return (DropItems(tuple(ids), plan.cascade, session.search_path),), tuple(notices)


def translate_rename_access(plan: RenamePlan, state: CatalogState, session: DdlSession) -> _Outcome:
    try:
        item = find_access_object(state, session, plan.kind, plan.name)
    except SqlError as error:
        if not plan.if_exists or error.sqlstate is Sqlstate.WRONG_OBJECT_TYPE:
            raise
        return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, error.message),)
    return (RenameItem(item.id, plan.new_name),), ()
