"""Views unfolded: a Get of a view becomes the view's relation, all the way down; and what holds data is read as the
caller says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.ir.locals import greatest_local_id, shift_local_ids
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Get, Project, Relation, TargetGet, ViewGet
from planner.ir.rewrite_gets import rewrite_gets
from planner.ir.size import UNFOLDED_MAX, too_large
from planner.ir.visit import map_relation, walk_relation, with_subqueries


class DataReading(Protocol):
    """The place at which a relation with data is read: at the top of a plan, or beneath views."""

    def rows(self, get: Get) -> Relation:
        """Returns what is read of a collection."""
        ...

    def beneath(self, id: GlobalId) -> DataReading:
        """Returns how a view's own relation is read."""
        ...

    def within(self, id: GlobalId) -> DataReading:
        """Returns how the subqueries are read that stand in what is read of a collection."""
        ...


class _Whole:
    """Reads all rows of everything."""

    def rows(self, get: Get) -> Relation:
        if isinstance(get, TargetGet):
            return get.contents
        return Get(get.id, get.desc) if isinstance(get, ViewGet) else get

    def beneath(self, id: GlobalId) -> DataReading:
        return self

    def within(self, id: GlobalId) -> DataReading:
        return self


def inline_views(
    relation: Relation, lookup: Callable[[GlobalId], Relation | None], reading: DataReading | None = None
) -> Relation:
    """Replaces views by their definitions. `lookup` returns a view's relation, with views inside still folded, and None
    for a collection that holds data. A `reading` replaces the Gets of such collections, and reads in turn what the
    subqueries name that stand in their places.

    Raises 54001 if the plan grows too large, as with views that read views twice, level upon level.
    """
    gets = [node for node in walk_relation(relation) if isinstance(node, Get)]
    alike = reading is None and not any(isinstance(get, TargetGet | ViewGet) for get in gets)
    if not gets or (alike and all(lookup(get.id) is None for get in gets)):
        return _as_wide(relation, gets)
    greatest, size = greatest_local_id(relation), 0

    def unfolded(subquery: Relation, within: DataReading) -> Relation:
        nonlocal greatest, size
        size += sum(1 for _ in walk_relation(subquery))
        if size > UNFOLDED_MAX:
            raise too_large()
        shifted = shift_local_ids(subquery, greatest)
        greatest = max(greatest, greatest_local_id(shifted))
        return map_relation(shifted, lambda inner: change(inner, within))

    def change(node: Relation, reading: DataReading) -> Relation:
        nonlocal greatest, size
        if not isinstance(node, Get):
            return node
        if isinstance(node, TargetGet | ViewGet) and node.view is not None:
            reading = reading.beneath(node.view)
        view = lookup(node.id)
        if view is None:
            return with_subqueries(reading.rows(node), partial(unfolded, within=reading.within(node.id)))
        size += sum(1 for _ in walk_relation(view))
        if size > UNFOLDED_MAX:
            raise too_large()
        beneath = reading.beneath(node.id)
        view = map_relation(view, lambda inner: change(inner, beneath))
        shifted = shift_local_ids(view, greatest)
        greatest = max(greatest, greatest_local_id(shifted))
        # CREATE OR REPLACE VIEW may have added columns since the plan around this one was made.
        width = node.desc.arity
        return shifted if relation_desc_of(shifted).arity == width else Project(shifted, tuple(range(width)))

    top = _Whole() if reading is None else reading
    inlined = map_relation(relation, lambda node: change(node, top))
    return _as_wide(inlined, [node for node in walk_relation(inlined) if isinstance(node, Get)])


def _as_wide(relation: Relation, gets: Sequence[Get]) -> Relation:
    """Reads a collection with the same columns at all of its places: views and functions know only the columns that
    were there when they were made."""
    widest: dict[GlobalId, RelationDesc] = {}
    for get in gets:
        if get.id not in widest or widest[get.id].arity < get.desc.arity:
            widest[get.id] = get.desc
    if all(widest[get.id].arity == get.desc.arity for get in gets):
        return relation

    def widened(get: Get) -> Relation:
        desc = widest[get.id]
        if desc.arity == get.desc.arity:
            return get
        return Project(replace(get, desc=desc), tuple(range(get.desc.arity)))

    return rewrite_gets(relation, widened)
