"""SELECT from a sequence in a query over collections of users: a constant, since only the server knows it."""

from __future__ import annotations

from planner.functions.system.sequence_lookup import SequenceLookup
from planner.functions.system.sequences import POSITION
from planner.functions.system.server_calls import relation_calls_server
from planner.ir.relation import Constant, FlatMap, Relation
from planner.ir.scalar import Literal
from planner.ir.unit import UNIT
from planner.ir.visit import map_relation, walk_relation


def reads_sequences(relation: Relation) -> bool:
    """Returns whether rows of the relation depend on the state of a sequence."""
    nodes = walk_relation(relation)
    selected = any(isinstance(node, FlatMap) and node.function == POSITION.key for node in nodes)
    return selected or relation_calls_server(relation)


def with_positions(relation: Relation, sequences: SequenceLookup) -> Relation:
    """Replaces sequences in the relation by their present state."""

    def position(node: Relation) -> Relation:
        if not isinstance(node, FlatMap) or node.function != POSITION.key or node.input != UNIT:
            return node
        (argument,) = node.arguments
        if not isinstance(argument, Literal) or not isinstance(argument.value, int):
            return node
        return Constant(((sequences.position(argument.value), 1),), node.desc)

    return map_relation(relation, position)
