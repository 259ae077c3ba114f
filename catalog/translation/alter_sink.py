"""ALTER SINK: PAUSE, RESUME, BACKFILL, SET FROM, SET (PARALLELISM n)."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from catalog.changes.change import AlterSink, Change
from catalog.lookup.targets import DdlSession
from catalog.nouns.items import Item
from catalog.nouns.notices import Notice, skipping
from catalog.nouns.sinks import Sink, sink_over
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.access_objects import find_access_object
from catalog.translation.create_sink import kept_collection, parallelism_notices
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.scalar_type import type_text
from planner.plans.objects import ObjectKind
from planner.plans.sinks import AlterSinkPlan, NewParallelism, NewSinkSource, SinkCommand


def translate_alter_sink(
    plan: AlterSinkPlan, state: CatalogState, session: DdlSession, allocator: IdAllocator
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    try:
        item = find_access_object(state, session, ObjectKind.SINK, plan.name)
    except SqlError as error:
        if not plan.if_exists or error.sqlstate is Sqlstate.WRONG_OBJECT_TYPE:
            raise
        return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, error.message),)
    before = item.definition
    assert isinstance(before, Sink)
    notices: tuple[Notice, ...] = ()
    match plan.action:
        case SinkCommand.PAUSE | SinkCommand.RESUME:
            after = replace(before, paused=plan.action is SinkCommand.PAUSE, why_paused="")
        case SinkCommand.BACKFILL:
            after = replace(before, generation=before.generation + 1)
        case NewParallelism(count):
            after = replace(before, policy=replace(before.policy, parallelism=count))
            notices = parallelism_notices(after)
        case NewSinkSource():
            over = _over(state, item, before, plan.action)
            after = sink_over(over, kept_collection(state, over.source_id, allocator))
        case _:
            assert_never(plan.action)
    return (AlterSink(item.id, before, after),), notices


def _over(state: CatalogState, item: Item, sink: Sink, source: NewSinkSource) -> Sink:
    """Returns the sink with another relation, whose columns have the written names and types."""
    old, new = state.items[sink.source_id], state.items[source.id]
    if item.id in _beneath(state, source.id):
        message = f'"{new.name}" is made of the progress of sink "{item.name}"'
        raise SqlError(Sqlstate.INVALID_OBJECT_DEFINITION, message, detail="Each transaction would make another.")
    places = {new.desc.columns[at].name: at for at in source.columns}
    columns = []
    for at, name in zip(sink.columns, sink.names, strict=True):
        place, wanted = places.get(name), old.desc.types[at]
        if place is None or new.desc.types[place] != wanted:
            message = f'"{new.name}" has no column "{name}" of type {type_text(wanted)}'
            raise SqlError(Sqlstate.DATATYPE_MISMATCH, message, detail="The sink writes one.")
        columns.append(place)
    return replace(sink, source_id=source.id, columns=tuple(columns))


def _beneath(state: CatalogState, id_: GlobalId) -> frozenset[GlobalId]:
    """Returns all that an item is made of, through any number of views and sinks."""
    found: set[GlobalId] = set()
    pending = [id_]
    while pending:
        each = pending.pop()
        if each in state.items and each not in found:
            found.add(each)
            pending.extend(state.items[each].depends_on)
    return frozenset(found)
