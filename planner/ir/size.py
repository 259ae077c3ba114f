"""Measures the size of a plan, and its size with all bound relations unfolded where they are read."""

from __future__ import annotations

from collections import Counter

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.ir.relation import Let, LocalGet, Relation
from planner.ir.visit import inputs_of, walk_relation

UNFOLDED_MAX = 5_000
"""Nodes of a plan that may be handed on: planning takes more than linear time."""


def unfolded_size(relation: Relation) -> int:
    """Counts the nodes of the plan with each Let's value in the place of each LocalGet of it. Ids are unique within a
    plan."""
    return _unfolded(relation, frozenset(), 0)[0]


def worth_keeping(relation: Relation, above: int) -> frozenset[int]:
    """Returns the local ids of Lets that are read more than once and whose values have more than `above` nodes
    unfolded; a kept Let inside a value counts as one node.
    """
    reads = Counter(node.local_id for node in walk_relation(relation) if isinstance(node, LocalGet))
    often = frozenset(local_id for local_id, count in reads.items() if count > 1)
    return _unfolded(relation, often, above)[1]


def _unfolded(relation: Relation, often: frozenset[int], above: int) -> tuple[int, frozenset[int]]:
    bound: dict[int, int] = {}
    kept: set[int] = set()

    def size(node: Relation) -> int:
        match node:
            case LocalGet(local_id=local_id):
                return bound.get(local_id, 1)
            case Let(local_id=local_id, value=value, body=body):
                bound[local_id] = size(value)
                if local_id in often and bound[local_id] > above:
                    kept.add(local_id)
                    bound[local_id] = 1
                return size(body)
            case _:
                return 1 + sum(map(size, inputs_of(node)))

    return size(relation), frozenset(kept)


def too_large() -> SqlError:
    return SqlError(
        Sqlstate.STATEMENT_TOO_COMPLEX,
        "the plan is too large",
        detail=f"With all views and queries of WITH unfolded it has more than {UNFOLDED_MAX} nodes.",
        hint="Materialize views that are read more than once.",
    )
