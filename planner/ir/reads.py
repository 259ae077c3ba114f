"""Finds what a plan reads from outside: collections and values of the session."""

from __future__ import annotations

from dataclasses import dataclass, field

from model.ids.global_id import GlobalId
from planner.ir.relation import Get, Relation
from planner.ir.scalar import SessionName, SessionValue, SubqueryCompare
from planner.ir.unit import are_plain_rows
from planner.ir.visit import operands_of, scalars_of, walk_relation


@dataclass(slots=True)
class Reads:
    """The Get node of each collection, and the session values, subqueries' included."""

    collections: dict[GlobalId, Get] = field(default_factory=dict)
    session_values: set[SessionName] = field(default_factory=set)


def reads_of(relation: Relation) -> Reads:
    """Returns everything that the relation reads."""
    reads = Reads()
    if are_plain_rows(relation):
        return reads
    for node in walk_relation(relation):
        if isinstance(node, Get):
            reads.collections[node.id] = node
        pending = list(scalars_of(node))
        while pending:
            scalar = pending.pop()
            if isinstance(scalar, SessionValue):
                reads.session_values.add(scalar.name)
            elif isinstance(scalar, SubqueryCompare):
                pending.append(scalar.condition)
            pending.extend(operands_of(scalar))
    return reads
