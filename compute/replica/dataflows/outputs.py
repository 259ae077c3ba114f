"""Finds the outputs of a dataflow: its objects, and further objects that an export needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compute.protocol.dataflow import DataflowDescription, Export, IndexExport
from compute.replica.dataflows.exports.index import arranged_relation
from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Get, Relation
from planner.ir.visit import walk_relation


@dataclass(frozen=True, slots=True)
class Computation:
    """The computation for a dataflow's exports.

    `objects`: in order; each may Get imports and earlier objects.
    `outputs`: the objects whose updates are wanted.
    `imports_of`: the imports below each output.
    `output_of`: the output of each export.
    `desc_of`: the columns of each export's object.
    """

    objects: tuple[tuple[GlobalId, Relation], ...]
    outputs: tuple[GlobalId, ...]
    imports_of: dict[GlobalId, frozenset[GlobalId]]
    output_of: dict[GlobalId, GlobalId]
    desc_of: dict[GlobalId, RelationDesc]


def computation_of(description: DataflowDescription) -> Computation:
    """Returns the computation for the exports of a dataflow."""
    objects = dict(description.objects)
    descs = {item.id: item.desc for item in description.imports}
    descs |= {id_: relation_desc_of(relation) for id_, relation in description.objects}
    output_of: dict[GlobalId, GlobalId] = {}
    for export in description.exports:
        relation = _relation(export, descs[export.on])
        if relation == Get(export.on, descs[export.on]) and export.on in objects:
            output_of[export.id] = export.on
        else:
            assert export.id not in objects, f"{export.id} is exported of something else than itself"
            objects[export.id] = relation
            output_of[export.id] = export.id
    outputs = tuple(dict.fromkeys(output_of.values()))
    desc_of = {export.id: descs[export.on] for export in description.exports}
    below = {item.id: frozenset((item.id,)) for item in description.imports}
    for id_, relation in objects.items():
        reads = [below[node.id] for node in walk_relation(relation) if isinstance(node, Get)]
        below[id_] = frozenset[GlobalId]().union(*reads)
    return Computation(tuple(objects.items()), outputs, {id_: below[id_] for id_ in outputs}, output_of, desc_of)


def computation_for(descriptions: Sequence[DataflowDescription]) -> Computation:
    """Returns the common computation of several descriptions, equal and with one output each."""
    first, *others = (computation_of(description) for description in descriptions)
    for other in others:
        (output,) = first.outputs
        first.output_of.update(dict.fromkeys(other.output_of, output))
        first.desc_of.update(other.desc_of)
    return first


def computes_nothing(computation: Computation) -> bool:
    """Returns whether every object is an unchanged import."""
    return all(isinstance(relation, Get) for _, relation in computation.objects)


_INDEX, _ERRORS = "index ", "errors "


def index_name(id_: GlobalId) -> str:
    """Returns the name of an index's arrangement."""
    return f"{_INDEX}{id_}"


def errors_name(id_: GlobalId) -> str:
    """Returns the arrangement of an export's errors."""
    return f"{_ERRORS}{id_}"


def is_of_export(name: str) -> bool:
    """Returns whether the arrangement belongs to an export: its index, or its errors."""
    return name.startswith((_INDEX, _ERRORS))


def arrangement_names(id_: GlobalId) -> tuple[str, ...]:
    """Returns the names of all arrangements of an export."""
    return index_name(id_), errors_name(id_)


def _relation(export: Export, desc: RelationDesc) -> Relation:
    return arranged_relation(export, desc) if isinstance(export, IndexExport) else Get(export.on, desc)
