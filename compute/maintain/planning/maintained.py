"""The door of planning: plans a dataflow's objects and exports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from compute.maintain.plan import MaintenancePlan
from compute.maintain.planning.determinism import settled
from compute.maintain.planning.streams import Streams
from compute.maintain.planning.translation import RelationTranslation
from model.ids.global_id import GlobalId
from planner.ir.properties import remembering_columns
from planner.ir.relation import Get, Relation
from planner.ir.visit import walk_relation


def plan_maintenance(objects: tuple[tuple[GlobalId, Relation], ...], outputs: tuple[GlobalId, ...]) -> MaintenancePlan:
    """Returns the plan of a dataflow that builds `objects`, each of which may read earlier objects, and exports some of
    them.

    Relations are as `optimize_maintained` of planner/rules/pipeline.py makes them. Raises SqlError 0A000 for
    expressions that can't be maintained: those that depend on the session or the moment, and mz_now() except in
    conditions that bound it.
    """
    readers = Counter(node.id for _, relation in objects for node in walk_relation(relation) if isinstance(node, Get))
    building = _Building(Streams(), dict(objects), readers + Counter(outputs))
    with remembering_columns():
        exported = tuple((id_, building.segment(id_)) for id_ in outputs)
    return MaintenancePlan(tuple(building.streams.steps), exported)


@dataclass(slots=True)
class _Building:
    """Plans each object when it is first read."""

    streams: Streams
    relations: Mapping[GlobalId, Relation]
    readers: Mapping[GlobalId, int]
    _planned: dict[GlobalId, Relation] = field(default_factory=dict)

    def segment(self, id_: GlobalId) -> Relation:
        if id_ not in self._planned:
            translation = RelationTranslation(self.streams, self._imported)
            planned = translation.segment(settled(self.relations[id_]))
            self._planned[id_] = self.streams.shared(planned) if self.readers[id_] > 1 else planned
        return self._planned[id_]

    def _imported(self, get: Get) -> Relation:
        return self.segment(get.id) if get.id in self.relations else get
