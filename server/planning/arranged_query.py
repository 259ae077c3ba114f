"""Finds the views that a larger query reads from their indexes. Pure; decided when the query is planned.

A view that is not materialized is unfolded into its query, or read whole from an index.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from catalog.nouns.items import View
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId, Namespace
from planner.ir.query import Query
from planner.ir.reads import reads_of
from planner.ir.relation import Get, Project, Relation
from planner.ir.rewrite_gets import rewrite_gets
from planner.rules.inline_views import inline_views
from planner.rules.pipeline import optimize
from server.planning.access import UsedIndex, indexes_in, used_index
from server.planning.definitions import Definitions


@dataclass(frozen=True, slots=True)
class ArrangedQuery:
    """A query that reads views from their indexes; `reads` are the other collections of users."""

    query: Query
    indexes: tuple[UsedIndex, ...]
    reads: frozenset[GlobalId]


def arranged_query(
    query: Query, state: CatalogState, definitions: Definitions, cluster: int | None
) -> ArrangedQuery | None:
    """Returns the query over a cluster's indexes instead of views; None when no view has one there."""
    used: dict[GlobalId, UsedIndex] = {}

    def lookup(id_: GlobalId) -> Relation | None:
        item = state.items.get(id_)
        if item is None or not isinstance(item.definition, View) or not item.desc.arity:
            return definitions.view_relation(state, id_)
        indexes = indexes_in(state, id_, cluster)
        if not indexes:
            return definitions.view_relation(state, id_)
        if id_ not in used:
            used[id_] = used_index(indexes[0][0], state, definitions)
        return None

    def whole(get: Get) -> Relation:
        """Returns the relation as it was: CREATE OR REPLACE VIEW may have added columns since the plan around the Get
        was made."""
        index = used.get(get.id)
        if index is None or index.desc == get.desc:
            return get
        return Project(Get(get.id, index.desc), tuple(range(get.desc.arity)))

    relation = inline_views(query.relation, lookup)
    if not used:
        return None
    relation = optimize(rewrite_gets(relation, whole))
    reads = {id_ for id_ in reads_of(relation).collections if id_.namespace is not Namespace.SYSTEM}
    return ArrangedQuery(replace(query, relation=relation), tuple(used.values()), frozenset(reads - used.keys()))
