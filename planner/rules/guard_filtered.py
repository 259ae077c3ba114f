"""Evaluates arguments of an aggregate with FILTER only for rows that count, because they could fail for others."""

from __future__ import annotations

from dataclasses import replace

from planner.functions.registry import AGGREGATES
from planner.interpret.reach import guarded
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Reduce, Relation, Window
from planner.ir.visit import map_relation
from planner.ir.window import WindowCall


def guard_filtered(relation: Relation) -> Relation:
    """Returns the relation with such arguments behind their FILTER's condition."""
    return map_relation(relation, _guard)


def _guard(node: Relation) -> Relation:
    match node:
        case Reduce():
            return replace(node, aggregates=tuple(map(_aggregate, node.aggregates)))
        case Window():
            return replace(node, calls=tuple(map(_call, node.calls)))
        case _:
            return node


def _aggregate(aggregate: Aggregate) -> Aggregate:
    condition = aggregate.condition
    # Direct arguments are the group's, not of its rows.
    direct = AGGREGATES[aggregate.function].direct or 0
    own = tuple(guarded(condition, argument) for argument in aggregate.arguments[direct:])
    order = tuple(replace(key, expression=guarded(condition, key.expression)) for key in aggregate.order)
    return replace(aggregate, arguments=(*aggregate.arguments[:direct], *own), order=order)


def _call(call: WindowCall) -> WindowCall:
    return replace(call, arguments=tuple(guarded(call.condition, argument) for argument in call.arguments))
