"""The bindings of WITH: its queries, put around a relation where they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.ir.locals import reads_local
from planner.ir.relation import Let, LetRecursive, RecursionLimit, RecursiveBinding, Relation
from planner.scope.analysis import Analysis
from planner.scope.draft import Draft
from planner.scope.environment import QueryEnvironment

DraftQuery = Callable[[Analysis, Any, QueryEnvironment], Draft]
Binding = Callable[[Relation], Relation]
"""Puts what WITH binds around a relation that reads it; the relation itself when it doesn't."""


def let(local_id: int, value: Relation) -> Binding:
    """Binds one query."""

    def around(body: Relation) -> Relation:
        return Let(local_id, value, body) if reads_local(body, frozenset((local_id,))) else body

    return around


def let_recursive(bindings: tuple[RecursiveBinding, ...], limit: RecursionLimit | None) -> Binding:
    """Binds queries that may read each other."""
    local_ids = frozenset(binding.local_id for binding in bindings)

    def around(body: Relation) -> Relation:
        return LetRecursive(bindings, body, limit) if reads_local(body, local_ids) else body

    return around


def bound(relation: Relation, bindings: Sequence[Binding]) -> Relation:
    """Returns the relation inside Lets for the bindings used; later bindings may use earlier bindings."""
    for binding in reversed(bindings):
        relation = binding(relation)
    return relation
