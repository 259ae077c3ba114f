"""Local ids stay unique within a plan when rewrites add bindings or copy relations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from planner.ir.columns import shift_depths
from planner.ir.locals import bound_by, with_local_ids
from planner.ir.relation import Join, LocalGet, Relation
from planner.ir.scalar import Exists, Scalar, SubqueryArray, SubqueryCompare, SubqueryValue
from planner.ir.visit import inputs_of, rewrite_relation, rewrite_scalar, walk_relation, with_inputs


def renumbered(relation: Relation, ids: Iterator[int]) -> Relation:
    """Returns a copy of the relation with new local ids for everything that it binds."""
    bound = [local_id for node in walk_relation(relation) for local_id in bound_by(node)]
    if not bound:
        return relation
    names = {local_id: next(ids) for local_id in bound}

    def rename(node: Relation, level: int) -> Relation:
        return with_local_ids(node, lambda local_id: names.get(local_id, local_id))

    return _everywhere(relation, rename)


def substituted(body: Relation, local_id: int, value: Relation, ids: Iterator[int]) -> Relation:
    """Returns `body` with copies of `value`, moved to the depth they stand at, where it reads `local_id`."""

    def put(node: Relation, level: int) -> Relation:
        if isinstance(node, LocalGet) and node.local_id == local_id:
            return renumbered(shift_depths(value, level), ids)
        return node

    return _everywhere(body, put)


def _everywhere(relation: Relation, change: Callable[[Relation, int], Relation]) -> Relation:
    """Replaces every node from below, subqueries included; `change` takes the number of rows around the node."""

    def visit(scalar: Scalar, level: int) -> Scalar | None:
        match scalar:
            case Exists() | SubqueryValue() | SubqueryArray():
                return replace(scalar, relation=within(scalar.relation, level + 1))
            case SubqueryCompare():
                condition = rewrite_scalar(scalar.condition, visit, level + 1)
                return SubqueryCompare(scalar.quantifier, condition, within(scalar.relation, level + 1))
            case _:
                return None

    def below(node: Relation, level: int) -> Relation:
        inside = level + 1 if isinstance(node, Join) and node.lateral else level
        inputs = inputs_of(node)
        changed = tuple(below(child, inside if at == 1 else level) for at, child in enumerate(inputs))
        return change(with_inputs(node, changed), level)

    def within(node: Relation, level: int) -> Relation:
        return below(rewrite_relation(node, visit, level), level)

    return within(relation, 0)
