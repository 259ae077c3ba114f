"""GROUPING SETS, ROLLUP and CUBE spelled out: the sets of keys that a GROUP BY clause groups by (manual, 7.2.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from planner.ir.scalar import Scalar
from planner.ir.steps import UNDER_WAY
from planner.scope.analysis import Analysis

Key = int | Scalar
"""A result column that is a key, or a key of its own."""
Sets = list[tuple[Key, ...]]
_SETS_MAX = 4096
_CUBE_MAX = 12
_STEPS_A_KEY = 4


def grouping_sets(analysis: Analysis, select: Any, plan_key: Callable[[Any], Key]) -> Sets:
    """Returns the sets of the whole clause: each item's, crossed. One set without keys when there is no clause.

    Raises 54001 for more than 4096 sets, 54011 for a CUBE of more than 12 elements."""
    items = [_sets_of(analysis, node, plan_key) for node in select.group_clause]
    count = 1
    for item in items:
        count *= len(item)
        if count > _SETS_MAX:
            message = f"too many grouping sets present (maximum {_SETS_MAX})"
            raise analysis.error(Sqlstate.STATEMENT_TOO_COMPLEX, message)
    sets = [_joined(parts) for parts in product(*items)]
    _count_steps(sets)
    if not select.group_distinct:
        return sets
    return list({frozenset(each): each for each in reversed(sets)}.values())[::-1]


def _sets_of(analysis: Analysis, node: Any, plan_key: Callable[[Any], Key]) -> Sets:
    match node.WhichOneof("node"):
        case "grouping_set":
            return _expanded(analysis, node.grouping_set, plan_key)
        case "row_expr" if node.row_expr.row_format == tree.COERCE_IMPLICIT_CAST:
            # (a, b) means a, b; ROW(a, b) is a value.
            return [_joined([_sets_of(analysis, item, plan_key)[0] for item in node.row_expr.args])]
        case _:
            return [(plan_key(node),)]


def _expanded(analysis: Analysis, node: Any, plan_key: Callable[[Any], Key]) -> Sets:
    parts = [_sets_of(analysis, item, plan_key) for item in node.content]
    if node.kind == tree.GROUPING_SET_SETS:
        return [each for part in parts for each in part]
    # The elements of ROLLUP and CUBE are keys or rows of keys: one set each.
    elements = [part[0] for part in parts]
    if node.kind == tree.GROUPING_SET_ROLLUP:
        return [_joined(elements[:count]) for count in range(len(elements), -1, -1)]
    if node.kind == tree.GROUPING_SET_CUBE:
        if len(elements) > _CUBE_MAX:
            message = f"CUBE is limited to {_CUBE_MAX} elements"
            raise analysis.error(Sqlstate.TOO_MANY_COLUMNS, message, node.location)
        counts = range(len(elements), -1, -1)
        return [_joined(chosen) for count in counts for chosen in combinations(elements, count)]
    assert node.kind == tree.GROUPING_SET_EMPTY, "the grammar has no other kind"
    return [()]


def _count_steps(sets: Sets) -> None:
    """Takes the steps of planning that the keys of the sets will: each is looked at, and compared, a few times."""
    steps = UNDER_WAY.get()
    if steps is not None:
        for _ in range(_STEPS_A_KEY * sum(map(len, sets))):
            steps.take()


def _joined(parts: Sequence[tuple[Key, ...]]) -> tuple[Key, ...]:
    """Returns the keys of all parts, each once."""
    return tuple(dict.fromkeys(key for part in parts for key in part))
