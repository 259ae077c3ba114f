"""Whether and what a relation reads of the rows outside it."""

from __future__ import annotations

from planner.ir.relation import Relation
from planner.ir.scalar import OuterColumn, Scalar, SubqueryCompare
from planner.ir.visit import ScalarVisit, rewrite_relation, rewrite_scalar

Reference = tuple[int, int]
"""(depth, index) of an OuterColumn, as seen from the relation: depth 1 is the row that it serves."""


def references(relation: Relation) -> dict[Reference, OuterColumn]:
    """All that a relation reads of rows outside, in order of appearance."""
    found: dict[Reference, OuterColumn] = {}
    rewrite_relation(relation, _collector(found), 0)
    return found


def condition_references(compare: SubqueryCompare) -> dict[Reference, OuterColumn]:
    """What a comparison with a subquery reads outside, in its relation and in its condition."""
    found = references(compare.relation)
    rewrite_scalar(compare.condition, _collector(found), 0)
    return found


def _collector(found: dict[Reference, OuterColumn]) -> ScalarVisit:
    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, OuterColumn) and node.depth > level:
            key = (node.depth - level, node.index)
            found.setdefault(key, OuterColumn(*key, node.type))
        return None

    return visit


def correlated(relation: Relation) -> bool:
    return bool(references(relation))
