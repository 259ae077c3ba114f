"""DEFERRABLE and INITIALLY DEFERRED behind a column's constraints, which the grammar gives as constraints of their own.

k int UNIQUE NOT NULL DEFERRABLE      42601: they belong to NOT NULL, which can't wait
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.scope.analysis import Analysis

_WORDS = {
    tree.CONSTR_ATTR_DEFERRABLE: "DEFERRABLE",
    tree.CONSTR_ATTR_NOT_DEFERRABLE: "NOT DEFERRABLE",
    tree.CONSTR_ATTR_DEFERRED: "INITIALLY DEFERRED",
    tree.CONSTR_ATTR_IMMEDIATE: "INITIALLY IMMEDIATE",
}
_WHETHER = (tree.CONSTR_ATTR_DEFERRABLE, tree.CONSTR_ATTR_NOT_DEFERRABLE)
_WAITING = (tree.CONSTR_PRIMARY, tree.CONSTR_UNIQUE, tree.CONSTR_EXCLUSION, tree.CONSTR_FOREIGN)
"""The kinds of constraints that may wait for COMMIT."""


def with_attributes(analysis: Analysis, constraints: Iterable[Any]) -> list[Any]:
    """Returns the constraints of one column without the attributes, which go to the constraints before them. Raises
    SqlError 42601 for an attribute of a constraint that has none, and for attributes that contradict each other."""
    found: list[Any] = []
    seen: set[int] = set()
    for node in constraints:
        kind = node.contype
        if kind not in _WORDS:
            copy = type(node)()
            copy.CopyFrom(node)
            found.append(copy)
            seen = set()
            continue
        if not found or found[-1].contype not in _WAITING:
            raise _refused(analysis, f"misplaced {_WORDS[kind]} clause", node)
        if any((kind in _WHETHER) is (other in _WHETHER) for other in seen):
            words = "DEFERRABLE/NOT DEFERRABLE" if kind in _WHETHER else "INITIALLY IMMEDIATE/DEFERRED"
            raise _refused(analysis, f"multiple {words} clauses not allowed", node)
        seen.add(kind)
        if {tree.CONSTR_ATTR_NOT_DEFERRABLE, tree.CONSTR_ATTR_DEFERRED} <= seen:
            raise _refused(analysis, "constraint declared INITIALLY DEFERRED must be DEFERRABLE", node)
        last = found[-1]
        last.initdeferred = tree.CONSTR_ATTR_DEFERRED in seen
        last.deferrable = last.initdeferred or tree.CONSTR_ATTR_DEFERRABLE in seen
    return found


def _refused(analysis: Analysis, message: str, node: Any) -> SqlError:
    return analysis.error(Sqlstate.SYNTAX_ERROR, message, node.location)
