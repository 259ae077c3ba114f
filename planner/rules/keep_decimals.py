"""Has all decimals of what is rounded computed where no collection is read, and nothing is stored.

Quotients, roots, logarithms, means and the like have 18 decimals at most over rows of collections, which hold no more.
A query of constants has PostgreSQL's:

    Map(Constant, divide(1, 3.0))    →    Map(Constant, whole_divide(1, 3.0))
"""

from __future__ import annotations

from dataclasses import replace

from planner.functions.registry import AGGREGATES, FUNCTIONS
from planner.functions.rows import whole_key
from planner.ir.relation import Reduce, Relation, Window
from planner.ir.scalar import Call, Scalar
from planner.ir.visit import map_relation, rewrite_scalar, with_scalars


def keep_decimals(relation: Relation) -> Relation:
    """Returns the relation of a query that reads no collection of users, with the functions that round less."""
    return map_relation(relation, lambda node: _aggregates(with_scalars(node, _calls)))


def _calls(scalar: Scalar) -> Scalar:
    def visit(node: Scalar, level: int) -> Scalar | None:
        if not isinstance(node, Call) or whole_key(node.function) not in FUNCTIONS:
            return None
        arguments = tuple(rewrite_scalar(argument, visit, level) for argument in node.arguments)
        return Call(whole_key(node.function), arguments, node.type)

    return rewrite_scalar(scalar, visit)


def _aggregates(relation: Relation) -> Relation:
    match relation:
        case Reduce():
            aggregates = tuple(replace(each, function=_aggregate(each.function)) for each in relation.aggregates)
            return replace(relation, aggregates=aggregates)
        case Window():
            calls = tuple(replace(each, function=_aggregate(each.function)) for each in relation.calls)
            return replace(relation, calls=calls)
        case _:
            return relation


def _aggregate(key: str) -> str:
    return whole_key(key) if whole_key(key) in AGGREGATES else key
