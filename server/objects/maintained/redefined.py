"""Handles DDL that changes the meaning of a definition without touching it: columns of a table beneath a view and their
NOT NULL, labels of a type, checks of a domain.

An affected maintained item is built anew, under another collection, as CREATE OR REPLACE would. The outlines of its
dataflow in the catalogs before and after decide; names of columns are not part of an outline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from catalog.changes.change import RebuildItems
from catalog.nouns.items import Computed, Item
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from compute.protocol.dataflow import DataflowDescription, ShardExport
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.ir.relation import Get, Relation
from planner.ir.rewrite_gets import rewrite_gets
from server.objects.maintained.description import Outline, outline
from server.planning.statement_plans import Planning


def rebuilding(items: Sequence[Item], allocator: IdAllocator) -> tuple[RebuildItems, ...]:
    """Returns the change that gives new collections to these items, if any."""
    return (RebuildItems(tuple((item.id, allocator.user_id()) for item in items)),) if items else ()


def redefined(before: CatalogState, after: CatalogState, planning: Planning) -> tuple[Item, ...]:
    """Returns the maintained items whose definitions changed their meaning, and all items maintained over them.
    Raises SqlError for a definition without meaning."""
    changed = [id_ for id_, item in after.items.items() if id_ in before.items and before.items[id_] is not item]
    over = {item.id: item for id_ in changed for item in after.maintained_dependents(id_)}
    over |= {id_: after.items[id_] for id_ in changed if isinstance(after.items[id_].definition, Computed)}
    found: dict[GlobalId, Item] = {}
    for item in over.values():
        if item.id not in found and _kept(before, item) and _differs(before, after, item, planning):
            found[item.id] = item
            found |= {each.id: each for each in after.maintained_dependents(item.id) if _kept(before, each)}
    return tuple(found.values())


def _kept(before: CatalogState, item: Item) -> bool:
    """Returns whether the item existed before, with the same collection."""
    was = before.items.get(item.id)
    assert isinstance(item.definition, Computed)
    return (
        was is not None
        and isinstance(was.definition, Computed)
        and was.definition.collection == item.definition.collection
    )


def _differs(before: CatalogState, after: CatalogState, item: Item, planning: Planning) -> bool:
    try:
        was = outline(before, before.items[item.id], planning)
    except SqlError:
        return True  # it was not maintained
    now = outline(after, item, planning)
    if was == now:
        return False
    return _weaker(was, now) or _meaning(was.description) != _meaning(now.description)


def _weaker(was: Outline, now: Outline) -> bool:
    """Returns whether a column read may newly be NULL."""
    before = {each.id: each.desc.columns for each in was.description.imports}
    return any(
        column.nullable and not old.nullable
        for each in now.description.imports
        for old, column in zip(before.get(each.id, ()), each.desc.columns, strict=False)
    )


def _meaning(description: DataflowDescription) -> DataflowDescription:
    """Returns the description without names and promises about columns."""
    return replace(
        description,
        imports=tuple(replace(each, desc=_bare(each.desc)) for each in description.imports),
        objects=tuple((id_, _bare_gets(relation)) for id_, relation in description.objects),
        exports=tuple(
            replace(each, desc=_bare(each.desc)) if isinstance(each, ShardExport) else each
            for each in description.exports
        ),
    )


def _bare_gets(relation: Relation) -> Relation:
    def bare(get: Get) -> Relation:
        return replace(get, desc=_bare(get.desc))

    return rewrite_gets(relation, bare)


def _bare(desc: RelationDesc) -> RelationDesc:
    return RelationDesc(tuple(replace(column, name="", nullable=True) for column in desc.columns))
