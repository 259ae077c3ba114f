"""Finds operators that hand rows on one by one: LIMIT may stop an endless input, as in `WITH RECURSIVE … LIMIT 3`."""

from __future__ import annotations

from dataclasses import replace

from planner.ir.relation import Filter, FlatMap, Let, LocalGet, Map, Project, Relation
from planner.ir.visit import walk_relation


def hands_on(let: Let) -> bool:
    """Tells if the body reads the Let's value exactly once, row by row."""
    reads = sum(isinstance(node, LocalGet) and node.local_id == let.local_id for node in walk_relation(let.body))
    return reads == 1 and isinstance(leaf := _leaf(let.body), LocalGet) and leaf.local_id == let.local_id


def handed_on(let: Let) -> Relation:
    """Returns the body over the value itself, where `hands_on`."""
    return _over(let.body, let.value)


def _over(relation: Relation, value: Relation) -> Relation:
    match relation:
        case Project() | Map() | Filter() | FlatMap():
            return replace(relation, input=_over(relation.input, value))
        case Let():
            return replace(relation, body=_over(relation.body, value))
        case _:
            return value


def _leaf(relation: Relation) -> Relation:
    while True:
        match relation:
            case Project(input=input_) | Map(input=input_) | Filter(input=input_) | FlatMap(input=input_):
                relation = input_
            case Let(body=body):
                relation = body
            case _:
                return relation
