"""Puts other relations in the place of the collections that a plan reads."""

from __future__ import annotations

from collections.abc import Callable

from planner.ir.relation import Get, Relation
from planner.ir.visit import map_relation


def rewrite_gets(relation: Relation, replacement: Callable[[Get], Relation]) -> Relation:
    """Returns the relation with each Get replaced, those in subqueries too. Replacements must have the Get's
    columns."""
    return map_relation(relation, lambda node: replacement(node) if isinstance(node, Get) else node)
